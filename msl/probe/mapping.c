/* Paper 001, Algorithm 1: which address bits are rows and columns of device memory. Two loads whose addresses differ in one
 * bit, both uncached: the second is fast when the bit selects a column of an open row, slow when it selects another row
 * of the same bank, and in between when it selects another bank. The analysis is analyse_mapping's. */
#include <stdlib.h>

#include "pairs.h"
#include "stats.h"

enum { LOWEST_BIT = 7, HIGHEST_BIT = 32, SAMPLES = 96 };

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* Another line of the same 2 MiB page, which the pair itself does not use. */
static uint64_t neighbour(uint64_t address, unsigned bit) {
  return address ^ ((uint64_t)1 << (bit == 19 ? 18 : 19)) ^ 1 << 12;
}

static bool measure_bit(struct probe_run *run, uint64_t memory, uint64_t bytes, unsigned bit, uint64_t *seed) {
  struct probe_pair pairs[SAMPLES];
  double first[SAMPLES], second[SAMPLES];
  for (unsigned i = 0; i < SAMPLES; i++) {
    uint64_t at = next_random(seed) % bytes & ~(uint64_t)127 & ~((uint64_t)1 << bit);
    uint64_t a = memory + at, b = memory + (at | (uint64_t)1 << bit);
    pairs[i] = (struct probe_pair){.touch = {memory + neighbour(at, bit), memory + neighbour(at | (uint64_t)1 << bit, bit)},
                                   .first = a, .second = b};
  }
  if (!probe_flush_l2(run) || !probe_pairs(run, PROBE_PAIR_CG, pairs, SAMPLES, 0))
    return false;
  for (unsigned i = 0; i < SAMPLES; i++) {
    first[i] = pairs[i].first_clk;
    second[i] = pairs[i].second_clk;
  }
  return probe_note(run, "mapping.first", bit, probe_median(first, SAMPLES)) &&
         probe_note(run, "mapping.second", bit, probe_median(second, SAMPLES)) &&
         probe_note(run, "mapping.second.low", bit, probe_quantile(second, SAMPLES, 0.1)) &&
         probe_note(run, "mapping.second.high", bit, probe_quantile(second, SAMPLES, 0.9));
}

bool probe_mapping(struct probe_run *run) {
  unsigned highest = run->quick ? 20 : HIGHEST_BIT;
  uint64_t bytes = (uint64_t)1 << (highest + 1), seed = run->round + 1;
  probe_say(run, "row and column bits of device memory");
  char *memory = probe_allocate(run, bytes + (2 << 20));
  if (!memory) { /* a smaller device: what is known of it stays */
    *run->error = 0;
    return true;
  }
  uint32_t teams = run->sms * 8;
  uint64_t aligned = ((uint64_t)memory + (2 << 20) - 1) & ~(uint64_t)((2 << 20) - 1);
  PROBE_KERNEL(teams, 256, ) {
    uint64_t all = (uint64_t)probe_teams() * probe_threads() * 16;
    for (uint64_t at = ((uint64_t)probe_team() * probe_threads() + probe_thread()) * 16; at < bytes; at += all)
      PROBE_ST16("global", "l", aligned + at, 0, 0, 0, 0, 0);
  }
  bool good = true;
  for (unsigned bit = LOWEST_BIT; good && bit <= highest; bit++)
    good = measure_bit(run, aligned, bytes, bit, &seed);
  probe_release(run, memory);
  return good;
}
