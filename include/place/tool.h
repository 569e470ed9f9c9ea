/* What all commands of place answer alike.
 *
 *   --help, -h   the usage on stdout, status 0        --version   "NAME VERSION" on stdout, status 0
 *   misuse       one line on stderr that says what is wrong and where help is, status 2
 *   output       that cannot be written: one line on stderr, status 1
 *
 * Nothing here is kept: any thread may call it. The functions are in msl/tool.c. */
#ifndef PLACE_TOOL_H
#define PLACE_TOOL_H

#include <stdbool.h>

enum place_tool_status {
  PLACE_TOOL_DONE = 0,
  PLACE_TOOL_FAILED = 1, /* or, of commands that compare, that there is a difference */
  PLACE_TOOL_MISUSED = 2
};

struct place_tool { /* static text of the command's own */
  const char *name, *usage;
};

/* Whether the first argument asks for help or the version; both are then answered, and *status is main's. */
bool place_tool_answers(const struct place_tool *tool, int argc, char **argv, int *status);

/* Says what is wrong with the arguments: `what`, and the word that it is about unless that is NULL. Returns PLACE_TOOL_MISUSED. */
int place_tool_misused(const struct place_tool *tool, const char *what, const char *word);

/* The path of a machine file that is named on the command line: the name itself, or, if it is that of no file and has no folder, the
 * one that was installed with the command (h200 or h200.msl: ../share/place/machines/h200.msl). path: the caller's space. */
const char *place_tool_machine(const char *name, char *path, unsigned long size);

/* The last thing that main does: writes what stdout still holds. Returns status, or PLACE_TOOL_FAILED if it cannot be written. */
int place_tool_end(const struct place_tool *tool, int status);

#endif
