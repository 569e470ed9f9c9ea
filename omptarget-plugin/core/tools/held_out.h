/* Forests for cases that they were not fitted to, from files that place-train --folds wrote: DIR/PROGRAM.forest, PROGRAM the source
 * file's stem, or else DIR/default.forest. Internal to place-models.
 *
 * Owner: the forests are the list's; held_out_close. Errors: -1 and a diagnostic with the file. */
#ifndef PLACE_CORE_HELD_OUT_H
#define PLACE_CORE_HELD_OUT_H

#include "place/case.h"

/* Sets `forest` of each case; forest: [count], all NULL. */
int held_out_open(const char *folder, struct place_case *cases, size_t count, struct place_forest **forest, struct place_diag *diag);
void held_out_close(struct place_forest **forest, size_t count);

#endif
