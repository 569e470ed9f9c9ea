#include "sqlite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct sqlite functions;
static bool loaded;
static char failure[200]; /* the dynamic loader's words */

/* Object and function pointers have the same form wherever there is dlsym; ISO C has no cast between them. */
static bool resolve(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static void load(void) {
  void *library = dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(failure, sizeof failure, "%s", why ? why : "libsqlite3.so.0 cannot be opened");
    return;
  }
  loaded = true;
#define PLACE_SQLITE(name) loaded &= resolve(library, "sqlite3_" #name, &functions.name);
#include "sqlite.def"
#undef PLACE_SQLITE
}

const char *sqlite_failure(void) { return *failure ? failure : "libsqlite3.so.0 lacks a function"; }

const struct sqlite *sqlite(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return loaded ? &functions : NULL;
}
