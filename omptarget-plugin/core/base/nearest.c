/* The nearest of several names: optimal string alignment. */
#include "place/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 80 }; /* letters that are compared */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static int letter(const char *text, size_t at) { return toupper((unsigned char)text[at]); }

/* One row of the table: what it takes to make b's beginnings of a's first i letters. */
static void fill_row(const char *a, size_t i, const char *b, size_t columns, unsigned row[3][MOST + 1]) {
  row[2][0] = (unsigned)i;
  for (size_t j = 1; j <= columns; j++) {
    bool same = letter(a, i - 1) == letter(b, j - 1);
    row[2][j] = least(least(row[1][j], row[2][j - 1]) + 1, row[1][j - 1] + !same);
    bool exchanged = i > 1 && j > 1 && letter(a, i - 1) == letter(b, j - 2) && letter(a, i - 2) == letter(b, j - 1);
    if (exchanged) row[2][j] = least(row[2][j], row[0][j - 2] + 1);
  }
}

static unsigned distance(const char *a, const char *b) {
  size_t rows = strnlen(a, MOST), columns = strnlen(b, MOST);
  unsigned row[3][MOST + 1] = {{0}};
  for (size_t j = 0; j <= columns; j++) row[1][j] = (unsigned)j;
  for (size_t i = 1; i <= rows; i++) {
    fill_row(a, i, b, columns, row);
    memmove(row[0], row[1], 2 * sizeof row[0]);
  }
  return row[1][columns];
}

void place_nearest_start(struct place_nearest *nearest, const char *word) {
  size_t third = strlen(word) / 3;
  *nearest = (struct place_nearest){word, NULL, (unsigned)(third ? third : 1) + 1};
}

void place_nearest_offer(struct place_nearest *nearest, const char *name) {
  unsigned d = distance(nearest->word, name);
  if (d >= nearest->distance) return;
  nearest->distance = d;
  nearest->best = name;
}

const char *place_nearest_of(const char *word, const char *const *names) {
  struct place_nearest nearest;
  place_nearest_start(&nearest, word);
  for (; *names; names++) place_nearest_offer(&nearest, *names);
  return nearest.best;
}
