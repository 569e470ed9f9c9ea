/* PLACE_FORCE as it was read, and what its words match. For force.c and force_names.c alone, but for the versions' names.
 *
 * Owner: struct force, its strings. Thread-safety: read-only after parsing, but for `told`. Errors: none. */
#ifndef PLACE_RT_FORCE_CLAUSE_H
#define PLACE_RT_FORCE_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "place/region.h"

enum force_version { FORCE_ANY, FORCE_AGNOSTIC, FORCE_PROFILE, FORCE_BASE, FORCE_LOOP };

struct force_item {
  char *array; /* NULL: all */
  enum place_space space;
  int route;                  /* enum place_route: the item is `array@route`; -1: it is not */
  enum force_version version; /* not FORCE_ANY: the item is `version=` */
  enum place_loop_form loop;  /* FORCE_LOOP */
  unsigned number;            /* FORCE_LOOP: which */
};

struct force_clause {
  char *region;
  struct force_item *items;
  size_t count;
  bool told; /* what of it matches nothing was said */
};

struct force {
  struct force_clause *clauses;
  size_t count;
};

bool force_is_region(const char *pattern, const struct place_region *region);
bool force_is_array(const char *pattern, const struct place_array *array);

#endif
