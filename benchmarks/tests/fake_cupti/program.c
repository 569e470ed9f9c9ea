/* program LIBRARY [run|linger]: initialises the injected library as the driver does, then ends with status 7, runs for ever, or
 * hangs when it ends. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hang(void) {
  for (;;) pause();
}

int main(int argc, char **argv) {
  const char *how = argc > 2 ? argv[2] : "";
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  int (*initialize)(void);
  if (!library) return 1;
  if (!strcmp(how, "linger")) atexit(hang); /* runs after the library's own handler */
  *(void **)&initialize = dlsym(library, "InitializeInjection");
  if (!initialize || initialize() != 1) return 1;
  if (!strcmp(how, "run")) hang();
  return 7;
}
