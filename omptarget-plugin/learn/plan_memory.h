/* Plans with their windows, for launches that look alike but for their addresses: making one takes the model a while. A ring of
 * PLAN_MEMORY_ENTRIES; an entry belongs to a plan of a class (index) in a generation of it.
 *
 * Owner: the memory owns copies of the keys; plan_memory_free. Thread-safety: none of its own. Errors: what there is no room for
 * is not remembered. */
#ifndef PLACE_RT_PLAN_MEMORY_H
#define PLACE_RT_PLAN_MEMORY_H

#include "place/plan.h"

enum { PLAN_MEMORY_ENTRIES = 16 };

struct plan_memo {
  uint64_t *key; /* NULL: empty */
  unsigned key_words;
  int index;
  unsigned generation;
  struct place_plan plan;
  char refused[200]; /* why it cannot be made, or "" */
};

struct plan_memory {
  struct plan_memo *entry; /* [PLAN_MEMORY_ENTRIES]; NULL: none yet */
  unsigned next;
};

/* NULL: not there. Valid until the next is put there. */
const struct plan_memo *plan_memory_find(const struct plan_memory *memory, const uint64_t *key, unsigned words, int index,
                                         unsigned generation);

/* A copy of `memo`, its key too. */
void plan_memory_put(struct plan_memory *memory, const struct plan_memo *memo);

void plan_memory_free(struct plan_memory *memory);

#endif
