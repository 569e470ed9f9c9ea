/* place-counts: predicted transactions against those that the CPU runner counted.
 *
 *   place-counts MACHINE.msl CASE COUNTS [REGULAR% IRREGULAR%]
 *
 * CASE: a launch (include/place/case.h). COUNTS: what simt wrote (SIMT_COUNT_FILE) for launches of the same region and size.
 * For each array, space and direction of each version's first launch: warp accesses and transactions, predicted and counted, by
 * the memory's own serial condition. A version made for its spaces may read JOINED_BYTES of a copy with one load; predicted
 * accesses are then divided by the elements that it brings. Status 1 if a prediction of a regular array is off by more than
 * REGULAR% (default 10), or of an irregular one by IRREGULAR% (default 25), or nothing could be compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/case.h"
#include "place/tool.h"

#include "session.h"

static const struct place_tool tool = {
  "place-counts", "usage: place-counts MACHINE.msl CASE COUNTS [REGULAR% IRREGULAR%]\n"
                  "       place-counts --help | --version\n"
                  "predicted transactions against those that the CPU runner simt counted\n"
                  "  CASE                    a launch as PLACE_CASE=DIR writes it\n"
                  "  COUNTS                  what simt wrote to SIMT_COUNT_FILE for the same region and size\n"
                  "  REGULAR%, IRREGULAR%    how far a prediction may be off (default: 10 and 25)\n"
                  "Status 1: one is off by more, or nothing can be compared; 2: the arguments are wrong.\n"};

enum { MAX_BYTES = 1 << 24, FIELD_BYTES = 512, JOINED_BYTES = 16 };

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "place-counts: %s%s\n", what, detail);
  return -1;
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(MAX_BYTES) : NULL;
  size_t n = text ? fread(text, 1, MAX_BYTES - 1, file) : 0;
  if (file) fclose(file);
  if (text) text[n] = 0;
  return text ? text : (fail("cannot read ", path), NULL);
}

/* ---- simt's records ---- */

struct record {
  char kernel[FIELD_BYTES], version[FIELD_BYTES], array[FIELD_BYTES], access[16];
  enum place_space space;
  unsigned long launch;
  double accesses, transactions;
};

/* The value of key=value in a line, cut at a blank. False: there is none. */
static bool field(const char *line, const char *key, char *out, size_t size) {
  size_t n = strlen(key);
  for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' ')) {
    if (strncmp(at + 1, key, n) || at[1 + n] != '=') continue;
    const char *value = at + 2 + n;
    size_t length = strcspn(value, " \n");
    snprintf(out, size, "%.*s", (int)length, value);
    return true;
  }
  return false;
}

static bool number(const char *line, const char *key, double *value) {
  char text[64];
  return field(line, key, text, sizeof text) && (*value = atof(text), true);
}

static bool parse_record(const char *line, struct record *r) {
  char space[32];
  double launch;
  if (strncmp(line, "simt-count: array ", 18)) return false;
  if (!field(line, "kernel", r->kernel, sizeof r->kernel) || !field(line, "version", r->version, sizeof r->version) ||
      !field(line, "array", r->array, sizeof r->array) || !field(line, "access", r->access, sizeof r->access) ||
      !field(line, "space", space, sizeof space) || !number(line, "launch", &launch) ||
      !number(line, "warp-accesses", &r->accesses) || !number(line, "transactions", &r->transactions))
    return false;
  r->launch = (unsigned long)launch;
  return place_space_parse(space, strlen(space), &r->space) == 0;
}

/* The version whose kernel was counted: its entry name is the original's, '_place_' and what the record says. NULL: none. */
static const struct place_version *version_of(const struct place_region *region, const struct record *r) {
  char entry[3 * FIELD_BYTES];
  snprintf(entry, sizeof entry, "%s_place_%s", r->kernel, r->version);
  for (size_t v = 0; v < region->version_count; v++)
    if (!strcmp(region->versions[v].entry, entry)) return &region->versions[v];
  return NULL;
}

/* Whether the record is of the array's own accesses, and not of the copies that a version makes of it. */
static bool is_own(const struct place_region *region, const struct record *r, size_t array) {
  int p = region->arrays[array].placeable;
  bool any = false;
  for (size_t i = 0; i < region->access_count; i++)
    any |= (size_t)region->accesses[i].array == array && (region->accesses[i].kind == PLACE_READ) == !strcmp(r->access, "load");
  if (!any) return false;
  const struct place_version *version = version_of(region, r);
  if (!version) return !strcmp(r->version, "original");
  if (version->role == PLACE_ROLE_PROFILE) return false;
  if (place_version_is_open(region, version)) return r->space != PLACE_GLOBAL;
  return p < 0 || version->space[array] == (int8_t)r->space;
}

/* ---- predictions ---- */

struct prediction {
  double accesses, transactions;
};

