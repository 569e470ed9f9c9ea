/* place-msl: check, print, compare and draw machine files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit.h"
#include "place/machine.h"
#include "place/tool.h"

enum { DONE = PLACE_TOOL_DONE, REFUSED = PLACE_TOOL_FAILED, MISUSED = PLACE_TOOL_MISUSED };

static const struct place_tool tool = {"place-msl",
                                       "usage: place-msl check FILE...       errors of each file; status 1 if there are any\n"
                                       "       place-msl print FILE          the machine in canonical form\n"
                                       "       place-msl diff FILE FILE      two machines field by field; status 1 if they differ\n"
                                       "       place-msl draw [--svg] FILE   the memory hierarchy as text or as a picture\n"
                                       "       place-msl edit [FILE]         the page to enter, see and change a machine in; prints where it is\n"
                                       "       place-msl --help | --version\n"
                                       "FILE: a machine file (MSL), or the name of one that is installed, such as h200. Status 2: the arguments are wrong.\n"};

static struct place_machine *load(const char *path) {
  struct msl_diagnostics diagnostics;
  char installed[4096];
  struct place_machine *machine = msl_read_file(place_tool_machine(path, installed, sizeof installed), &diagnostics);
  if (machine)
    return machine;
  char *text = msl_diagnostics_text(&diagnostics);
  fputs(text ? text : "place-msl: out of memory\n", stderr);
  free(text);
  return NULL;
}

static int put(char *text, int status) {
  if (!text)
    fputs("place-msl: out of memory\n", stderr);
  else
    fputs(text, stdout); /* place_tool_end says if it cannot be written */
  int result = text ? status : REFUSED;
  free(text);
  return result;
}

static int check(char **paths) {
  int status = DONE;
  for (; *paths; paths++) {
    struct place_machine *machine = load(*paths);
    if (machine)
      printf("%s: %s, %u memories\n", *paths, *machine->name ? machine->name : "machine", machine->memory_count);
    else
      status = REFUSED;
    msl_free(machine);
  }
  return status;
}

static int show(const char *path, char *(*text_of)(const struct place_machine *)) {
  struct place_machine *machine = load(path);
  int status = machine ? put(text_of(machine), DONE) : REFUSED;
  msl_free(machine);
  return status;
}

static int diff(const char *left, const char *right) {
  struct place_machine *a = load(left), *b = load(right);
  int status = MISUSED;
  if (a && b) {
    unsigned differences = 0;
    char *text = msl_diff(a, b, &differences);
    status = put(text, differences ? REFUSED : DONE);
  }
  msl_free(a);
  msl_free(b);
  return status;
}

static int refuse(const char *command) {
  static const char *const known[] = {"check", "print", "diff", "draw", "edit"};
  if (!*command)
    return place_tool_misused(&tool, "a command is missing", NULL);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(command, known[i]))
      return place_tool_misused(&tool, "wrong number of files, or an unknown option, after", command);
  return place_tool_misused(&tool, "there is no command", command);
}

static int run(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  if (!strcmp(command, "check") && argc > 2)
    return check(argv + 2);
  if (!strcmp(command, "print") && argc == 3)
    return show(argv[2], msl_print);
  if (!strcmp(command, "diff") && argc == 4)
    return diff(argv[2], argv[3]);
  if (!strcmp(command, "draw") && argc == 3 && strcmp(argv[2], "--svg") != 0)
    return show(argv[2], msl_draw_text);
  if (!strcmp(command, "draw") && argc == 4 && !strcmp(argv[2], "--svg"))
    return show(argv[3], msl_draw_svg);
  if (!strcmp(command, "edit") && argc <= 3)
    return msl_edit(argv[2]);
  return refuse(command);
}

int main(int argc, char **argv) {
  int status;
  if (place_tool_answers(&tool, argc, argv, &status))
    return status;
  return place_tool_end(&tool, run(argc, argv));
}
