/* A forest, evaluated. Internal.
 *
 * Thread-safety: pure functions. */
#ifndef PLACE_CORE_FOREST_H
#define PLACE_CORE_FOREST_H

#include "array_features.h"
#include "place/forest.h"
#include "place/region.h"

enum { FOREST_MAX_TREES = 256, FOREST_MAX_NODES = 4096 /* of a tree */ };

/* The spaces that it was trained for, and has values of. */
place_space_set forest_spaces(const struct place_forest *forest);

/* value: of each of its spaces, the mean of the trees' leaves that the row comes to; 0 of others. */
void forest_value(const struct place_forest *forest, const double row[FEATURE_COUNT], double value[PLACE_SPACE_COUNT]);

#endif
