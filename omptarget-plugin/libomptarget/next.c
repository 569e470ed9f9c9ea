#define _GNU_SOURCE
#include "next.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "offload_library.h"

/* Ours, defined in interpose*.c. Declared here without prototypes of their own: only the addresses matter. */
#define INTERPOSED(result, name, parameters) extern result name parameters;
#include "interposed.def"
#undef INTERPOSED

const struct next_function next_functions[] = {
#define INTERPOSED(result, name, parameters) {#name, (void *)name},
#include "interposed.def"
#undef INTERPOSED
  {NULL, NULL}};

static int find_library(struct dl_phdr_info *info, size_t size, void *out) {
  (void)size;
  if (!info->dlpi_name || !offload_library_is(info->dlpi_name)) return 0;
  const char *base = strrchr(info->dlpi_name, '/');
  if (!strstr(base ? base : info->dlpi_name, "omptarget")) return 0;
  *(const char **)out = info->dlpi_name;
  return 1;
}

/* A library that a plug-in loaded privately is in nobody's search order: ask it by its path. */
static void *resolve_private(const char *name) {
  const char *path = NULL;
  dl_iterate_phdr(find_library, (void *)&path);
  void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  return library ? dlsym(library, name) : NULL;
}

/* What the program itself would call. Not RTLD_DEFAULT: this library is linked -Bsymbolic and would find itself first. */
void *next_global(const char *name) {
  static _Atomic(void *) program;
  void *handle = atomic_load(&program);
  if (!handle) atomic_store(&program, handle = dlopen(NULL, RTLD_LAZY));
  return handle ? dlsym(handle, name) : NULL;
}

void *next_resolve(const char *name, void *ours) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found || found == ours) found = next_global(name);
  if (!found || found == ours) found = resolve_private(name);
  return found == ours ? NULL : found;
}

#define INTERPOSED(result, name, parameters)                                       \
  type_##name next_##name(void) {                                                  \
    static _Atomic(void *) cached;                                                 \
    void *found = atomic_load_explicit(&cached, memory_order_relaxed);             \
    if (!found) {                                                                  \
      found = next_resolve(#name, (void *)name);                                   \
      atomic_store_explicit(&cached, found, memory_order_relaxed);                 \
    }                                                                              \
    return (type_##name)found;                                                     \
  }
#include "interposed.def"
#undef INTERPOSED

static int call_int(_Atomic(void *) *cached, const char *name, int otherwise) {
  void *found = atomic_load_explicit(cached, memory_order_relaxed);
  if (!found) {
    found = next_resolve(name, NULL);
    atomic_store_explicit(cached, found, memory_order_relaxed);
  }
  return found ? ((int (*)(void))found)() : otherwise;
}

int next_num_devices(void) {
  static _Atomic(void *) cached;
  return call_int(&cached, "omp_get_num_devices", 0);
}

int next_default_device(void) {
  static _Atomic(void *) cached;
  return call_int(&cached, "omp_get_default_device", 0);
}

void next_set_default_device(int device) {
  static _Atomic(void *) cached;
  void *found = atomic_load_explicit(&cached, memory_order_relaxed);
  if (!found) atomic_store_explicit(&cached, found = next_resolve("omp_set_default_device", NULL), memory_order_relaxed);
  if (found) ((void (*)(int))found)(device);
}
