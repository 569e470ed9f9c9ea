/* What the program's device images offer: regions with their versions, and the three device symbols that the runtime uses.
 *
 * A module is one registered descriptor: a program or a shared library with its own device image. Regions are found by
 * the host address that launches name.
 *
 * Owner: the registry owns modules and regions until registry_remove; what region.h describes is read-only.
 * Thread-safety: any thread; lookup is lock-free. Errors: a refused table leaves its regions out and a message in the
 * list of registry_message. */
#ifndef PLACE_RT_REGISTRY_H
#define PLACE_RT_REGISTRY_H

#include "place/region.h"

enum { RT_MAX_DEVICES = 64 };

struct reg_image {
  const void *start;
  size_t bytes;
};

struct reg_entry { /* as an offload entry; size 0: a kernel */
  void *address;
  const char *name;
  size_t size;
};

struct rt_device_region; /* learn/state.h */

struct rt_version {
  void *host_ptr;           /* launches it; NULL: not in the images */
  unsigned static_shared;   /* bytes of a team */
};

struct rt_symbol {
  void *shadow; /* host address that stands for the device symbol, or NULL: the images lack it */
  size_t bytes;
};

struct rt_module {
  struct rt_symbol constant, timer, profile;
  unsigned sm;               /* architecture of the image; 0: not a cubin */
  struct place_table *tables;
  size_t table_count;
  struct rt_region *regions;
  size_t region_count;
  struct reg_entry *added; /* entries to register beside the program's own */
  size_t added_count;
  char *ids; /* one byte of address space for each added kernel */
  struct reg_image *images; /* [image_count], as registered */
  size_t image_count;
  _Atomic uint64_t image_hash; /* of their bytes; 0: not asked for yet (recall.h) */
  const void *key; /* what registry_remove is called with */
  struct rt_module *next;
};

struct rt_region {
  const struct place_table *table;
  const struct place_region *region;
  struct rt_module *module;
  void *host_ptr;
  struct rt_version *versions; /* as region->versions */
  const char *unusable;        /* why no version can be launched at all, or NULL */
  bool *matters;               /* [argument_count] kernel arguments that are arrays, or that a decision depends on */
  unsigned argument_count;     /* arguments that the table mentions */
  struct rt_device_region *_Atomic device[RT_MAX_DEVICES];
};

/* A descriptor's images, and the entries that launches of the program name. */
struct reg_descriptor {
  const struct reg_image *images;
  size_t image_count;
  const struct reg_entry *entries;
  size_t entry_count;
};

/* The versions of one region table, where they lie packed within the descriptor's images (place/packed.h). */
struct reg_unpacked {
  char *table; /* its name */
  struct reg_image *images; /* [image_count]: of each image of the descriptor. They live as long as the process */
};

/* Unpacks them all: *unpacked[0..n) (the caller's: registry_free_unpacked), n is returned. What cannot be unpacked is left out, and a
 * message kept. */
size_t registry_unpack(const struct reg_descriptor *d, struct reg_unpacked **unpacked);
void registry_free_unpacked(struct reg_unpacked *unpacked, size_t count);

/* Reads a descriptor's images: the regions whose versions are in them (`own` NULL), or in those unpacked ones. Returns the module, with
 * `added` filled in, or NULL if there is no such region. */
struct rt_module *registry_add(const void *key, const struct reg_descriptor *d, const struct reg_unpacked *own);

/* Takes a descriptor's module out of the lookup and returns it (it stays valid, for the report), or NULL. */
struct rt_module *registry_remove(const void *key);

/* The region of a host address, or NULL. */
struct rt_region *registry_find(const void *host_ptr);

/* All modules ever added, for the report. */
struct rt_module *registry_modules(void);

/* Architecture of the first cubin seen, 0 if none; and of the first that libomptarget 19 cannot load. */
unsigned registry_sm(void);
unsigned registry_unloadable_sm(void);
unsigned registry_image_count(void);

/* Why the program's regions have no versions although they may have been compiled with libplace.so, or NULL. */
const char *registry_no_versions(void);

/* Messages about refused tables: the n-th, or NULL. */
const char *registry_message(unsigned n);

#endif
