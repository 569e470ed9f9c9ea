// Least-recently-used caches of 128-byte lines filled sector by sector (32 bytes): one L1 for each streaming
// multiprocessor, which a team has to itself here, and one L2 for the device.
//
// Sizes: SIMT_L1_BYTES (default 196608: 256 KiB less what shared memory takes at most) and SIMT_L2_BYTES (default
// 52428800), with SIMT_L1_WAYS (4) and SIMT_L2_WAYS (16) ways.
// Thread-safety: an L1 belongs to one worker; the L2 has a lock.
#ifndef SIMT_CACHE_H
#define SIMT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

void simt_cache_begin_launch(void);
void simt_cache_begin_team(uint32_t worker); // empties the worker's L1
// Looks a sector up (its address divided by 32) and brings it in.
bool simt_cache_l1(uint32_t worker, uint64_t sector);
bool simt_cache_l2(uint64_t sector);

#endif
