/* What the runtime needs from an offloading library, as a table of functions, so that everything but interpose.c can be
 * tested without one.
 *
 * Thread-safety: the functions may be called by any thread. Errors: NULL or non-zero, nothing is printed. */
#ifndef PLACE_RT_DEVICE_H
#define PLACE_RT_DEVICE_H

#include <stddef.h>
#include <stdint.h>

struct rt_ops {
  void *(*mapped)(const void *host, int device); /* device address of mapped host memory, or NULL */
  int (*to_device)(void *device_ptr, const void *host, size_t bytes, int device);
  int (*from_device)(void *host, const void *device_ptr, size_t bytes, int device);
  uint64_t (*now_ns)(void); /* monotonic wall clock */
};

#endif
