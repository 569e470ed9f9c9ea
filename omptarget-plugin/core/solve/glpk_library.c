#include "glpk_library.h"

#include <stddef.h>

#ifdef PLACE_HAS_GLPK
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct glpk functions;
static bool loaded;

/* Object and function pointers have the same form wherever there is dlsym; ISO C has no cast between them. */
static bool resolve(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static void load(void) {
  void *library = dlopen("libglpk.so.40", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  loaded = true;
#define PLACE_GLPK(name) loaded &= resolve(library, "glp_" #name, &functions.name);
#include "glpk.def"
#undef PLACE_GLPK
}

const struct glpk *glpk(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return loaded ? &functions : NULL;
}
#else
const struct glpk *glpk(void) { return NULL; }
#endif
