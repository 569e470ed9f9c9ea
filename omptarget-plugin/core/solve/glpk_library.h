/* GLPK's library, opened when a problem needs it: most need none of it, no program of the project links it, and all run without.
 * Of its header only the declarations are used, where it is installed at build time.
 *
 * Thread-safety: any thread. Errors: NULL where the library, or at build time its header, is missing. */
#ifndef PLACE_CORE_GLPK_LIBRARY_H
#define PLACE_CORE_GLPK_LIBRARY_H

#ifdef PLACE_HAS_GLPK
#include <glpk.h>

struct glpk {
#define PLACE_GLPK(name) __typeof__(glp_##name) *name;
#include "glpk.def"
#undef PLACE_GLPK
};
#else
struct glpk;
#endif

const struct glpk *glpk(void);

#endif