static struct prediction predict(const struct session *s, const struct record *r, size_t array) {
  struct prediction sum = {0, 0};
  const struct place_version *version = version_of(s->in.region, r);
  bool special = version && version->role == PLACE_ROLE_PLAN && !place_version_is_open(s->in.region, version);
  unsigned level = traits_count_level(s->in.machine, r->space);
  for (size_t i = 0; i < s->in.region->access_count; i++) {
    const struct place_access *access = &s->in.region->accesses[i];
    const struct access_traits *t = &s->traits.access[i];
    bool store = access->kind != PLACE_READ;
    if ((size_t)access->array != array || store != (strcmp(r->access, "load") != 0)) continue;
    bool joined = special && t->sequential && place_space_is_copy(r->space) &&
                  access->width_bytes < JOINED_BYTES;
    double n = t->executions / (joined ? (double)JOINED_BYTES / access->width_bytes : 1);
    sum.accesses += n;
    sum.transactions += n * t->transactions[r->space][level];
  }
  return sum;
}

static double off(double predicted, double exact) {
  return exact > 0 ? 100 * (predicted / exact - 1) : predicted > 0 ? INFINITY : 0;
}

/* Prints a comparison; whether it is within its bound. */
static bool compare(const struct session *s, const struct record *r, size_t array, const double *bounds) {
  struct prediction p = predict(s, r, array);
  bool irregular = s->traits.array[array].irregular;
  for (size_t i = 0; i < s->in.region->access_count; i++) { /* or how often they are made depends on data */
    const struct place_access *access = &s->in.region->accesses[i];
    irregular |= (size_t)access->array == array && access->loop >= 0 && !s->walk.access[i].counted;
  }
  double wrong = off(p.transactions, r->transactions), bound = bounds[irregular];
  printf("%-10s %-12s %-9s %-6s %-9s", r->version, r->array, place_space_name(r->space), r->access,
         irregular ? "irregular" : "regular");
  printf(" accesses %12.0f of %12.0f (%+6.1f%%)", p.accesses, r->accesses, off(p.accesses, r->accesses));
  printf(" transactions %12.0f of %12.0f (%+6.1f%%)%s\n", p.transactions, r->transactions, wrong,
         fabs(wrong) > bound ? "  BEYOND" : "");
  return fabs(wrong) <= bound;
}

/* ---- all ---- */

static bool is_first_launch(const char *counts, const char *line, const struct record *r) {
  struct record before;
  for (const char *at = counts; at < line; at = strchr(at, '\n') + 1)
    if (parse_record(at, &before) && !strcmp(before.kernel, r->kernel) && !strcmp(before.version, r->version) &&
        before.launch < r->launch) return false;
  return true;
}

static int compare_all(const struct session *s, const char *counts, const double *bounds) {
  const struct place_region *region = s->in.region;
  unsigned compared = 0, beyond = 0;
  for (const char *line = counts; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    struct record r;
    if (!parse_record(line, &r) || strcmp(r.kernel, region->entry) || !is_first_launch(counts, line, &r)) continue;
    for (size_t a = 0; a < region->array_count; a++) {
      if (strcmp(region->arrays[a].name, r.array) || !is_own(region, &r, a)) continue;
      compared++;
      beyond += !compare(s, &r, a, bounds);
    }
  }
  printf("%u compared, %u beyond %g%% (regular) or %g%% (irregular)\n", compared, beyond, bounds[0], bounds[1]);
  return compared && !beyond ? 0 : 1;
}

int main(int argc, char **argv) {
  static struct msl_diagnostics why;
  struct place_diag diag = {""};
  struct place_case c = {.region = NULL};
  int status;
  if (place_tool_answers(&tool, argc, argv, &status)) return status;
  if (argc > 1 && !strncmp(argv[1], "--", 2)) return place_tool_misused(&tool, "there is no option", argv[1]);
  double bounds[2] = {argc == 6 ? atof(argv[4]) : 10, argc == 6 ? atof(argv[5]) : 25};
  if (argc != 4 && argc != 6) return place_tool_misused(&tool, "it takes three files, and two percentages or none", NULL);
  char installed[4096];
  struct place_machine *machine = msl_read_file(place_tool_machine(argv[1], installed, sizeof installed), &why);
  char *text = read_file(argv[2]), *counts = read_file(argv[3]);
  int rc = machine && text && counts ? 0 : fail("cannot read the machine, the case or the counts", "");
  if (rc == 0 && place_case_read(text, strlen(text), &c, &diag)) rc = fail(diag.text, "");
  const struct place_question question = place_case_question(&c, machine, PLACE_MODEL_PLACE);
  struct session *s = rc ? NULL : session_open(&question, &diag);
  if (rc == 0 && !s) rc = fail(diag.text, "");
  if (s) rc = compare_all(s, counts, bounds), session_close(s);
  if (c.region) place_case_free(&c);
  free(text);
  free(counts);
  msl_free(machine);
  return place_tool_end(&tool, rc ? PLACE_TOOL_FAILED : PLACE_TOOL_DONE);
}
