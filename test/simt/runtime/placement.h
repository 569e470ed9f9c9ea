// What a version of place's makes of a launch: which arrays it reads from copies, where each copy lies and which part of
// the array it stands for. Comes from the region tables in the image and the words behind the kernel's own arguments
// (include/place/abi.h, include/place/region.h).
//
// Units: bytes. Ownership: names belong to the tables, which live as long as the program; copies are those of the launch
// that runs. Thread-safety: begin_launch by the launching thread; everything else reads.
// Errors: a table that cannot be read is a finding; its kernels are then taken to have no copies.
#ifndef SIMT_PLACEMENT_H
#define SIMT_PLACEMENT_H

#include "launch.h"

#include "place/abi.h"

struct simt_copy {
  const char *array;  // its name in the source
  const char *source; // device address of the first byte of the window that the copy holds
  uint64_t bytes;     // of the window
  int argument;       // kernel argument that the array is, 0 being the launch environment
  bool constant;      // in the constant bank; else in dynamic shared memory
  int64_t offset;     // of the copy, from the start of the bank or of dynamic shared memory
};

void simt_placement_begin_launch(const struct simt_launch_state *launch);
// Compares each copy in constant memory with what it stands for. After the launch's extents are known.
void simt_placement_check_constants(const struct simt_launch_state *launch);

// The copy whose source holds any of these bytes; null if the launch reads no copy of them.
const struct simt_copy *simt_placement_copied_at(const char *address, uint64_t bytes);
// The array whose copy lies at that offset of the constant bank or of dynamic shared memory; null if none does.
const struct simt_copy *simt_placement_constant_at(int64_t offset);
const struct simt_copy *simt_placement_shared_at(int64_t offset);
// The name of kernel argument `argument` in the region's table, or null.
const char *simt_placement_argument_name(int argument);

// The entry name of a version is the kernel's name, "_place_" and the version. Returns the version, "original" where there
// is none, and the length of the kernel's name.
const char *simt_version_of(const char *entry, int *kernel_length);

#endif
