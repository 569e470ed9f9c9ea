/* The name that somebody may have meant: of those offered, the one with the fewest letters to change, add, drop or exchange
 * with their neighbour; upper and lower case count as equal.
 *
 * Owner: the caller, of the word and of the names. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_NEAREST_H
#define PLACE_NEAREST_H

#include <stddef.h>

struct place_nearest {
  const char *word;
  const char *best; /* NULL: none that is near enough */
  unsigned distance;
};

/* Names that differ in more than a third of the word's letters (at least one) are none that somebody may have meant. */
void place_nearest_start(struct place_nearest *nearest, const char *word);
void place_nearest_offer(struct place_nearest *nearest, const char *name);

/* Of a list that ends with NULL. */
const char *place_nearest_of(const char *word, const char *const *names);

#endif
