/* The totals of bytes that arrays can make of a space, each of them in it or not. Internal.
 *
 * A class of a space is a window of bytes; of a narrow one no bound on costs tells that the arrays left miss it.
 *
 * Owner: plain data. Thread-safety: none while arrays are added. */
#ifndef PLACE_CORE_SOLVE_SUMS_H
#define PLACE_CORE_SOLVE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum { SUMS_MOST = 10 }; /* arrays */

struct sums {
  unsigned arrays;
  unsigned end[SUMS_MOST + 1];      /* of the totals of the first so many arrays; they begin where those of one less end */
  uint64_t total[2 << SUMS_MOST];   /* ascending, each once */
};

void sums_start(struct sums *sums);

/* One more array, of at most SUMS_MOST: may it be in the space, and may it be out of it. */
void sums_add(struct sums *sums, uint64_t bytes, bool in, bool out);

/* Whether the first so many arrays can make a total from `least` to `most`, both included. */
bool sums_reach(const struct sums *sums, unsigned arrays, uint64_t least, uint64_t most);

#endif
