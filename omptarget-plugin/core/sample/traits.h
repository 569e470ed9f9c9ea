/* What the sampled accesses of each array look like to each memory. Internal. */
#ifndef PLACE_CORE_TRAITS_H
#define PLACE_CORE_TRAITS_H

#include "candidates.h"
#include "reuse.h"
#include "walk.h"

enum { TRAITS_MAX_LEVELS = 4, TRAITS_LINE_BYTES = 128, TRAITS_BLOCK_BYTES = 32 };

/* The levels that an access to a space's memory meets, nearest first. */
struct chain {
  const struct place_memory *level[TRAITS_MAX_LEVELS];
  unsigned count;
};
struct chain traits_chain(const struct place_machine *machine, enum place_space space);

/* Shared memory, where the nearest cache of global memory has its banks: the file gives that cache a `transactions` curve, which
 * is of lines that meet in no bank (docs/msl.md). Else NULL. */
const struct place_memory *traits_banks(const struct place_machine *machine);

/* The level of a space's chain that is the space's memory itself, whose serial condition says what a transaction is. */
unsigned traits_count_level(const struct place_machine *machine, enum place_space space);

/* Bytes of a cache line (tag granularity) and of a transfer of that memory; where the file does not say TRAITS_LINE_BYTES and TRAITS_BLOCK_BYTES. */
uint64_t traits_line_bytes(const struct place_memory *memory);
uint64_t traits_block_bytes(const struct place_memory *memory);

struct access_traits {
  double executions;                                            /* warp accesses of the whole launch */
  double transactions[PLACE_SPACE_COUNT][TRAITS_MAX_LEVELS];    /* per warp access, by level of the space's chain */
  double banked; /* accesses one after another to the busiest bank of the nearest cache (traits_banks), where addresses are not
                  * affine in the lane; 0: they are, or it has no banks */
  double distinct;                                              /* distinct addresses per warp access */
  double bound[PLACE_SPACE_COUNT]; /* relative error of the mean transactions (traits_count_level): twice the standard error */
  bool sequential; /* known addresses that move on by the access's width from one execution of its loop to the next */
  unsigned reads_beside; /* reads in the body of the access's loop, with it; at least 1 */
  size_t alike;          /* an access before of which all of the above and of the walk's counts holds, too, and which is to the
                          * same array in the same way in the same loop: a model takes both to cost the same; or itself */
};

struct array_traits {
  double accesses_per_warp;
  struct reuse_histogram reuse; /* of the nearest global level's lines, a warp's accesses as one trace */
  bool irregular;               /* an address is not known from the launch alone */
  char pattern[64];             /* as in struct place_array_summary */
};

struct traits {
  struct access_traits *access; /* [region->access_count] */
  struct array_traits *array;   /* [region->array_count] */
  struct chain chain[PLACE_SPACE_COUNT]; /* traits_chain */
};

void traits_free(struct traits *traits);

#endif
