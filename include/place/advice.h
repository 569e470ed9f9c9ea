/* Advice on duplication (paper 000, 5.3.1): an array that a region both reads and writes can be in no read-only place, be it by one
 * name or by two arrays that overlap. Where some reads are not of the elements that the same iteration writes, threads race, or each
 * iteration reads what others write; if the result does not depend on who comes first, the reads can go to a copy that is made
 * before each launch, and the copy can be placed. Whether it does not depend, only the programmer knows: this is a suggestion.
 *
 * Asked for is the best plan of the region as it is, and of the region with the array's reads from a copy; from the second's
 * predicted time making the copy is taken off: T(as is) - (T(with the copy) + copy), with
 *   copy = time of an empty kernel + 2 * bytes / bandwidth of device memory, and, where the copy is in constant memory, filling that.
 * A machine file without the first counts as 2 us, one without a bandwidth by its transactions.
 *
 * Owner: the caller. Thread-safety: pure functions. Errors: -1 and a diagnostic. */
#ifndef PLACE_ADVICE_H
#define PLACE_ADVICE_H

#include "place/plan.h"

enum { PLACE_MAX_ADVICE = 4 };

struct place_advice {
  int array;                        /* of the region */
  unsigned read_line, written_line; /* of the first such read, and of a write; 0: not known */
  enum place_space space;           /* of the copy in the best plan */
  double now_ns;                    /* predicted of the best plan as it is */
  double then_ns, copy_ns;          /* of the best plan with the copy, without making it; and making it */
};

/* Whether a copy of some array could be thought of. overlaps: [region->array_count] which arrays that are only read overlap, at the
 * launch, one that is written; NULL: none does. */
bool place_advice_is_due(const struct place_table *table, const struct place_region *region, const bool *overlaps);

/* Copies that are predicted to gain more than that fraction of the time, one at a time, the most first; by the question's model, or by
 * `place` where that has no unit. Returns how many, at most PLACE_MAX_ADVICE. */
int place_advise(const struct place_question *question, const bool *overlaps, double threshold, struct place_advice *out,
                 struct place_diag *diag);

#endif
