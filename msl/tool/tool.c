#define _GNU_SOURCE
#include "place/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int place_tool_end(const struct place_tool *tool, int status) {
  bool lost = ferror(stdout);
  errno = 0;
  if (fflush(stdout) == 0 && !lost)
    return status;
  fprintf(stderr, "%s: cannot write the output: %s\n", tool->name, errno ? strerror(errno) : "some of it is lost");
  return PLACE_TOOL_FAILED;
}

const char *place_tool_machine(const char *name, char *path, unsigned long size) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (access(name, F_OK) == 0 || strchr(name, '/') || length <= 0)
    return name;
  self[length] = 0;
  const char *ending = strstr(name, ".msl") ? "" : ".msl";
  *strrchr(self, '/') = 0;
  int needed = snprintf(path, size, "%s/../share/place/machines/%s%s", self, name, ending);
  return needed > 0 && (unsigned long)needed < size && access(path, F_OK) == 0 ? path : name;
}

bool place_tool_answers(const struct place_tool *tool, int argc, char **argv, int *status) {
  const char *word = argc > 1 ? argv[1] : "";
  if (!strcmp(word, "--help") || !strcmp(word, "-h"))
    fputs(tool->usage, stdout);
  else if (!strcmp(word, "--version"))
    printf("%s " PLACE_VERSION "\n", tool->name);
  else
    return false;
  *status = place_tool_end(tool, PLACE_TOOL_DONE);
  return true;
}

int place_tool_misused(const struct place_tool *tool, const char *what, const char *word) {
  fprintf(stderr, "%s: %s%s%s%s; %s --help says what it takes\n", tool->name, what, word ? " '" : "", word ? word : "",
          word ? "'" : "", tool->name);
  return PLACE_TOOL_MISUSED;
}
