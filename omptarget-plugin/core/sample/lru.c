/* A hash table of lines, and a list of them in the order of their last uses. */
#include "lru.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

struct line {
  uint64_t number;
  uint32_t blocks; /* bit b: block b is there */
  uint32_t newer, older, next; /* in the order of uses; in its bucket */
};

struct lru {
  size_t lines, used;
  uint32_t newest, oldest;
  uint32_t *bucket;
  unsigned shift; /* 64 less the logarithm of the number of buckets */
  struct line line[];
};

struct lru *lru_new(size_t lines) {
  struct lru *c = malloc(sizeof *c + lines * sizeof *c->line);
  if (!c) return NULL;
  c->lines = lines;
  for (c->shift = 63; (size_t)1 << (64 - c->shift) < lines; c->shift--) {}
  c->bucket = malloc(((size_t)1 << (64 - c->shift)) * sizeof *c->bucket);
  if (!c->bucket) return free(c), NULL;
  lru_empty(c);
  return c;
}

void lru_free(struct lru *cache) {
  if (cache) free(cache->bucket);
  free(cache);
}

void lru_empty(struct lru *c) {
  c->used = 0;
  c->newest = c->oldest = NONE;
  for (size_t i = 0; i < (size_t)1 << (64 - c->shift); i++) c->bucket[i] = NONE;
}

static uint32_t *bucket_of(struct lru *c, uint64_t number) { return &c->bucket[number * UINT64_C(0x9e3779b97f4a7c15) >> c->shift]; }

static void unlink_use(struct lru *c, uint32_t n) {
  struct line *l = &c->line[n];
  *(l->newer == NONE ? &c->newest : &c->line[l->newer].older) = l->older;
  *(l->older == NONE ? &c->oldest : &c->line[l->older].newer) = l->newer;
}

static void make_newest(struct lru *c, uint32_t n) {
  c->line[n].newer = NONE;
  c->line[n].older = c->newest;
  *(c->newest == NONE ? &c->oldest : &c->line[c->newest].newer) = n;
  c->newest = n;
}

/* Room for one more line. */
static uint32_t take_room(struct lru *c) {
  if (c->used < c->lines) return (uint32_t)c->used++;
  uint32_t n = c->oldest, *at = bucket_of(c, c->line[n].number);
  while (*at != n) at = &c->line[*at].next;
  *at = c->line[n].next;
  unlink_use(c, n);
  return n;
}

bool lru_touch(struct lru *c, uint64_t number, unsigned block) {
  uint32_t n = *bucket_of(c, number);
  while (n != NONE && c->line[n].number != number) n = c->line[n].next;
  if (n != NONE) unlink_use(c, n);
  else {
    n = take_room(c);
    uint32_t *bucket = bucket_of(c, number);
    c->line[n] = (struct line){.number = number, .next = *bucket};
    *bucket = n;
  }
  make_newest(c, n);
  bool hit = c->line[n].blocks >> block & 1;
  c->line[n].blocks |= UINT32_C(1) << block;
  return hit;
}
