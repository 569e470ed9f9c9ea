/* What the program's device images offer: regions with their versions, and the three device symbols that the runtime uses.
 *
 * A module is one registered descriptor: a program or a shared library with its own device image. Regions are found by
 * the host address that launches name.
 *
 * Owner: the registry owns modules and regions until registry_remove; what region.h describes is read-only.
 * Thread-safety: any thread; lookup is lock-free. Errors: as module.h's. */
#ifndef PLACE_RT_REGISTRY_H
#define PLACE_RT_REGISTRY_H

#include "module.h"

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

#endif
