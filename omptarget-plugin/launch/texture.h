/* Textures that arrays are bound to: made by the driver when a launch first fetches from one, and kept until the array's memory goes.
 *
 * A texture shows the array's own memory: nothing is copied, so nothing is refreshed. What the GPU's texture caches hold is out of date
 * as soon as the array is written, but the driver empties them as each kernel begins: it is enough that nothing writes the array while
 * a kernel that fetches from it runs, as for read-only loads (view.c).
 *
 * Units: bytes; device addresses as integers. Owner: the cache owns its textures. Thread-safety: none of its own, the caller holds the
 * device's lock. Errors: NULL and a reason of static storage. */
#ifndef PLACE_RT_TEXTURE_H
#define PLACE_RT_TEXTURE_H

#include <stdbool.h>

#include "device.h"

struct texture {
  uintptr_t array;      /* device address of the array's first byte: with the shape, the key */
  struct rt_texture_shape shape; /* of the array */
  uintptr_t begin;      /* of texel 0: the array's first byte, or before it, where the driver wants textures to begin */
  struct rt_texture bound;
  const char *why;      /* why the driver did not make it, or NULL */
  unsigned users;       /* launches in flight */
  bool gone;            /* the array's memory is: destroyed when the last user is gone, too */
  struct texture *next;
};

struct texture_cache {
  const struct rt_ops *ops;
  struct texture *first;
  struct rt_texture_limits limits; /* alignment 0: not asked yet */
  const char *none;     /* why there are no textures at all, or NULL: none was found yet */
  uint64_t made, destroyed;
};

void texture_init(struct texture_cache *cache, const struct rt_ops *ops);

/* Forgets all textures, of which the driver's part ends with the program's context. */
void texture_free(struct texture_cache *cache);

/* The texture of an array, with one user more; or NULL and a reason, which for one array stays the same until its memory goes. */
struct texture *texture_acquire(struct texture_cache *cache, uintptr_t array, const struct rt_texture_shape *shape, const char **why);
void texture_release(struct texture_cache *cache, struct texture *texture);

/* The texel that a device address lies at, which may be outside of the texture; a multiple of texel_bytes. */
int64_t texture_index(const struct texture *texture, uintptr_t address);

/* A number by which 0 to 2^31 - 1 are divided: n / divisor is (n * factor >> 32) >> shift. divisor: 2 to 2^31. */
struct texture_divisor {
  uint32_t factor, shift;
};
struct texture_divisor texture_divisor(uint32_t divisor);

/* The device memory [begin, begin + bytes) is no longer what it was. */
void texture_forget(struct texture_cache *cache, uintptr_t begin, uint64_t bytes);

#endif
