/* The definitions that follow ours: libomptarget's, or those of another library that interposes too.
 *
 * Thread-safety: resolved on first use, idempotent, lock-free. Errors: NULL where nobody defines the function. */
#ifndef PLACE_RT_NEXT_H
#define PLACE_RT_NEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tgt_desc;
struct tgt_kernel_args;

/* next_<name>(): the next definition's address, typed. */
#define INTERPOSED(result, name, parameters) \
  typedef result(*type_##name) parameters;   \
  type_##name next_##name(void);
#include "interposed.def"
#undef INTERPOSED

/* Functions that are only called. */
int next_num_devices(void);   /* 0 where there is no offloading library */
int next_default_device(void);
void next_set_default_device(int device); /* of the calling thread */

/* Names and own addresses of all interposed functions, ended by a NULL name; for redirect.c. */
struct next_function {
  const char *name;
  void *ours;
};
extern const struct next_function next_functions[];

/* The address of `name` that the search order gives the program: ours, if we come first. */
void *next_global(const char *name);

/* The address of `name` in the offloading library, however it was loaded; never one of ours. */
void *next_resolve(const char *name, void *ours);

#endif
