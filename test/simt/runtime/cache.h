// A least-recently-used cache: fully associative, lines filled sector by sector.
//
// A machine file gives no number of ways, so none is assumed: a line is in the cache if fewer than `lines` other lines
// have been touched since. Thread-safety: a cache is used by one thread at a time. Errors: out of memory ends the program.
#ifndef SIMT_CACHE_H
#define SIMT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct simt_cache;

struct simt_cache *simt_cache_make(uint64_t lines, unsigned sectors_per_line);
void simt_cache_free(struct simt_cache *cache);
void simt_cache_empty(struct simt_cache *cache);
// Looks a sector up (its number: address divided by the sector's size) and brings it in.
bool simt_cache_look_up(struct simt_cache *cache, uint64_t sector);

#endif
