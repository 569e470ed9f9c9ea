#include "cache.h"

#include "finding.h"

#include <stdlib.h>
#include <string.h>

// Entry 0 ends the list of uses: its `newer` is the line used longest ago, its `older` the latest. 0 ends chains, too.
struct entry {
  uint64_t line, sectors;       // its number; bits of the sectors present
  uint32_t newer, older, chain; // neighbours in the order of use; the next one of its bucket
};

struct simt_cache {
  uint64_t lines, used;
  unsigned sectors_per_line, bucket_bits;
  struct entry *entries;
  uint32_t *buckets;
};

struct simt_cache *simt_cache_make(uint64_t lines, unsigned sectors_per_line) {
  struct simt_cache *cache = calloc(1, sizeof *cache);
  if (!cache || lines >= UINT32_MAX)
    simt_fatal("no memory for a cache of %llu lines", (unsigned long long)lines);
  cache->lines = lines;
  cache->sectors_per_line = sectors_per_line;
  while ((uint64_t)1 << cache->bucket_bits < lines)
    cache->bucket_bits++;
  cache->entries = calloc(lines + 1, sizeof *cache->entries);
  cache->buckets = calloc((size_t)1 << cache->bucket_bits, sizeof *cache->buckets);
  if (!cache->entries || !cache->buckets)
    simt_fatal("no memory for a cache of %llu lines", (unsigned long long)lines);
  return cache;
}

void simt_cache_free(struct simt_cache *cache) {
  free(cache->entries);
  free(cache->buckets);
  free(cache);
}

void simt_cache_empty(struct simt_cache *cache) {
  if (!cache->used)
    return;
  memset(cache->buckets, 0, sizeof *cache->buckets << cache->bucket_bits);
  cache->entries[0] = (struct entry){0};
  cache->used = 0;
}

static uint32_t *bucket_of(struct simt_cache *cache, uint64_t line) {
  uint64_t mixed = line * 0x9E3779B97F4A7C15u;
  return &cache->buckets[cache->bucket_bits ? mixed >> (64 - cache->bucket_bits) : 0];
}

static void take_out(struct simt_cache *cache, uint32_t at) {
  struct entry *entry = &cache->entries[at];
  cache->entries[entry->newer].older = entry->older;
  cache->entries[entry->older].newer = entry->newer;
}

static void make_latest(struct simt_cache *cache, uint32_t at) {
  struct entry *ends = &cache->entries[0], *entry = &cache->entries[at];
  entry->newer = 0;
  entry->older = ends->older;
  cache->entries[ends->older].newer = at;
  ends->older = at;
}

// A free entry, or that of the line used longest ago.
static uint32_t take_entry(struct simt_cache *cache) {
  if (cache->used < cache->lines)
    return (uint32_t)++cache->used;
  uint32_t oldest = cache->entries[0].newer;
  uint32_t *link = bucket_of(cache, cache->entries[oldest].line);
  while (*link != oldest)
    link = &cache->entries[*link].chain;
  *link = cache->entries[oldest].chain;
  take_out(cache, oldest);
  return oldest;
}

bool simt_cache_look_up(struct simt_cache *cache, uint64_t sector) {
  uint64_t line = sector / cache->sectors_per_line, bit = (uint64_t)1 << sector % cache->sectors_per_line;
  uint32_t at = *bucket_of(cache, line);
  while (at && cache->entries[at].line != line)
    at = cache->entries[at].chain;
  if (at) {
    bool hit = cache->entries[at].sectors & bit;
    cache->entries[at].sectors |= bit;
    if (cache->entries[0].older != at) {
      take_out(cache, at);
      make_latest(cache, at);
    }
    return hit;
  }
  at = take_entry(cache);
  uint32_t *bucket = bucket_of(cache, line);
  cache->entries[at] = (struct entry){.line = line, .sectors = bit, .chain = *bucket};
  *bucket = at;
  make_latest(cache, at);
  return false;
}
