/* A forest of decision trees, as text: what model `learned` decides by. place-train writes it, docs/models.md says from what.
 *
 *   forest ::= 'place-forest' 1 NL  'spaces' NAME... NL  'trees' N NL  tree{N}  'end' fnv1a-64-of-all-bytes-before-this-line NL
 *   tree   ::= 'tree' NODES NL  node{NODES}             the first node is the root
 *   node   ::= 'split' FEATURE THRESHOLD LEFT RIGHT NL   nodes of the tree by number, behind this one; up to the threshold: left
 *            | 'leaf' VALUE... NL                        one for each space
 * '#' begins a line that says nothing. FEATURE: a name of core/model/array_features.def. A leaf's value: the logarithm of the
 * time that a launch takes with the array in that space over its time with the array in global memory.
 *
 * Owner: a forest that was read is the caller's; place_forest_free. Thread-safety: read-only after reading. Errors: NULL and a
 * diagnostic with the line and the remedy. */
#ifndef PLACE_FOREST_H
#define PLACE_FOREST_H

#include <stddef.h>

#include "place/diag.h"

struct place_forest;

struct place_forest *place_forest_read(const char *text, size_t length, struct place_diag *diag);
void place_forest_free(struct place_forest *forest); /* NULL is fine */

/* The one that is built in (core/model/learned.forest); NULL when out of memory. Static: not to be freed. Any thread may ask. */
const struct place_forest *place_forest_builtin(void);

#endif
