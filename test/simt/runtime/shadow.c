#include "shadow.h"

#include "finding.h"
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, SEVERAL = 0xffff, SEVERAL_OF_WARP = 0x8000, WORD = 4 };

// The last access of one kind to one byte.
struct access {
  uint32_t epoch; // of the team; 0 for never
  uint16_t thread, warp_epoch;
  const struct simt_site *site;
};

struct cell {
  struct access write, read; // read.thread: SEVERAL if different threads read in that epoch, SEVERAL_OF_WARP + w if all are of warp w
};

// Most accesses are of whole words: a word whose bytes have had the same accesses has them in its first byte's cell alone.
static struct {
  struct cell *cells; // by byte
  bool *uniform;      // by word
  uint64_t count;     // bytes, a multiple of WORD
} shadows[MAX_WORKERS];

void simt_shadow_reserve(const struct simt_team *team, uint64_t bytes) {
  if (shadows[team->worker].count >= bytes)
    return;
  free(shadows[team->worker].cells);
  free(shadows[team->worker].uniform);
  uint64_t words = (bytes + WORD - 1) / WORD;
  shadows[team->worker].cells = calloc(words * WORD, sizeof(struct cell));
  shadows[team->worker].uniform = calloc(words, sizeof(bool));
  shadows[team->worker].count = words * WORD;
  if (!shadows[team->worker].cells || !shadows[team->worker].uniform)
    simt_fatal("no memory to watch %llu bytes of shared memory", (unsigned long long)bytes);
}

static bool is_of_warp(const struct access *a, uint32_t warp) {
  if (a->thread == SEVERAL)
    return false;
  return a->thread & SEVERAL_OF_WARP ? a->thread - SEVERAL_OF_WARP == (int)warp : a->thread / SIMT_WARP_LANES == warp;
}

static bool unordered(const struct simt_team *team, const struct access *before, const struct simt_context *now) {
  if (before->epoch != (uint32_t)team->epoch || before->thread == now->thread)
    return false;
  return !is_of_warp(before, now->warp) || before->warp_epoch == (uint16_t)team->warps[now->warp].epoch;
}

static const char *doing(const struct simt_site *site) { return site->access == SIMT_LOAD ? "reads" : "writes"; }

static void report_race(const struct simt_site *site, const struct access *before, uint64_t offset,
                        const struct simt_shared_variable *variable) {
  char other[32] = "other threads";
  if (!(before->thread & SEVERAL_OF_WARP))
    snprintf(other, sizeof other, "thread %u", before->thread);
  simt_finding("shared-race", site, "%s byte %llu of shared %s, which %s %s at line %u, with no barrier between",
               doing(site), (unsigned long long)offset, variable ? variable->name : "(dynamic)", other,
               doing(before->site),
               before->site->line);
}

// Returns true if it reported: one finding an access is enough.
static bool check_byte(struct simt_team *team, struct cell *cell, uint64_t offset, const struct simt_site *site,
                       const struct simt_shared_variable *variable) {
  const struct simt_context *self = simt_self;
  bool reads = site->access == SIMT_LOAD, atomic = site->access == SIMT_ATOMIC;
  if (unordered(team, &cell->write, self) && !(atomic && cell->write.site->access == SIMT_ATOMIC)) {
    report_race(site, &cell->write, offset, variable);
    return true;
  }
  if (!reads && unordered(team, &cell->read, self)) {
    report_race(site, &cell->read, offset, variable);
    return true;
  }
  if (reads && cell->write.epoch < (uint32_t)team->first_epoch) {
    simt_finding("shared-unwritten", site, "reads byte %llu of shared %s, which no thread of the team has written",
                 (unsigned long long)offset, variable ? variable->name : "(dynamic)");
    return true;
  }
  return false;
}

static void record(const struct simt_team *team, struct cell *cell, const struct simt_site *site) {
  const struct simt_context *self = simt_self;
  struct access now = {.epoch = (uint32_t)team->epoch,
                       .thread = (uint16_t)self->thread,
                       .warp_epoch = (uint16_t)team->warps[self->warp].epoch,
                       .site = site};
  if (site->access != SIMT_LOAD) {
    cell->write = now;
    return;
  }
  bool before_sync = is_of_warp(&cell->read, self->warp) && cell->read.warp_epoch != now.warp_epoch; // what sees this one, sees that
  if (cell->read.epoch == now.epoch && cell->read.thread != now.thread && !before_sync)
    now.thread = (uint16_t)(is_of_warp(&cell->read, self->warp) ? SEVERAL_OF_WARP + self->warp : SEVERAL);
  cell->read = now;
}

// Bytes of one word. Returns true if it reported.
static bool access_bytes(struct simt_team *team, uint64_t offset, uint64_t bytes, uint64_t of_variable, const struct simt_site *site,
                         const struct simt_shared_variable *variable, bool reported) {
  struct cell *word = shadows[team->worker].cells + offset / WORD * WORD;
  bool *uniform = &shadows[team->worker].uniform[offset / WORD], whole = bytes == WORD;
  if (*uniform && !whole)
    for (uint64_t i = 1; i < WORD; i++)
      word[i] = word[0];
  uint64_t distinct = *uniform && whole ? 1 : bytes;
  for (uint64_t i = 0; i < distinct; i++) {
    struct cell *cell = &word[offset % WORD + i];
    reported = reported || check_byte(team, cell, of_variable + i, site, variable);
    record(team, cell, site);
  }
  *uniform = whole && (distinct == 1 || (memcmp(word, word + 1, sizeof *word) == 0 && memcmp(word, word + 2, 2 * sizeof *word) == 0));
  return reported;
}

void simt_shadow_access(struct simt_team *team, uint64_t offset, uint64_t bytes, const struct simt_site *site,
                        const struct simt_shared *shared) {
  if (shared && shared->of_runtime)
    return; // every thread stores the same start values there
  const struct simt_shared_variable *variable = shared ? shared->variable : NULL;
  uint64_t from = variable ? *variable->offset : team->launch->static_shared_bytes;
  bool reported = false;
  for (uint64_t i = offset, part; i < offset + bytes; i += part) {
    part = WORD - i % WORD < offset + bytes - i ? WORD - i % WORD : offset + bytes - i;
    reported = access_bytes(team, i, part, i - from, site, variable, reported);
  }
}
