// Runs the program once for each line of a file, each time in a process of its own that begins where all libraries are loaded: loading LLVM,
// which libomptarget is linked with, takes longer than most programs of a test.
#define _GNU_SOURCE
#include "finding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// `line`: where the output goes, then settings, between tabs. What does not work out ends this run alone.
static void take_settings(char *line) {
  char *rest, *log = strtok_r(line, "\t", &rest);
  int file = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
    simt_fatal("SIMT_EACH: '%s' cannot be written: %s", log ? log : "", strerror(errno));
  for (char *setting; (setting = strtok_r(NULL, "\t", &rest));)
    if (!strchr(setting, '=') || putenv(strdup(setting)))
      simt_fatal("SIMT_EACH: '%s' is no setting NAME=VALUE", setting);
  const char *seconds = getenv("SIMT_SECONDS");
  if (seconds)
    alarm((unsigned)strtoul(seconds, NULL, 10));
}

// Exit status, or 128 and the signal that ended it.
static int status_of(pid_t run) {
  int status;
  while (waitpid(run, &status, 0) < 0)
    if (errno != EINTR)
      simt_fatal("SIMT_EACH: a run was lost: %s", strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The file's text, at once: a process that ends puts the place in a file back that it shares with this one.
static char *text_of(const char *name) {
  FILE *file = fopen(name, "re");
  char *text = NULL;
  size_t bytes = 0;
  if (!file || (getdelim(&text, &bytes, '\0', file) < 0 && !feof(file)))
    simt_fatal("SIMT_EACH: '%s' cannot be read: %s", name, strerror(errno));
  fclose(file);
  return text ? text : strdup("");
}

// Returns in the processes that are to run the program, once in each.
__attribute__((constructor)) static void run_each(void) {
  const char *name = getenv("SIMT_EACH");
  if (!name)
    return;
  char *rest, *line = strtok_r(text_of(name), "\n", &rest);
  unsetenv("SIMT_EACH");
  int failed = 0;
  for (; line; line = strtok_r(NULL, "\n", &rest)) {
    pid_t run = fork();
    if (run < 0)
      simt_fatal("SIMT_EACH: no process can be made: %s", strerror(errno));
    if (run == 0) {
      take_settings(line);
      return;
    }
    int status = status_of(run);
    failed |= status != 0;
    printf("%d %.*s\n", status, (int)strcspn(line, "\t"), line);
    fflush(stdout);
    if (status > 128) // a program that hangs or crashes may do so every time, which takes long
      break;
  }
  _exit(failed);
}
