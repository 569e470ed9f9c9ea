#define _GNU_SOURCE
#include "doctor.h"
#include "place/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct place_tool tool = {"place-doctor",
  "usage: place-doctor [--cuda-path=FOLDER] [PROGRAM...]\n"
  "       place-doctor --help | --version\n"
  "Checks what place needs on this machine, and what programs compiled with it contain: a line each, ok, warning or error, with\n"
  "the remedy. FOLDER: the CUDA toolkit to look at, rather than the first one that serves.\n"
  "Exit status: 0 all is well, 1 there are warnings or errors, 2 it was called wrongly.\n"};

extern char **environ;

void doctor_say(struct doctor *doctor, enum finding finding, const char *format, ...) {
  static const char *const words[] = {"ok", "warning", "error"};
  va_list list;
  printf("%-8s ", words[finding]);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  putchar('\n');
  if (finding > doctor->worst) doctor->worst = finding;
}

/* Reads all, so that the command does not wait; keeps what there is room for. */
static void read_all(int from, char *out, size_t size) {
  char rest[512];
  size_t length = 0;
  for (ssize_t n = 1; n > 0;) {
    bool room = length + 1 < size;
    n = read(from, room ? out + length : rest, room ? size - length - 1 : sizeof rest);
    if (n < 0 && errno == EINTR) n = 1;
    else if (n > 0 && room) length += (size_t)n;
  }
  out[length] = 0;
}

int doctor_run(const char *const *command, char *out, size_t size) {
  posix_spawn_file_actions_t files;
  int ends[2], status;
  pid_t child;
  *out = 0;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_adddup2(&files, ends[1], 2);
  int rc = posix_spawnp(&child, command[0], &files, NULL, (char *const *)command, environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  if (!rc) read_all(ends[0], out, size);
  close(ends[0]);
  if (rc || waitpid(child, &status, 0) < 0) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

static void find_prefix(struct doctor *doctor) {
  char self[sizeof doctor->prefix] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  snprintf(doctor->prefix, sizeof doctor->prefix, "%s", dirname(dirname(self)));
}

int main(int argc, char **argv) {
  static const char toolkit[] = "--cuda-path=";
  static struct doctor doctor;
  int status;
  if (place_tool_answers(&tool, argc, argv, &status)) return status;
  if (argc > 1 && !strncmp(argv[1], toolkit, sizeof toolkit - 1)) doctor.toolkit = argv[1] + sizeof toolkit - 1, argc--, argv++;
  if (argc > 1 && *argv[1] == '-') return place_tool_misused(&tool, "there is no option", argv[1]);
  find_prefix(&doctor);
  setenv("PLACE", "off", 1); /* what is loaded here does nothing */
  doctor_toolchain(&doctor);
  doctor_machine(&doctor);
  doctor_settings(&doctor);
  for (int i = 1; i < argc; i++) doctor_program(&doctor, argv[i]);
  return place_tool_end(&tool, doctor.worst ? PLACE_TOOL_FAILED : PLACE_TOOL_DONE);
}
