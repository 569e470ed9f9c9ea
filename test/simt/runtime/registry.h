// What the loaded images declare: shared variables, for which the registry lays out a team's shared memory, and the
// variables of global and constant memory.
//
// Units: bytes. Ownership: the images own the descriptions; they are never unloaded while device code runs.
// Thread-safety: registration happens while an image is loaded, under a lock; everything else reads.
#ifndef SIMT_REGISTRY_H
#define SIMT_REGISTRY_H

#include "simt_abi.h"

#include <stdbool.h>
#include <stddef.h>

// The size of a team's static shared memory; a multiple of 128.
uint64_t simt_registry_shared_bytes(void);
// A shared variable, and whether it belongs to OpenMP's device runtime.
struct simt_shared {
  const struct simt_shared_variable *variable;
  bool of_runtime;
};
// The one that holds `offset` of a team's shared memory; null if none does.
const struct simt_shared *simt_registry_shared_at(uint64_t offset);
// The global or constant variable whose memory holds the address; null if none does.
const struct simt_global_variable *simt_registry_global_at(const void *address);
// All global and constant variables, sorted by address.
size_t simt_registry_globals(const struct simt_global_variable *const **variables);
// Number `index` of the shared variables; null behind the last.
const struct simt_shared_variable *simt_registry_shared(size_t index);
// The instrumentation (SIMT_INSTRUMENT_*) that any image has.
uint32_t simt_registry_instrumentation(void);

#endif
