/* place-store: what place remembers from one run to the next. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place/tool.h"

#include "store.h"
#include "verdict.h"

static const char usage[] =
  "usage: place-store [--file FILE] COMMAND\n"
  "       place-store --help | --version\n"
  "  list            the verdicts, the last used first\n"
  "  show KEY        those whose key begins so, with all that is known of them\n"
  "  drop KEY|all    removes them\n"
  "  export          writes them to the output, a line each\n"
  "  import          reads such lines from the input\n"
  "FILE: else what PLACE_STORE says, else place/verdicts.sqlite in $XDG_CACHE_HOME or ~/.cache\n"
  "Status 1: the store cannot be read or written; 2: the arguments are wrong.\n";
static const struct place_tool tool = {"place-store", usage};

static const char *environment(const char *name) { return secure_getenv(name); }

static int complain(const struct place_diag *diag) {
  fprintf(stderr, "place-store: %s\n", diag->text);
  return 1;
}

/* ---- printing ---- */

/* What is launched: a version by its name without what all of the kernel's begin with. */
static const char *kept(const struct verdict *verdict, const char *kernel) {
  static const char mark[] = "_place_";
  size_t length = strlen(kernel);
  if (verdict->keeps_original) return "the original";
  bool is_usual = !strncmp(verdict->version, kernel, length) && !strncmp(verdict->version + length, mark, strlen(mark));
  return verdict->version + (is_usual ? length + strlen(mark) : 0);
}

static void print_short(const struct store_row *r) {
  char day[32] = "?";
  time_t used = (time_t)r->used;
  struct tm tm;
  if (localtime_r(&used, &tm)) strftime(day, sizeof day, "%Y-%m-%d", &tm);
  struct verdict verdict;
  struct place_diag diag = {""};
  bool read = !verdict_read(r->verdict, &verdict, &diag);
  printf("%.12s  %s  %-24s %s: %s\n", r->key, day, r->device, r->where, read ? kept(&verdict, r->kernel) : diag.text);
  if (read) verdict_free(&verdict);
}

static void print_long(const struct store_row *r) {
  time_t used = (time_t)r->used;
  char text[32] = "?";
  struct tm tm;
  if (localtime_r(&used, &tm)) strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
  printf("key      %s\nregion   %s\nkernel   %s\nimage    %s\ndevice   %s\nused     %s\n%s\n\n", r->key, r->where, r->kernel, r->image, r->device,
         text, r->verdict);
}

static void print_line(const struct store_row *r) {
  printf("%s\t%s\t%s\t%s\t%s\t%lld\t%s\n", r->key, r->image, r->kernel, r->where, r->device, (long long)r->used, r->verdict);
}

static int print_all(const char *file, const char *key, void (*print)(const struct store_row *)) {
  struct store_rows rows;
  struct place_diag aside = {""}, diag = {""};
  if (store_read(file, NULL, &rows, &aside, &diag)) return complain(*aside.text ? &aside : &diag);
  if (!rows.count) fprintf(stderr, "place-store: %s has no verdicts\n", file);
  for (size_t i = 0; i < rows.count; i++)
    if (!strncmp(rows.row[i].key, key, strlen(key))) print(&rows.row[i]);
  store_rows_free(&rows);
  return 0;
}

/* ---- import ---- */

/* The line's fields, in place; false: they are not seven. */
static bool split(char *line, struct store_row *r) {
  char *field[7], *at = line;
  line[strcspn(line, "\n")] = 0;
  for (int i = 0; i < 7; i++) {
    if (!at) return false;
    field[i] = at;
    if ((at = strchr(at, '\t'))) *at++ = 0;
  }
  char *end;
  *r = (struct store_row){field[0], field[1], field[2], field[3], field[4], field[6], strtoll(field[5], &end, 10)};
  return !at && !*end && end != field[5] && *r->key && !strncmp(r->verdict, "verdict ", 8);
}

static int import(const char *file) {
  struct place_diag aside = {""}, diag = {""};
  char *line = NULL;
  size_t size = 0, number = 0, added = 0;
  int rc = 0;
  while (!rc && getline(&line, &size, stdin) > 0) {
    struct store_row row;
    number++;
    if (!split(line, &row)) {
      fprintf(stderr, "place-store: line %zu is none of an export; it is left out\n", number);
      continue;
    }
    rc = store_write(file, &row, 1, 10000, &aside, &diag) ? complain(&diag) : 0;
    added += !rc;
  }
  free(line);
  if (*aside.text) complain(&aside);
  printf("%zu verdicts\n", added);
  return rc;
}

static int drop(const char *file, const char *key) {
  struct place_diag diag = {""};
  int dropped = store_drop(file, strcmp(key, "all") ? key : "", &diag);
  if (dropped < 0) return complain(&diag);
  printf("%d verdicts\n", dropped);
  return 0;
}

static int run(const char *file, int argc, char **argv) {
  const char *command = argc ? argv[0] : "";
  if (!strcmp(command, "list") && argc == 1) return print_all(file, "", print_short);
  if (!strcmp(command, "show") && argc == 2) return print_all(file, argv[1], print_long);
  if (!strcmp(command, "drop") && argc == 2) return drop(file, argv[1]);
  if (!strcmp(command, "export") && argc == 1) return print_all(file, "", print_line);
  if (!strcmp(command, "import") && argc == 1) return import(file);
  static const char *const known[] = {"list", "show", "drop", "export", "import"};
  if (!*command) return place_tool_misused(&tool, "a command is missing", NULL);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(command, known[i])) return place_tool_misused(&tool, "too few or too many words after", command);
  return place_tool_misused(&tool, *command == '-' ? "there is no option" : "there is no command", command);
}

int main(int argc, char **argv) {
  char path[4096];
  const char *file = NULL;
  int status;
  if (place_tool_answers(&tool, argc, argv, &status)) return status;
  argc--, argv++;
  if (argc >= 2 && !strcmp(argv[0], "--file")) {
    file = argv[1];
    argc -= 2, argv += 2;
  } else {
    file = store_file(secure_getenv("PLACE_STORE"), environment, path, sizeof path);
  }
  if (!file) {
    fputs("place-store: there is no store: PLACE_STORE is off, or neither XDG_CACHE_HOME nor HOME is set\n", stderr);
    return 1;
  }
  return place_tool_end(&tool, run(file, argc, argv));
}
