/* Reuse distances (paper 000, 3.1.1): for each access to an item, how many distinct other items were accessed since the
 * last access to it. Internal.
 *
 * Items are cache lines, numbered by the caller. Time is near-linear: a hash table of last uses, a bit that marks each item's
 * last use, and a Fenwick tree over 64 bits each. */
#ifndef PLACE_CORE_REUSE_H
#define PLACE_CORE_REUSE_H

#include <stddef.h>
#include <stdint.h>

enum { REUSE_BUCKETS = 32 }; /* bucket 0: distance 0; bucket b: [2^(b-1), 2^b) */

struct reuse_histogram {
  uint64_t bucket[REUSE_BUCKETS];
  uint64_t first;    /* accesses to an item never accessed before */
  uint64_t accesses; /* all of them */
};

/* Adds the distances of one trace to the histogram. Returns 0, or -1 when out of memory. */
int reuse_add_trace(struct reuse_histogram *histogram, const uint64_t *items, size_t count);

/* The same for many traces of at most `most` accesses each, in room that is made once. Owner: reuse_room_free. */
struct reuse_room;
struct reuse_room *reuse_room_new(size_t most); /* NULL: out of memory, or too many */
void reuse_room_free(struct reuse_room *room);  /* NULL is fine */
void reuse_add_trace_in(struct reuse_room *room, struct reuse_histogram *histogram, const uint64_t *items, size_t count);

/* Adds accesses to the same items in the same order as the ones just before: they change nothing for those that follow. */
void reuse_add_again(struct reuse_histogram *histogram, size_t count);

/* The bucket of a distance. */
unsigned reuse_bucket(uint64_t distance);

/* Share of the accesses that hit a cache of that many items: distance below it. A bucket that the capacity cuts counts in
 * proportion. First accesses miss. 0 if there are no accesses. */
double reuse_hit_ratio(const struct reuse_histogram *histogram, double capacity_items);

#endif
