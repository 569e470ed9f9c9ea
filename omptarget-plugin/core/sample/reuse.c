/* Reuse distances by marks over time. */
#include "reuse.h"

#include <stdlib.h>
#include <string.h>

struct use {
  uint64_t item;
  uint64_t last; /* clock of the last use, of this trace if it is beyond the trace's begin; else the place is empty */
};

/* Each item of a trace is marked at its last use: a bit each time, and their numbers by words of 64 times in a Fenwick tree. */
struct reuse_room {
  struct use *use; /* open addressing, capacity a power of two above twice the number of accesses */
  uint64_t *mark;  /* [words] */
  int32_t *tree;   /* [words + 1] */
  size_t mask, words;
  uint64_t clock;  /* accesses so far */
};

/* begin: the clock before the trace. */
static struct use *use_of(struct reuse_room *room, uint64_t begin, uint64_t item) {
  size_t at = (size_t)((item * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & room->mask;
  while (room->use[at].last > begin && room->use[at].item != item) at = (at + 1) & room->mask;
  return &room->use[at];
}

static void tree_add(struct reuse_room *room, size_t word, int change) {
  for (size_t at = word + 1; at <= room->words; at += at & (0 - at)) room->tree[at] += change;
}

static unsigned ones(uint64_t word) { /* fewer instructions than the library's where the target has none for it */
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* Marks up to that time. */
static unsigned marks_until(const struct reuse_room *room, size_t time) {
  int before = 0;
  for (size_t at = time / 64; at; at -= at & (0 - at)) before += room->tree[at];
  return (unsigned)before + ones(room->mark[time / 64] & (UINT64_MAX >> (63 - time % 64)));
}

static void move_mark(struct reuse_room *room, size_t from, size_t to) {
  room->mark[from / 64] &= ~(UINT64_C(1) << from % 64);
  room->mark[to / 64] |= UINT64_C(1) << to % 64;
  if (from / 64 == to / 64) return;
  tree_add(room, from / 64, -1);
  tree_add(room, to / 64, 1);
}

unsigned reuse_bucket(uint64_t distance) {
  unsigned b = distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;
  return b < REUSE_BUCKETS ? b : REUSE_BUCKETS - 1;
}

void reuse_add_trace_in(struct reuse_room *room, struct reuse_histogram *h, const uint64_t *items, size_t count) {
  unsigned marks = 0; /* items seen so far */
  uint64_t begin = room->clock;
  room->words = count / 64 + 1;
  memset(room->mark, 0, room->words * sizeof *room->mark);
  memset(room->tree, 0, (room->words + 1) * sizeof *room->tree);
  for (size_t t = 0; t < count; t++) {
    struct use *use = use_of(room, begin, items[t]);
    if (use->last > begin) {
      size_t last = (size_t)(use->last - begin - 1);
      h->bucket[reuse_bucket(marks - marks_until(room, last))]++;
      move_mark(room, last, t);
    } else {
      h->first++;
      marks++;
      room->mark[t / 64] |= UINT64_C(1) << t % 64;
      tree_add(room, t / 64, 1);
    }
    *use = (struct use){items[t], ++room->clock};
  }
  h->accesses += count;
}

void reuse_add_again(struct reuse_histogram *h, size_t count) {
  if (count) h->bucket[reuse_bucket(count - 1)] += count; /* all the others in between */
  h->accesses += count;
}

struct reuse_room *reuse_room_new(size_t most) {
  struct reuse_room *room = calloc(1, sizeof *room);
  size_t capacity = 4;
  if (!room || most > SIZE_MAX / 64 || most >= INT32_MAX) return free(room), NULL;
  while (capacity < 2 * most + 1) capacity *= 2;
  room->mask = capacity - 1;
  room->use = calloc(capacity, sizeof *room->use);
  room->mark = malloc((most / 64 + 1) * sizeof *room->mark);
  room->tree = malloc((most / 64 + 2) * sizeof *room->tree);
  if (room->use && room->mark && room->tree) return room;
  reuse_room_free(room);
  return NULL;
}

void reuse_room_free(struct reuse_room *room) {
  if (!room) return;
  free(room->use);
  free(room->mark);
  free(room->tree);
  free(room);
}

int reuse_add_trace(struct reuse_histogram *histogram, const uint64_t *items, size_t count) {
  struct reuse_room *room = reuse_room_new(count);
  if (!room) return -1;
  reuse_add_trace_in(room, histogram, items, count);
  reuse_room_free(room);
  return 0;
}

double reuse_hit_ratio(const struct reuse_histogram *histogram, double capacity_items) {
  double hits = 0;
  if (!histogram->accesses) return 0;
  for (unsigned b = 0, last = reuse_bucket(histogram->accesses); b <= last; b++) { /* no distance is beyond their number */
    if (!histogram->bucket[b]) continue;
    double begin = b ? (double)(UINT64_C(1) << (b - 1)) : 0, end = (double)(UINT64_C(1) << b);
    double part = (capacity_items - begin) / (end - begin);
    hits += (double)histogram->bucket[b] * (part < 0 ? 0 : part > 1 ? 1 : part);
  }
  return hits / (double)histogram->accesses;
}
