/* A cache of lines that are filled block by block, the least recently used line making room. Internal.
 *
 * Owner: lru_free. Thread-safety: none of its own. Errors: NULL when out of memory. */
#ifndef PLACE_CORE_LRU_H
#define PLACE_CORE_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LRU_MAX_BLOCKS = 32 }; /* of a line */

struct lru;

/* lines: at least 1. Fully associative: machine files give no ways. */
struct lru *lru_new(size_t lines);
void lru_free(struct lru *cache); /* NULL is fine */
void lru_empty(struct lru *cache);

/* Whether a block of a line was there; it is now, and the line is the last to make room. block: below LRU_MAX_BLOCKS. */
bool lru_touch(struct lru *cache, uint64_t line, unsigned block);

#endif
