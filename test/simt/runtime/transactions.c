#include "transactions.h"

#include <stdbool.h>

enum { LANES = 32, BANKS = 32, BANK_BYTES = 4, MAX_PIECES = 256 };

// A small set of numbers; a warp access touches at most LANES times a few of them.
struct set {
  uint64_t members[MAX_PIECES];
  uint32_t count;
};

static bool add(struct set *set, uint64_t member) {
  for (uint32_t i = set->count; i-- > 0;)
    if (set->members[i] == member)
      return false;
  if (set->count < MAX_PIECES)
    set->members[set->count++] = member;
  return true;
}

uint32_t simt_pieces(const struct simt_warp_access *access, uint32_t unit) {
  struct set pieces = {.count = 0};
  for (int lane = 0; lane < LANES; lane++) {
    if (!(access->lanes >> lane & 1))
      continue;
    uint64_t first = access->address[lane] / unit, last = (access->address[lane] + access->bytes - 1) / unit;
    for (uint64_t piece = first; piece <= last; piece++)
      add(&pieces, piece);
  }
  return pieces.count;
}

uint32_t simt_distinct_addresses(const struct simt_warp_access *access) {
  struct set addresses = {.count = 0};
  for (int lane = 0; lane < LANES; lane++)
    if (access->lanes >> lane & 1)
      add(&addresses, access->address[lane]);
  return addresses.count;
}

// The passes for lanes [first, last).
static uint32_t part_passes(const struct simt_warp_access *access, int first, int last) {
  struct set words = {.count = 0};
  uint32_t in_bank[BANKS] = {0}, most = 0;
  for (int lane = first; lane < last; lane++) {
    if (!(access->lanes >> lane & 1))
      continue;
    uint64_t low = access->address[lane] / BANK_BYTES, high = (access->address[lane] + access->bytes - 1) / BANK_BYTES;
    for (uint64_t word = low; word <= high; word++)
      if (add(&words, word) && ++in_bank[word % BANKS] > most)
        most = in_bank[word % BANKS];
  }
  return most;
}

uint32_t simt_bank_passes(const struct simt_warp_access *access) {
  int parts = access->bytes > 8 ? 4 : access->bytes > 4 ? 2 : 1;
  uint32_t passes = 0;
  for (int part = 0; part < parts; part++)
    passes += part_passes(access, part * LANES / parts, (part + 1) * LANES / parts);
  return passes;
}
