#include "offload_library.h"

#include <string.h>

bool offload_library_is(const char *path) {
  const char *base = strrchr(path, '/');
  base = base ? base + 1 : path;
  return !strncmp(base, "libomptarget", 12) || !strncmp(base, "libomp.", 7) || !strncmp(base, "libomp-", 7) ||
         !strncmp(base, "libiomp5", 8) || !strncmp(base, "libarcher", 9);
}
