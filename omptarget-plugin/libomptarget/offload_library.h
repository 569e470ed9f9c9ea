/* LLVM's own runtime libraries, by their names.
 *
 * Thread-safety: pure. */
#ifndef PLACE_RT_OFFLOAD_LIBRARY_H
#define PLACE_RT_OFFLOAD_LIBRARY_H

#include <stdbool.h>

/* Whether a path names one of LLVM's own runtime libraries (libomptarget, libomp, libarcher, ...), which must keep
 * calling each other. */
bool offload_library_is(const char *path);

#endif
