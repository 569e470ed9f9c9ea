/* program LIBRARY [run|linger|launch|report]: initialises the injected library as the driver does, then ends with status 7, runs for
 * ever, or hangs when it ends; launch: launches kernels and runs for ever; report: runs for ever, and says so if it is aborted. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hang(void) {
  for (;;) pause();
}

static void report(int number) {
  (void)!write(STDOUT_FILENO, "aborted\n", 8);
  raise(number);
}

int main(int argc, char **argv) {
  const char *how = argc > 2 ? argv[2] : "";
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  int (*initialize)(void);
  if (!library) return 1;
  if (!strcmp(how, "linger")) atexit(hang); /* runs after the library's own handler */
  *(void **)&initialize = dlsym(library, "InitializeInjection");
  if (!initialize || initialize() != 1) return 1;
  if (!strcmp(how, "report")) signal(SIGABRT, report);
  if (!strcmp(how, "launch")) {
    void (*launches)(void);
    *(void **)&launches = dlsym(library, "fake_launches");
    if (!launches) return 1;
    launches();
  }
  if (*how && strcmp(how, "linger")) hang();
  return 7;
}
