/* Counting transactions, shape by shape. */
#include "transactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

struct shape {
  uint64_t step;
  uint32_t active;
  uint16_t base;  /* of the first active lane, within the period */
  uint16_t spaces;
  int32_t next;   /* of the same hash */
  int32_t used;   /* the next shape of the access that is being counted */
  uint32_t times; /* that it has it */
  struct shape_counts counts;
};

static int8_t shift_of(const struct place_memory *memory, unsigned space) {
  uint64_t bytes = memory->serial ? msl_serial_block_bytes(memory) : place_space_home(space) == PLACE_HOME_CONSTANT ? 1 : traits_block_bytes(memory);
  return bytes && !(bytes & (bytes - 1)) ? (int8_t)__builtin_ctzll(bytes) : -1;
}

void transactions_open(struct transactions *t, const struct place_machine *machine) {
  *t = (struct transactions){.used = -1};
  memset(t->head, -1, sizeof t->head);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    t->chain[s] = traits_chain(machine, (enum place_space)s);
    t->level[s] = traits_count_level(machine, (enum place_space)s);
    for (unsigned j = 0; j < t->chain[s].count; j++) t->shift[s][j] = shift_of(t->chain[s].level[j], s);
  }
  t->banks = traits_banks(machine);
}

void transactions_close(struct transactions *t) {
  free(t->shapes);
  t->shapes = NULL;
}

/* ---- one event ---- */

/* Addresses of the active lanes. Returns how many. */
static unsigned gather(const struct walk_event *event, uint64_t *address) {
  unsigned n = 0;
  for (uint32_t left = event->active; left; left &= left - 1)
    address[n++] = (uint64_t)walk_offset(event, (unsigned)__builtin_ctz(left));
  return n;
}

/* The addresses of one event, and how many blocks of 2^shift bytes they lie in, as far as it was asked for. */
struct addresses {
  unsigned n;
  uint64_t lane[LANES], sorted[LANES];
  uint64_t apart[LANES]; /* bits in which a sorted address differs from the one before */
  uint8_t blocks[64]; /* 0: not counted yet */
};

/* Ascending: nothing to do for most, which do already. */
static void sort(struct addresses *a) {
  for (unsigned i = 0; i < a->n; i++) {
    unsigned at = i;
    for (; at > 0 && a->sorted[at - 1] > a->lane[i]; at--) a->sorted[at] = a->sorted[at - 1];
    a->sorted[at] = a->lane[i];
  }
  for (unsigned i = 1; i < a->n; i++) a->apart[i] = a->sorted[i] ^ a->sorted[i - 1];
}

static unsigned count_blocks(struct addresses *a, int shift) {
  unsigned blocks = a->n > 0;
  if (a->blocks[shift]) return a->blocks[shift];
  for (unsigned i = 1; i < a->n; i++) blocks += a->apart[i] >> shift != 0;
  return a->blocks[shift] = (uint8_t)blocks;
}

static unsigned count_level(const struct transactions *t, unsigned space, unsigned level, struct addresses *a) {
  const struct place_memory *memory = t->chain[space].level[level];
  if (t->shift[space][level] >= 0) return count_blocks(a, t->shift[space][level]);
  return memory->serial ? msl_transactions(memory, a->lane, a->n)
                        : msl_distinct_blocks(a->lane, a->n, traits_block_bytes(memory));
}

static void count_event(const struct transactions *t, const struct walk_event *event, place_space_set spaces,
                        struct shape_counts *counts) {
  struct addresses a;
  a.n = gather(event, a.lane);
  memset(a.blocks, 0, sizeof a.blocks);
  memset(counts, 0, sizeof *counts);
  sort(&a);
  counts->distinct = (uint8_t)count_blocks(&a, 0);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    for (unsigned j = 0; j < t->chain[s].count && (spaces & PLACE_SPACE_BIT(s)); j++)
      counts->transactions[s][j] = (uint8_t)count_level(t, s, j, &a);
  if (!event->lane || !t->banks) return;
  bool counted = spaces & PLACE_SPACE_BIT(PLACE_SHARED); /* a chain of one level, with the same banks */
  counts->banked = counted ? counts->transactions[PLACE_SHARED][0] : (uint8_t)msl_transactions(t->banks, a.lane, a.n);
}

