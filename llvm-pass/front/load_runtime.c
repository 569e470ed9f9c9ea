/* What a program built with the plugin carries: a function that runs before libomptarget hears of its device code (constructor
 * priority 100; images register at 101) and opens the runtime by its SONAME, where the dynamic loader would look for it: the
 * folders of LD_LIBRARY_PATH, the run path, the system's. Opening a library that is linked or preloaded gives the loaded one
 * again. A library that everybody may write or replace is not opened. If nothing is opened the program runs as without place,
 * and says why (docs/loading.md).
 *
 * The build compiles this file to bitcode, which the plugin links into host code with target regions (Loader.cpp). It holds for
 * every 64-bit Linux with glibc 2.28: of structures only those of the dynamic loader and of statx, which are alike on all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place/abi.h"

#define INLINE static inline __attribute__((always_inline)) /* one function: the linker keeps one copy of a program's many */

/* Of all objects in a process, one says that the runtime cannot be loaded. */
__attribute__((weak, visibility("default"))) int place_load_failed_;

INLINE int is_ours(unsigned owner) { return owner == 0 || owner == geteuid(); }

/* Whether an entry of a folder stays what its owner made of it. `shared`: everybody may add entries to the folder, and remove
 * their own; set for the entries of this one. */
INLINE int entry_is_guarded(const char *path, int *shared) {
  struct statx entry;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_UID, &entry)) return 0;
  if (*shared && !is_ours(entry.stx_uid)) return 0;
  *shared = !S_ISLNK(entry.stx_mode) && (entry.stx_mode & S_IWOTH);
  return !*shared || (S_ISDIR(entry.stx_mode) && (entry.stx_mode & S_ISVTX));
}

/* Whether that holds for all entries on the way to a file. */
INLINE int way_is_guarded(const char *path) {
  char way[PATH_MAX];
  int shared = 0;
  if (*path != '/' || strlen(path) >= sizeof way) return 0;
  strcpy(way, path);
  for (char *at = way + 1;; at++) {
    char kept = *at;
    if (kept && kept != '/') continue;
    *at = 0;
    if (!entry_is_guarded(way, &shared)) return 0;
    if (!(*at = kept)) return 1;
  }
}

INLINE int is_guarded(const char *path, char real[PATH_MAX]) {
  const char *names[] = {path, realpath(path, real)};
  for (int i = 0; i < 2; i++)
    if (!names[i] || !way_is_guarded(names[i])) return 0;
  return 1;
}

/* The folders that the dynamic loader searches for this object, or NULL. To be freed. */
INLINE Dl_serinfo *folders_of(const void *code) {
  Dl_info info;
  Dl_serinfo size, *folders = NULL;
  struct link_map *map = NULL;
  if (!dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return NULL;
  void *self = dlopen(*map->l_name ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
  if (!self) return NULL;
  if (!dlinfo(self, RTLD_DI_SERINFOSIZE, &size) && (folders = malloc(size.dls_size))) {
    *folders = size;
    if (dlinfo(self, RTLD_DI_SERINFO, folders)) free(folders), folders = NULL;
  }
  dlclose(self);
  return folders;
}

/* The first runtime in these folders that may be opened; refused: one before it that may not. Both stay empty if there is none. */
INLINE void find(const Dl_serinfo *folders, char found[PATH_MAX], char refused[PATH_MAX]) {
  char path[PATH_MAX], real[PATH_MAX];
  for (unsigned i = 0; i < folders->dls_cnt && !*found; i++) {
    int length = snprintf(path, sizeof path, "%s/" PLACE_RUNTIME_SONAME, folders->dls_serpath[i].dls_name);
    if (length < 0 || length >= PATH_MAX || access(path, F_OK)) continue;
    strcpy(is_guarded(path, real) ? found : refused, path);
  }
}

INLINE void say(const char *refused) {
  const char *off = getenv("PLACE"), *why = dlerror();
  if ((off && (!strcmp(off, "off") || !strcmp(off, "0"))) || place_load_failed_++) return;
  if (*refused)
    dprintf(2, "place: %s is not loaded, since others may write to it or to a folder above it; the program runs as without place. "
               "Take away their right (chmod o-w); PLACE=off silences this.\n", refused);
  else
    dprintf(2, "place: %s; the program runs as without place. Install what is missing, or name its folder in LD_LIBRARY_PATH or in "
               "the run path (-Wl,-rpath,<prefix>/lib); PLACE=off silences this.\n", why ? why : PLACE_RUNTIME_SONAME " is not found");
}

/* Ways of opening it: the one that is loaded; the one that was found; by its name, which asks the system's cache, too. */
INLINE void *open_runtime(const void *code, char refused[PATH_MAX]) {
  char found[PATH_MAX] = "";
  void *runtime = dlopen(PLACE_RUNTIME_SONAME, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  if (runtime) return runtime;
  Dl_serinfo *folders = folders_of(code);
  if (folders) find(folders, found, refused);
  free(folders);
  if (*found) return dlopen(found, RTLD_NOW | RTLD_GLOBAL);
  return *refused ? NULL : dlopen(PLACE_RUNTIME_SONAME, RTLD_NOW | RTLD_GLOBAL);
}

__attribute__((weak, visibility("hidden"))) void place_load_runtime_(void) {
  char refused[PATH_MAX] = "";
  if (getauxval(AT_SECURE)) return; /* a program with rights that its user has not: nothing is opened */
  void *runtime = open_runtime((const void *)place_load_runtime_, refused), (*attach)(void);
  if (!runtime) {
    say(refused);
    return;
  }
  /* Lets a runtime that is there already see the object that opens it again: a shared library opened late. */
  *(void **)&attach = dlsym(runtime, "place_runtime_attach");
  if (attach) attach();
}
