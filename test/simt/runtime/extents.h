// The memory that device code may touch: what libomptarget has mapped or allocated, and the image's own variables.
//
// The extents come from the entry points that create them (data mapping, omp_target_alloc, kernel arguments), not from
// the allocator: the host plugin takes its blocks from a pool, so an allocator would call the slack of a block valid.
// Every extent is exactly as long as the program said.
// Units: bytes. Ownership: the table owns its extents; a pointer to one is valid during the launch that got it.
// Thread-safety: the note functions may be called by any native thread; begin and end by the launching one, one launch
// at a time; look-ups by the runner's workers.
#ifndef SIMT_EXTENTS_H
#define SIMT_EXTENTS_H

#include "launch.h"

#include <stdatomic.h>

struct simt_extent {
  const char *begin, *end;
  const struct simt_global_variable *variable; // of the image, or null
  bool constant;                               // device code must not write it
  // For the launch that runs:
  int argument;  // of the kernel, or -1
  char name[64]; // or ""
  // The first place that reads it as read-only memory, and the first that writes it.
  _Atomic(const struct simt_site *) readonly_site, write_site;
};

void simt_extents_note_mapped(int device, const void *host, uint64_t bytes);
void simt_extents_recheck(void); // some mappings may have ended
void simt_extents_note_allocated(void *memory, uint64_t bytes);
void simt_extents_note_freed(void *memory);
void simt_extents_note_written(const void *memory, uint64_t bytes); // by the host, on the device

void simt_extents_begin_launch(const struct simt_launch_state *launch);

// During a launch: the smallest extent that holds all of these bytes (members of a mapped structure may be mapped as well
// as the whole); null if none does.
struct simt_extent *simt_extents_find(const void *address, uint64_t bytes);
// The extent whose end is nearest below the address; null if there is none.
struct simt_extent *simt_extents_nearest_below(const void *address);
// All extents of the launch, in ascending order of their begin.
struct simt_extent *const *simt_extents_active(size_t *count);
// The extent that kernel argument `argument` points to; null if it is no mapped pointer.
struct simt_extent *simt_extents_of_argument(int argument);

// mapper.c: what mappers of this thread have asked for since the last call is mapped now.
void simt_mapper_note_mapped(int device);

// interpose.c: the device address of a mapped host address, or null.
void *simt_mapped_pointer(const void *host, int device);

#endif