static void add_counts(struct transactions *t, const struct shape_counts *counts, double times) {
  t->events += times;
  t->distinct += times * counts->distinct;
  t->banked += times * counts->banked;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    double n = counts->transactions[s][t->level[s]];
    t->squares[s] += times * n * n;
    for (unsigned j = 0; j < t->chain[s].count; j++) t->sum[s][j] += times * counts->transactions[s][j];
  }
}

/* ---- shapes ---- */

static int32_t new_shape(struct transactions *t, struct shape shape, const struct walk_event *event, unsigned hash) {
  if (t->count == t->capacity) {
    size_t capacity = t->capacity ? 2 * t->capacity : 128;
    struct shape *more = realloc(t->shapes, capacity * sizeof *more);
    if (!more) return -1;
    t->shapes = more;
    t->capacity = capacity;
  }
  count_event(t, event, shape.spaces, &shape.counts);
  shape.next = t->head[hash];
  t->shapes[t->count] = shape;
  return t->head[hash] = (int32_t)t->count++;
}

/* The shape of an affine event; -1 when out of memory. */
static int32_t find_shape(struct transactions *t, const struct walk_event *event, place_space_set spaces) {
  struct shape shape = {.step = event->step, .active = event->active, .spaces = (uint16_t)spaces};
  shape.base = (uint16_t)((uint64_t)walk_offset(event, (unsigned)__builtin_ctz(event->active)) % SHAPE_PERIOD);
  uint64_t mixed = (shape.step * 31 + shape.base) * UINT64_C(0x9e3779b97f4a7c15) + shape.active + spaces;
  unsigned hash = (unsigned)((mixed * UINT64_C(0xd6e8feb86659fd93)) >> 40) % SHAPE_HEADS;
  for (int32_t i = t->head[hash]; i >= 0; i = t->shapes[i].next) {
    const struct shape *have = &t->shapes[i];
    if (have->base == shape.base && have->step == shape.step && have->active == shape.active && have->spaces == shape.spaces)
      return i;
  }
  return new_shape(t, shape, event, hash);
}

int transactions_add(struct transactions *t, const struct walk_event *event, place_space_set spaces) {
  if (event->lane) {
    struct shape_counts counts;
    count_event(t, event, spaces, &counts);
    return add_counts(t, &counts, 1), 0;
  }
  int32_t i = find_shape(t, event, spaces);
  if (i < 0) return -1;
  if (t->shapes[i].times++ == 0) t->shapes[i].used = t->used, t->used = i;
  return 0;
}

/* ---- means ---- */

static void take_mean(const struct transactions *t, struct access_traits *access) {
  access->distinct = t->distinct / t->events;
  access->banked = t->banked / t->events;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    for (unsigned j = 0; j < t->chain[s].count; j++) access->transactions[s][j] = t->sum[s][j] / t->events;
    double mean = access->transactions[s][t->level[s]], variance = t->squares[s] / t->events - mean * mean;
    access->bound[s] = mean > 0 && variance > 1e-9 * mean * mean ? 2 * sqrt(variance / t->events) / mean : 0;
  }
}

void transactions_take(struct transactions *t, struct access_traits *access) {
  for (; t->used >= 0; t->used = t->shapes[t->used].used) {
    add_counts(t, &t->shapes[t->used].counts, t->shapes[t->used].times);
    t->shapes[t->used].times = 0;
  }
  if (t->events > 0) take_mean(t, access);
  t->events = t->distinct = t->banked = 0;
  memset(t->sum, 0, sizeof t->sum);
  memset(t->squares, 0, sizeof t->squares);
}
