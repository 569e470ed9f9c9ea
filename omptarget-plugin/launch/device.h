/* What the runtime needs from an offloading library, as a table of functions, so that everything but interpose.c can be
 * tested without one.
 *
 * Thread-safety: the functions may be called by any thread. Errors: NULL or non-zero, nothing is printed. */
#ifndef PLACE_RT_DEVICE_H
#define PLACE_RT_DEVICE_H

#include <stddef.h>
#include <stdint.h>

struct rt_texture_limits {
  uint32_t alignment; /* bytes that a texture's begin is a multiple of */
  uint64_t texels;    /* of a texture of one dimension, at most */
  uint32_t row_alignment; /* bytes that a row is a multiple of in two dimensions; 0: there are no such textures */
  uint64_t row_texels, row_bytes, rows; /* at most */
};

/* What a texture shows: `bytes` of memory, in rows of row_bytes each, of which it is a multiple; row_bytes 0: in one dimension. */
struct rt_texture_shape {
  uint64_t bytes, row_bytes;
  unsigned texel_bytes; /* 4, 8 or 16 */
};

struct rt_texture {
  uint64_t handle; /* what device code fetches by */
  void *context;   /* the driver's, that it belongs to */
};

/* Textures of linear memory: one, two or four unsigned 32-bit integers a texel, returned as they are stored. */
struct rt_textures {
  int (*limits)(uintptr_t device_ptr, struct rt_texture_limits *limits); /* of the device that the memory is on */
  int (*make)(uintptr_t device_ptr, const struct rt_texture_shape *shape, struct rt_texture *texture);
  void (*destroy)(const struct rt_texture *texture);
};

struct rt_ops {
  void *(*mapped)(const void *host, int device); /* device address of mapped host memory, or NULL */
  int (*to_device)(void *device_ptr, const void *host, size_t bytes, int device);
  int (*from_device)(void *host, const void *device_ptr, size_t bytes, int device);
  uint64_t (*now_ns)(void); /* monotonic wall clock */
  uint64_t (*worked_ns)(void); /* processor time of the calling thread */
  uint64_t (*delayed_ns)(void); /* for how long it was ready and had no processor; 0 all along where the system does not tell */
  const struct rt_textures *textures; /* NULL: there are none */
};

#endif
