/* What is mapped on one device, and when its content last changed.
 *
 * Objects are what the program mapped (target data, target enter data, associate) or allocated (omp_target_alloc). What a
 * launch maps by itself and releases at its end is not an object. Content has a version: the device's clock at the last
 * change. `epoch` changes with every change of the set of objects: what was found at one epoch is found as long as the epoch
 * does not change. `generation` changes with such changes alone that may concern objects that a view has seen: as long as it does not, these are
 * there, and what is behind an address that none of them holds must be looked up again, once an epoch (view_holds). So memory that is
 * mapped around each exchange of halos, say, does not touch what was decided about other arrays.
 *
 * Units: bytes; host and device addresses as integers. Owner: the extents own their objects; an object pointer is valid
 * until the epoch changes, one that a view has seen until the generation does, and both while they have users. Thread-safety: none of its own, the caller holds the device's lock.
 * Errors: out of memory forgets everything, which is safe. */
#ifndef PLACE_RT_EXTENTS_H
#define PLACE_RT_EXTENTS_H

#include "call.h"
#include "device.h"
#include "texture.h"

struct ext_object {
  uintptr_t host;   /* 0: device memory without a host counterpart */
  uintptr_t device; /* 0: not known */
  size_t bytes;
  uint64_t version;     /* of its content */
  const char *unstable; /* why its content can change unseen; NULL: it cannot */
  unsigned writers;     /* launches in flight that write it */
  unsigned users;       /* launches in flight that hold a pointer to it */
  bool seen;            /* by a view */
  unsigned holds;       /* data environments that keep it mapped, as far as they were seen: libomptarget counts as many or more */
  bool dead;            /* no longer mapped, freed when the last user is gone */
};

struct extents {
  int device;
  const struct rt_ops *ops;
  struct ext_object **object; /* sorted by host address, device-only ones first */
  size_t count, capacity;
  uint64_t epoch, generation;
  uint64_t clock;       /* of content versions */
  uint64_t all_changed; /* version of everything */
  const char *unstable; /* why nothing on the device is stable, or NULL */
  unsigned writers;     /* launches in flight that may write anything */
  const char *unsettled; /* why memory may become present unseen, or NULL */
  struct texture_cache textures; /* of the objects */
};

void ext_init(struct extents *ext, int device, const struct rt_ops *ops);
void ext_free(struct extents *ext);

/* ---- what happened; each is called after the fact, except where it says before ---- */

/* Presence of the entries before a begin, to tell which transfers happen: bit i of the result's word i/64. Caller frees. */
uint64_t *ext_present(struct extents *ext, const struct rt_maps *maps);

/* target data begin / target enter data. `present`: from ext_present, or NULL for unknown. */
void ext_begin(struct extents *ext, const struct rt_maps *maps, const uint64_t *present, bool nowait);
/* target data end / target exit data. */
void ext_end(struct extents *ext, const struct rt_maps *maps, bool nowait);
void ext_update(struct extents *ext, const struct rt_maps *maps, bool nowait);

void ext_allocated(struct extents *ext, uintptr_t device_ptr, size_t bytes);
void ext_freed(struct extents *ext, uintptr_t device_ptr);
void ext_associated(struct extents *ext, uintptr_t host, uintptr_t device_ptr, size_t bytes);
void ext_disassociated(struct extents *ext, uintptr_t host);

/* What was seen may be wrong. */
void ext_doubt(struct extents *ext);

/* Device memory [begin, begin + bytes) was written by a copy or fill; later: it may still be going on. */
void ext_device_written(struct extents *ext, uintptr_t begin, size_t bytes, bool later);

/* The program has a device address of this host memory and may write there unseen. */
void ext_escaped(struct extents *ext, uintptr_t host, const char *why);

/* All content may have changed; or all that is known may be wrong. */
void ext_change_all(struct extents *ext);
void ext_forget(struct extents *ext);
void ext_change(struct extents *ext, struct ext_object *object);

/* ---- questions ---- */

static inline bool ext_ranges_meet(uintptr_t a, uint64_t a_bytes, uintptr_t b, uint64_t b_bytes) { return a < b + b_bytes && b < a + a_bytes; }

/* The object that holds this host byte, or device byte, or NULL. */
struct ext_object *ext_find(const struct extents *ext, uintptr_t host);
struct ext_object *ext_find_device(const struct extents *ext, uintptr_t device_ptr);

/* Bytes of device memory that the objects take; what is associated lies in an allocation, which counts. */
size_t ext_bytes(const struct extents *ext);

/* Whether libomptarget agrees that the object is mapped as we believe (first and last byte). */
bool ext_confirm(const struct extents *ext, const struct ext_object *object);

uint64_t ext_version(const struct extents *ext, const struct ext_object *object);

/* Why the object's content may change at any moment, or NULL. */
const char *ext_unstable(const struct extents *ext, const struct ext_object *object);

/* ---- users ---- */

void ext_use(struct ext_object *object, bool writes);
void ext_release(struct extents *ext, struct ext_object *object, bool writes);

#endif
