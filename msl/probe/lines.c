/* What one miss brings along: sectors of L1 and L2, lines of the first constant cache. */
#include <stdio.h>
#include <stdlib.h>

#include "pairs.h"
#include "stats.h"

enum { PAIRS = 64 };

struct distance {
  const char *quantity;
  enum probe_pair_kind kind;
  uint32_t most, step; /* distances in bytes */
};

static bool note_medians(struct probe_run *run, const struct distance *d, uint32_t distance, const struct probe_pair *pairs) {
  double first[PAIRS], second[PAIRS];
  char name[2 * PROBE_NAME_BYTES];
  for (unsigned i = 0; i < PAIRS; i++) {
    first[i] = pairs[i].first_clk;
    second[i] = pairs[i].second_clk;
  }
  snprintf(name, sizeof name, "%s.first", d->quantity);
  return probe_note(run, d->quantity, distance, probe_median(second, PAIRS)) &&
         probe_note(run, name, distance, probe_median(first, PAIRS));
}

/* Pairs in lines of their own, 4 KiB and a bit apart. */
static bool global_distance(struct probe_run *run, const struct distance *d, uint32_t distance, char *memory) {
  struct probe_pair pairs[PAIRS];
  for (unsigned i = 0; i < PAIRS; i++) {
    uint64_t line = (uint64_t)memory + i * (uint64_t)(4096 + 512);
    pairs[i] =
        (struct probe_pair){.first = line, .second = line + distance, .touch = {d->kind == PROBE_PAIR_CG ? line + 2048 : 0}};
  }
  return (d->kind == PROBE_PAIR_CA || probe_flush_l2(run)) && probe_pairs(run, d->kind, pairs, PAIRS, 0) &&
         note_medians(run, d, distance, pairs);
}

/* The upper half of the constant memory is read to empty the first cache of the lower. */
static bool constant_distance(struct probe_run *run, const struct distance *d, uint32_t distance) {
  struct probe_pair pairs[PAIRS];
  for (unsigned i = 0; i < PAIRS; i++)
    pairs[i] = (struct probe_pair){.first = i * 512, .second = i * 512 + distance, .touch = {40 << 10}};
  return probe_pairs(run, d->kind, pairs, PAIRS, 16 << 10) && note_medians(run, d, distance, pairs);
}

bool probe_lines(struct probe_run *run) {
  static const struct distance global[] = {{"pair.ca", PROBE_PAIR_CA, 256, 16}, {"pair.cg", PROBE_PAIR_CG, 256, 32}};
  static const struct distance constant = {"pair.constant", PROBE_PAIR_CONSTANT, 384, 16};
  size_t bytes = PAIRS * (4096 + 512) + 4096;
  char *zeros = calloc(1, bytes), *memory = probe_allocate(run, bytes);
  probe_say(run, "sectors and lines");
  bool good = zeros && memory && probe_upload(run, memory, zeros, bytes) &&
              probe_constant_fill(run, (const uint32_t *)zeros, PROBE_CONSTANT_BYTES);
  for (unsigned k = 0; good && k < 2; k++)
    for (uint32_t at = global[k].step; good && at <= (run->quick ? 32 : global[k].most); at += global[k].step)
      good = global_distance(run, &global[k], at, memory);
  for (uint32_t at = constant.step; good && at <= (run->quick ? 32 : constant.most); at += constant.step)
    good = constant_distance(run, &constant, at);
  if (memory)
    probe_release(run, memory);
  free(zeros);
  return good || probe_fail(run, "out of memory");
}
