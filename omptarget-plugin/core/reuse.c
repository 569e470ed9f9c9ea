/* Reuse distances by a Fenwick tree over time. */
#include "reuse.h"

#include <stdlib.h>

struct uses { /* open addressing, capacity a power of two above twice the number of accesses */
  uint64_t *item;
  size_t *last; /* 1 + time of the last use; 0: empty */
  size_t mask;
};

static size_t *last_use(struct uses *uses, uint64_t item) {
  uint64_t hash = item * UINT64_C(0x9e3779b97f4a7c15);
  size_t at = (size_t)(hash >> 20) & uses->mask;
  while (uses->last[at] && uses->item[at] != item) at = (at + 1) & uses->mask;
  uses->item[at] = item;
  return &uses->last[at];
}

static void tree_add(int *tree, size_t count, size_t at, int change) { /* at: from 1 */
  for (; at <= count; at += at & (0 - at)) tree[at] += change;
}

static int tree_sum(const int *tree, size_t at) {
  int sum = 0;
  for (; at; at -= at & (0 - at)) sum += tree[at];
  return sum;
}

unsigned reuse_bucket(uint64_t distance) {
  unsigned b = distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;
  return b < REUSE_BUCKETS ? b : REUSE_BUCKETS - 1;
}

static void add_all(struct reuse_histogram *h, const uint64_t *items, size_t count, struct uses *uses, int *tree) {
  int marks = 0; /* items seen so far */
  for (size_t t = 1; t <= count; t++) {
    size_t *last = last_use(uses, items[t - 1]);
    if (*last) {
      h->bucket[reuse_bucket((uint64_t)(marks - tree_sum(tree, *last)))]++;
      tree_add(tree, count, *last, -1);
    } else {
      h->first++;
      marks++;
    }
    tree_add(tree, count, t, 1);
    *last = t;
  }
  h->accesses += count;
}

int reuse_add_trace(struct reuse_histogram *histogram, const uint64_t *items, size_t count) {
  struct uses uses = {NULL, NULL, 0};
  size_t capacity = 4;
  if (count > SIZE_MAX / 64) return -1;
  while (capacity < 2 * count + 1) capacity *= 2;
  uses.mask = capacity - 1;
  uses.item = malloc(capacity * sizeof *uses.item);
  uses.last = calloc(capacity, sizeof *uses.last);
  int *tree = calloc(count + 1, sizeof *tree);
  int rc = uses.item && uses.last && tree ? 0 : -1;
  if (rc == 0) add_all(histogram, items, count, &uses, tree);
  free(uses.item);
  free(uses.last);
  free(tree);
  return rc;
}

double reuse_hit_ratio(const struct reuse_histogram *histogram, double capacity_items) {
  double hits = 0;
  if (!histogram->accesses) return 0;
  for (unsigned b = 0; b < REUSE_BUCKETS; b++) {
    if (!histogram->bucket[b]) continue;
    double begin = b ? (double)(UINT64_C(1) << (b - 1)) : 0, end = (double)(UINT64_C(1) << b);
    double part = (capacity_items - begin) / (end - begin);
    hits += (double)histogram->bucket[b] * (part < 0 ? 0 : part > 1 ? 1 : part);
  }
  return hits / (double)histogram->accesses;
}
