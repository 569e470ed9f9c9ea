/* Which spaces each array of a region can take at a launch, and what a copy of it must hold. Internal. */
#ifndef PLACE_CORE_CANDIDATES_H
#define PLACE_CORE_CANDIDATES_H

#include "launch_shape.h"

struct candidate {
  struct place_extent window; /* what the reads of the launch can touch, within the mapped section */
  bool whole;                 /* an access is irregular: the window is the whole section */
  place_space_set spaces;     /* PLACE_GLOBAL always */
  place_space_set unrated;    /* where it may be, too, but of which the machine file does not say what a model would need */
  char excluded[PLACE_SPACE_COUNT][80]; /* why not, "" for those in `spaces` */
};

/* candidates: [region->array_count]. */
int candidates_find(const struct place_question *question, struct candidate *candidates, struct place_diag *diag);

/* Dynamic shared memory that a team's staged copies can have together. */
uint64_t candidates_shared_capacity(const struct place_machine *machine, const struct place_launch *launch);

/* The same of constant memory. */
uint64_t candidates_constant_capacity(const struct place_machine *machine, const struct place_launch *launch);

/* Sizes of the slot that a copy takes. */
uint64_t candidates_shared_slot(uint64_t window_bytes);
uint64_t candidates_constant_slot(uint64_t window_bytes);

/* The same of a space whose copies lie in either; 0 of others. */
uint64_t candidates_capacity(const struct place_machine *machine, const struct place_launch *launch, enum place_space space);
uint64_t candidates_slot(enum place_space space, uint64_t window_bytes);

/* The name that the space's memory has in a machine file. */
const struct place_memory *candidates_memory(const struct place_machine *machine, enum place_space space);

#endif
