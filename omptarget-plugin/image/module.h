/* A module: what one registered descriptor's device images offer, read once.
 *
 * Owner: module_free, or the registry once it is in there; what region.h describes is read-only. Thread-safety: a module is read by one
 * thread, and not changed after that but for `device`. Errors: a refused table leaves its regions out, and says so (refused.h). */
#ifndef PLACE_RT_MODULE_H
#define PLACE_RT_MODULE_H

#include "elf_image.h"
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
  unsigned registers;       /* of a thread, where `fill` asks for as many teams as are held at a time, or the program's number of threads is kept; 0: not known */
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

/* Opens all of them; false: one is no ELF file (bitcode for the JIT, say). */
bool module_open_images(const struct reg_image *images, size_t count, struct elf_image *out);

/* The regions whose versions are in the descriptor's images (`own` NULL), or in those unpacked ones. opened: the descriptor's images.
 * Returns the module, with `added` filled in, or NULL if there is no such region. */
struct rt_module *module_read(const struct reg_descriptor *d, struct elf_image *opened, const struct reg_unpacked *own);

void module_free(struct rt_module *module);

#endif
