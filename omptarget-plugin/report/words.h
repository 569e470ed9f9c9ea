/* Figures and names as people read them.
 *
 * Owner: the caller's buffers; each function returns its buffer. Thread-safety: pure functions, but for the first call of words_name,
 * which looks for a demangler. Errors: none, what does not fit is cut. */
#ifndef PLACE_RT_WORDS_H
#define PLACE_RT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "place/region.h"

enum { WORDS_FIGURE = 32 };

/* "656 us", "3.68 ms", "1.24 s": three digits and a unit; "-" where it is 0 or less: not known. */
char *words_time(double ns, char out[WORDS_FIGURE]);

/* "5.61x faster", "1.02x slower", "no difference". */
char *words_ratio(double before_ns, double after_ns, char out[WORDS_FIGURE]);

/* "1000 iterations", "1 iteration", "unknown size" of 0. */
char *words_trips(uint64_t count, char out[WORDS_FIGURE]);

/* "18%", "0.3%", "less than 0.1%". share: from 0 to 1. */
char *words_share(double share, char out[WORDS_FIGURE]);

/* A function's name in the source, without its parameters and what it returns: C++ names are demangled where the program has a
 * demangler (libstdc++ or libc++abi). */
char *words_name(const char *symbol, char *out, size_t size);

/* The same with parameters: what tells overloads apart. */
char *words_full_name(const char *symbol, char *out, size_t size);

/* Text without names of kernels ("__omp_offloading_..."): each becomes the function's, and its line. */
char *words_plain(const char *text, char *out, size_t size);

/* The text on one line: control characters become '?'. */
char *words_clean(const char *text, char *out, size_t size);

/* "multiply (mm.c:9)", "multiply (line 9)"; and whether the region table knows the source file. */
char *words_region(const struct place_region *region, char *out, size_t size);
bool words_has_file(const struct place_region *region);

/* The last part of a path; "?" where there is none. */
const char *words_file(const char *path);

#endif
