// Where the memory of a launch would lie on a device: every allocation starts at a multiple of 256 bytes, as CUDA's do,
// whatever the host's allocator has made of it. Counts then do not depend on the run.
//
// An allocation here is the union of extents that overlap. It keeps its device address from launch to launch as long as it
// starts at the same place and does not grow, so that a cache of the device may still hold it.
// Thread-safety: begin_launch by the launching thread, after the launch's extents are known; look-ups by its workers.
#ifndef SIMT_LAYOUT_H
#define SIMT_LAYOUT_H

#include <stdint.h>

void simt_layout_begin_launch(void);
// The device address of a byte; *begin is that of its allocation. Memory allocated by device code keeps its own address.
uint64_t simt_layout_address(const void *pointer, uint64_t *begin);

#endif
