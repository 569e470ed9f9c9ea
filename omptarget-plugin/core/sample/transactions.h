/* Transactions of warp accesses in each space and at each level. Internal.
 *
 * Accesses that are affine in the lane and alike but for whole SHAPE_PERIODs of address cost the same, whatever array they are
 * to: each such shape is counted once. Sums are of whole numbers, so they do not depend on the order.
 *
 * Owner: a counter owns its shapes; transactions_close. Thread-safety: none. */
#ifndef PLACE_CORE_TRANSACTIONS_H
#define PLACE_CORE_TRANSACTIONS_H

#include "traits.h"

enum { SHAPE_PERIOD = 1024, SHAPE_HEADS = 512 }; /* bytes: lines, sectors and banks repeat with the period */

struct shape;

/* Transactions and distinct addresses of one warp access. */
struct shape_counts {
  uint8_t transactions[PLACE_SPACE_COUNT][TRAITS_MAX_LEVELS]; /* at most one a lane; 0 in spaces that are not asked for */
  uint8_t distinct;
  uint8_t banked; /* access_traits.banked */
};

struct transactions {
  struct chain chain[PLACE_SPACE_COUNT];
  const struct place_memory *banks; /* traits_banks */
  int8_t shift[PLACE_SPACE_COUNT][TRAITS_MAX_LEVELS]; /* transactions are distinct blocks of 2^shift bytes; -1: they are not */
  unsigned level[PLACE_SPACE_COUNT]; /* traits_count_level */
  struct shape *shapes;
  size_t count, capacity;
  int32_t head[SHAPE_HEADS];
  int32_t used; /* the first shape of the access that is being counted, -1: none */
  /* of that access */
  double events, distinct, banked, sum[PLACE_SPACE_COUNT][TRAITS_MAX_LEVELS], squares[PLACE_SPACE_COUNT];
};

void transactions_open(struct transactions *t, const struct place_machine *machine);
void transactions_close(struct transactions *t);

/* Adds one event of an access whose array has these candidates. 0, or -1 when out of memory. */
int transactions_add(struct transactions *t, const struct walk_event *event, place_space_set spaces);

/* The means over what was added since the last call, in *access. */
void transactions_take(struct transactions *t, struct access_traits *access);

#endif
