/* Pairs of timed loads. */
#include "pairs.h"

#include <stdlib.h>

/* The clock, read no sooner than `value` has arrived: the loop's exit depends on it. */
#define CLOCK_AFTER(value, clock)                                                                                      \
  do                                                                                                                   \
    clock = (uint32_t)probe_clk();                                                                                     \
  while ((value) == 0x9E3779B9u)

#define PAIR(ptx, area, address_t, pair, base)                                                                         \
  do {                                                                                                                 \
    uint32_t t0, t1, t2, v0, v1;                                                                                       \
    address_t first = (address_t)(pair)->first + (base), second = (address_t)(pair)->second + (base);                  \
    CLOCK_AFTER((uint32_t)first ^ (uint32_t)second ^ seen, t0);                                                        \
    PROBE_LD4(ptx, area, v0, first, 0);                                                                                \
    CLOCK_AFTER(v0, t1);                                                                                               \
    PROBE_LD4(ptx, area, v1, second + v0, 0);                                                                          \
    CLOCK_AFTER(v1, t2);                                                                                               \
    (pair)->first_clk = t1 - t0;                                                                                       \
    (pair)->second_clk = t2 - t1;                                                                                      \
    seen ^= v0 ^ v1;                                                                                                   \
  } while (0)

#define GLOBAL_PAIRS(name, ptx)                                                                                        \
  static void name(struct probe_run *run, struct probe_pair *pairs, uint32_t count) {                                  \
    uint32_t *claimed = run->counter;                                                                                  \
    uint32_t teams = run->sms * 2, sm = run->one_sm;                                                                   \
    PROBE_KERNEL(teams, 32, is_device_ptr(pairs, claimed)) {                                                           \
      if (probe_thread() == 0 && probe_sm() == sm && probe_add(claimed, 1) == 0) {                                     \
        uint32_t seen = 0, value;                                                                                      \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
          for (unsigned k = 0; k < 2; k++)                                                                             \
            if (pairs[i].touch[k]) {                                                                                   \
              PROBE_LD4("global.cg", "l", value, pairs[i].touch[k], 0);                                                \
              seen ^= value;                                                                                           \
            }                                                                                                          \
          struct probe_pair *pair = pairs + i;                                                                         \
          PAIR(ptx, "l", uint64_t, pair, seen);                                                                        \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

GLOBAL_PAIRS(pairs_ca, "global")
GLOBAL_PAIRS(pairs_cg, "global.cg")

static void pairs_constant(struct probe_run *run, struct probe_pair *pairs, uint32_t count, uint32_t evict) {
  uint32_t *claimed = run->counter;
  uint32_t teams = run->sms * 2, sm = run->one_sm;
  PROBE_KERNEL(teams, 32, is_device_ptr(pairs, claimed)) {
    if (probe_thread() == 0 && probe_sm() == sm && probe_add(claimed, 1) == 0) {
      uint32_t seen = probe_thread(), value, base = probe_constant_base() + probe_thread();
      for (uint32_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < evict; at += 64) {
          PROBE_LD4("const", "r", value, base + (uint32_t)pairs[i].touch[0] + at + seen, 0);
          seen ^= value;
        }
        struct probe_pair *pair = pairs + i;
        PAIR("const", "r", uint32_t, pair, base + seen);
      }
    }
  }
}

bool probe_pairs(struct probe_run *run, enum probe_pair_kind kind, struct probe_pair *pairs, uint32_t count, uint32_t evict) {
  size_t bytes = count * sizeof *pairs;
  struct probe_pair *there = probe_allocate(run, bytes);
  bool good = there && probe_upload(run, there, pairs, bytes) && probe_reset(run);
  if (good && kind == PROBE_PAIR_CA)
    pairs_ca(run, there, count);
  else if (good && kind == PROBE_PAIR_CG)
    pairs_cg(run, there, count);
  else if (good)
    pairs_constant(run, there, count, evict);
  good = good && probe_download(run, pairs, there, bytes);
  if (there)
    probe_release(run, there);
  return good;
}

bool probe_flush_l2(struct probe_run *run) {
  size_t bytes = run->quick ? 1 << 20 : 256 << 20;
  uint32_t teams = run->sms * 4;
  char *memory = probe_allocate(run, bytes);
  struct probe_record *to = run->on_device;
  if (!memory)
    return false;
  PROBE_KERNEL(teams, 256, is_device_ptr(memory, to)) {
    size_t all = (size_t)probe_teams() * probe_threads() * 32;
    uint32_t value, seen = 0;
    for (size_t at = ((size_t)probe_team() * probe_threads() + probe_thread()) * 32; at < bytes; at += all) {
      PROBE_LD4("global.cg", "l", value, (uint64_t)memory + at, 0);
      seen ^= value;
    }
    if (seen == 0x9E3779B9u)
      to->value = seen;
  }
  probe_release(run, memory);
  return true;
}
