/* Reuse distances by marks over time. */
#include "reuse.h"

#include <stdlib.h>

struct use {
  uint64_t item;
  uint32_t last; /* 1 + time of the last use; 0: empty */
};

/* A trace of `count` accesses. Each item is marked at its last use: a bit each time, and their numbers by words of 64 times in a
 * Fenwick tree. */
struct trace {
  struct use *use; /* open addressing, capacity a power of two above twice the number of accesses */
  uint64_t *mark;  /* [words] */
  int32_t *tree;   /* [words + 1] */
  size_t mask, words;
};

static struct use *use_of(struct trace *trace, uint64_t item) {
  size_t at = (size_t)((item * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & trace->mask;
  while (trace->use[at].last && trace->use[at].item != item) at = (at + 1) & trace->mask;
  trace->use[at].item = item;
  return &trace->use[at];
}

static void tree_add(struct trace *trace, size_t word, int change) {
  for (size_t at = word + 1; at <= trace->words; at += at & (0 - at)) trace->tree[at] += change;
}

static unsigned ones(uint64_t word) { /* fewer instructions than the library's where the target has none for it */
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* Marks up to that time. */
static unsigned marks_until(const struct trace *trace, size_t time) {
  int before = 0;
  for (size_t at = time / 64; at; at -= at & (0 - at)) before += trace->tree[at];
  return (unsigned)before + ones(trace->mark[time / 64] & (UINT64_MAX >> (63 - time % 64)));
}

static void move_mark(struct trace *trace, size_t from, size_t to) {
  trace->mark[from / 64] &= ~(UINT64_C(1) << from % 64);
  trace->mark[to / 64] |= UINT64_C(1) << to % 64;
  if (from / 64 == to / 64) return;
  tree_add(trace, from / 64, -1);
  tree_add(trace, to / 64, 1);
}

unsigned reuse_bucket(uint64_t distance) {
  unsigned b = distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;
  return b < REUSE_BUCKETS ? b : REUSE_BUCKETS - 1;
}

static void add_all(struct reuse_histogram *h, const uint64_t *items, size_t count, struct trace *trace) {
  unsigned marks = 0; /* items seen so far */
  for (size_t t = 0; t < count; t++) {
    struct use *use = use_of(trace, items[t]);
    if (use->last) {
      h->bucket[reuse_bucket(marks - marks_until(trace, use->last - 1))]++;
      move_mark(trace, use->last - 1, t);
    } else {
      h->first++;
      marks++;
      trace->mark[t / 64] |= UINT64_C(1) << t % 64;
      tree_add(trace, t / 64, 1);
    }
    use->last = (uint32_t)t + 1;
  }
  h->accesses += count;
}

int reuse_add_trace(struct reuse_histogram *histogram, const uint64_t *items, size_t count) {
  struct trace trace = {.words = count / 64 + 1};
  size_t capacity = 4;
  if (count >= UINT32_MAX) return -1;
  while (capacity < 2 * count + 1) capacity *= 2;
  trace.mask = capacity - 1;
  trace.use = calloc(capacity, sizeof *trace.use);
  trace.mark = calloc(trace.words, sizeof *trace.mark);
  trace.tree = calloc(trace.words + 1, sizeof *trace.tree);
  int rc = trace.use && trace.mark && trace.tree ? 0 : -1;
  if (rc == 0) add_all(histogram, items, count, &trace);
  free(trace.use);
  free(trace.mark);
  free(trace.tree);
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
