// The memory that device code may touch: what libomptarget has mapped or allocated, and the image's own variables.
//
// The extents come from the entry points that create them (data mapping, omp_target_alloc, kernel arguments), not from
// the allocator: the host plugin takes its blocks from a pool, so an allocator would call the slack of a block valid.
// Every extent is exactly as long as the program said.
// Units: bytes. Ownership: the table owns its extents; a pointer to one is valid during the launch that got it.
// Thread-safety: the note functions may be called by any native thread, launches and look-ups by the runner's workers.
#ifndef SIMT_EXTENTS_H
#define SIMT_EXTENTS_H

#include "launch.h"

#include <stdatomic.h>

struct simt_extent {
  const char *begin, *end;
  int argument;     // of the launch, or -1
  const char *name; // or ""
  bool constant;    // memory that device code must not write
  // What this launch has done with it: the first site of each kind.
  _Atomic(const struct simt_site *) readonly_site, write_site;
};

void simt_extents_note_mapped(int device, void *host, uint64_t bytes);
void simt_extents_recheck(void); // some mappings may have ended
void simt_extents_note_allocated(void *memory, uint64_t bytes);
void simt_extents_note_freed(void *memory);
void simt_extents_note_written(const void *memory, uint64_t bytes); // by the host, on the device

void simt_extents_begin_launch(const struct simt_launch_state *launch);
void simt_extents_end_launch(const struct simt_launch_state *launch);

// During a launch: the extent that holds the address; null if none does.
struct simt_extent *simt_extents_find(const void *address);
// The extent that kernel argument `argument` points to; null if it is no mapped pointer.
const struct simt_extent *simt_extents_of_argument(int argument);
// True if the host has written all of these bytes of a constant variable.
bool simt_extents_initialised(const void *address, uint64_t bytes);

#endif
