#include "cache.h"

#include "finding.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, SECTORS_PER_LINE = 4, LINE_BYTES = 128, L1_WAYS = 4, L2_WAYS = 16 };

struct line {
  uint64_t tag;     // number of the line plus 1; 0 for none
  uint64_t used;    // when
  uint32_t sectors; // present
};

struct cache {
  struct line *lines;
  uint64_t sets, now;
  uint32_t ways;
};

static struct cache l1[MAX_WORKERS], l2;
static pthread_mutex_t l2_lock = PTHREAD_MUTEX_INITIALIZER;

static void make(struct cache *cache, uint64_t bytes, uint32_t ways) {
  cache->ways = ways;
  cache->sets = bytes / LINE_BYTES / ways ? bytes / LINE_BYTES / ways : 1;
  cache->lines = calloc(cache->sets * ways, sizeof *cache->lines);
  if (!cache->lines)
    simt_fatal("no memory for a cache of %llu bytes", (unsigned long long)bytes);
}

static void empty(struct cache *cache) {
  if (cache->now)
    memset(cache->lines, 0, cache->sets * cache->ways * sizeof *cache->lines);
  cache->now = 0;
}

static bool look_up(struct cache *cache, uint64_t sector) {
  uint64_t tag = sector / SECTORS_PER_LINE + 1;
  uint32_t bit = 1u << sector % SECTORS_PER_LINE;
  struct line *set = cache->lines + tag * 0x9E3779B97F4A7C15u / 4096 % cache->sets * cache->ways, *oldest = set;
  cache->now++;
  for (uint32_t way = 0; way < cache->ways; way++) {
    if (set[way].tag == tag) {
      bool hit = set[way].sectors & bit;
      set[way].sectors |= bit;
      set[way].used = cache->now;
      return hit;
    }
    if (set[way].used < oldest->used)
      oldest = &set[way];
  }
  *oldest = (struct line){.tag = tag, .used = cache->now, .sectors = bit};
  return false;
}

void simt_cache_begin_launch(void) {
  if (!l2.lines)
    make(&l2, simt_environment_number("SIMT_L2_BYTES", 52428800),
         (uint32_t)simt_environment_number("SIMT_L2_WAYS", L2_WAYS));
}

void simt_cache_begin_team(uint32_t worker) {
  if (!l1[worker].lines)
    make(&l1[worker], simt_environment_number("SIMT_L1_BYTES", 196608),
         (uint32_t)simt_environment_number("SIMT_L1_WAYS", L1_WAYS));
  empty(&l1[worker]);
}

bool simt_cache_l1(uint32_t worker, uint64_t sector) { return look_up(&l1[worker], sector); }

bool simt_cache_l2(uint64_t sector) {
  pthread_mutex_lock(&l2_lock);
  bool hit = look_up(&l2, sector);
  pthread_mutex_unlock(&l2_lock);
  return hit;
}
