/* What a program built with the plugin carries: a function that runs before libomptarget hears of its device code (constructor
 * priority 100; images register at 101) and opens the runtime: by its name, where the dynamic loader looks (the folders of
 * LD_LIBRARY_PATH, the run path, the system's), else the one that lies beside the plugin that compiled the program. Opening a library
 * that is linked or preloaded gives the loaded one again. The one beside the plugin, which nobody named for this run, is not
 * opened if everybody may write or replace it. If nothing is opened the program runs as without place, and says why
 * (docs/loading.md).
 *
 * The build compiles this file to bitcode, which the plugin links into host code with target regions (Loader.cpp). It holds for
 * every 64-bit Linux with glibc 2.28: of structures only that of statx, which is alike on all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
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

/* The runtime beside the plugin, absolute; "" if there was none. The plugin defines it. */
extern const char place_runtime_beside_[] __attribute__((visibility("hidden")));

/* What is called of the C library, by pointers: calls by name would have entries in the table in front of the program's code (.plt), which would
 * move all of it, and how fast a loop is may depend on where it lies. Weak, so that no optimiser takes the pointers for what they begin as. */
__attribute__((weak, visibility("hidden"))) struct {
  __typeof__(&access) access;
  __typeof__(&dlerror) dlerror;
  __typeof__(&dlopen) dlopen;
  __typeof__(&dlsym) dlsym;
  __typeof__(&dprintf) dprintf;
  __typeof__(&getauxval) getauxval;
  __typeof__(&getenv) getenv;
  __typeof__(&geteuid) geteuid;
  __typeof__(&realpath) realpath;
  __typeof__(&snprintf) snprintf;
  __typeof__(&statx) statx;
  __typeof__(&strcmp) strcmp;
  __typeof__(&strcpy) strcpy;
  __typeof__(&strlen) strlen;
  __typeof__(&strncmp) strncmp;
} place_libc_ = {access, dlerror, dlopen, dlsym, dprintf, getauxval, getenv, geteuid, realpath, snprintf, statx, strcmp, strcpy, strlen, strncmp};

INLINE int is_ours(unsigned owner) { return owner == 0 || owner == place_libc_.geteuid(); }

/* Whether an entry of a folder stays what its owner made of it. `shared`: everybody may add entries to the folder, and remove
 * their own; set for the entries of this one. */
INLINE int entry_is_guarded(const char *path, int *shared) {
  struct statx entry;
  if (place_libc_.statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_UID, &entry)) return 0;
  if (*shared && !is_ours(entry.stx_uid)) return 0;
  *shared = !S_ISLNK(entry.stx_mode) && (entry.stx_mode & S_IWOTH);
  return !*shared || (S_ISDIR(entry.stx_mode) && (entry.stx_mode & S_ISVTX));
}

/* Whether that holds for all entries on the way to a file. */
INLINE int way_is_guarded(const char *path) {
  char way[PATH_MAX];
  int shared = 0;
  if (*path != '/' || place_libc_.strlen(path) >= sizeof way) return 0;
  place_libc_.strcpy(way, path);
  for (char *at = way + 1;; at++) {
    char kept = *at;
    if (kept && kept != '/') continue;
    *at = 0;
    if (!entry_is_guarded(way, &shared)) return 0;
    if (!(*at = kept)) return 1;
  }
}

INLINE int is_guarded(const char *path) {
  char real[PATH_MAX];
  const char *names[] = {path, place_libc_.realpath(path, real)};
  for (int i = 0; i < 2; i++)
    if (!names[i] || !way_is_guarded(names[i])) return 0;
  return 1;
}

INLINE void say(const char *refused, const char *why) {
  const char *off = place_libc_.getenv("PLACE");
  if ((off && (!place_libc_.strcmp(off, "off") || !place_libc_.strcmp(off, "0"))) || place_load_failed_++) return;
  if (refused)
    place_libc_.dprintf(2, "place: %s is not loaded, since others may write to it or to a folder above it; the program runs as without place. "
               "Take away their right (chmod o-w); PLACE=off silences this.\n", refused);
  else
    place_libc_.dprintf(2, "place: %s; the program runs as without place. Install what is missing, or name its folder in LD_LIBRARY_PATH or in "
               "the run path (-Wl,-rpath,<prefix>/lib); PLACE=off silences this.\n", why);
}

/* Opens what may be opened; if nothing, says why: of a library that is there and cannot be used rather than of one that is nowhere. */
INLINE void *open_runtime(void) {
  const char *names[] = {PLACE_RUNTIME_SONAME, PLACE_RUNTIME_LIBRARY, place_runtime_beside_}, *refused = NULL;
  char why[512];
  *why = 0;
  for (int i = 0; i < 3; i++) {
    int beside = i == 2;
    if (beside && place_libc_.access(names[i], F_OK)) continue;
    if (beside && !is_guarded(names[i])) {
      refused = names[i];
      continue;
    }
    void *runtime = place_libc_.dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    if (runtime) return runtime;
    const char *words = place_libc_.dlerror();
    if (words && (!*why || place_libc_.strncmp(words, PLACE_RUNTIME_LIBRARY, sizeof PLACE_RUNTIME_LIBRARY - 1))) place_libc_.snprintf(why, sizeof why, "%s", words);
  }
  say(refused, why);
  return NULL;
}

__attribute__((weak, visibility("hidden"))) void place_load_runtime_(void) {
  if (place_libc_.getauxval(AT_SECURE)) return; /* a program with rights that its user has not: nothing is opened */
  void *runtime = open_runtime(), (*attach)(void);
  if (!runtime) return;
  /* Lets a runtime that is there already see the object that opens it again: a shared library opened late. */
  *(void **)&attach = place_libc_.dlsym(runtime, "place_runtime_attach");
  if (attach) attach();
}
