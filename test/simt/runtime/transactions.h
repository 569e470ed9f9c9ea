// How many transactions one warp access costs in each kind of memory, from the addresses of its lanes.
//
// Units: bytes; addresses are device addresses, in shared memory offsets into the team's storage do as well.
// Thread-safety: pure functions.
#ifndef SIMT_TRANSACTIONS_H
#define SIMT_TRANSACTIONS_H

#include <stdint.h>

// One warp access: lane i takes part if bit i of `lanes` is set, and moves `bytes` bytes at address[i].
struct simt_warp_access {
  uint32_t lanes, bytes;
  uint64_t address[32];
};

// The number of aligned pieces of `unit` bytes (a power of two) that the access touches: 32 for sectors, 128 for
// segments.
uint32_t simt_pieces(const struct simt_warp_access *access, uint32_t unit);
// The number of different addresses: the passes of a constant load.
uint32_t simt_distinct_addresses(const struct simt_warp_access *access);
// The passes of a shared access over 32 banks of 4 bytes: for each part of the warp that moves 128 bytes at once (all
// lanes for up to 4 bytes each, half of them for 8, a quarter for 16), the greatest number of different words in one
// bank.
uint32_t simt_bank_passes(const struct simt_warp_access *access);

#endif
