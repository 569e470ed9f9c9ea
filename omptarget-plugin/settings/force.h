/* PLACE_FORCE: spaces that the user asks for, region by region.
 *
 *   force  ::= clause (';' clause)*
 *   clause ::= region ':' what (',' what)*
 *   region ::= '*' | function | file ':' line | line | kernel name
 *   what   ::= array '=' space | array '@' route | 'all@' route | 'all=' space | 'version=' ('agnostic' | 'profile' | 'base' | loop-form number?)
 * array@route: a version whose loads of the array go that way (route.def); `all@`: those of as many arrays as some version has so.
 * Loop forms: loop.def. block3: the third version with iterations in blocks; block: the first.
 * A file matches with or without its directories. Later clauses add to earlier ones of the same region; two spaces for one array of one
 * region are an error.
 *
 * Owner: the result owns its strings; force_free. Thread-safety: read-only after parsing. Errors: NULL and a diagnostic. */
#ifndef PLACE_RT_FORCE_H
#define PLACE_RT_FORCE_H

#include "force_clause.h"
#include "place/region.h"

enum { FORCE_ARRAYS = 64 }; /* of which a route can be asked: as many as the compiler makes versions with */

struct force_choice {
  enum force_version version;
  enum place_loop_form loop;                 /* FORCE_LOOP */
  unsigned number;                           /* FORCE_LOOP: which, from 1 */
  bool any;                                  /* whether anything is forced for the region */
  bool hinted;                               /* by #pragma place in the source, not by PLACE_FORCE */
  bool asked[PLACE_MAX_PLACEABLE];           /* by placeable index: named, or global; `all` means those that can */
  enum place_space space[PLACE_MAX_PLACEABLE]; /* PLACE_GLOBAL where nothing is asked */
  bool routed;                               /* some route is asked for */
  int8_t route[FORCE_ARRAYS];                /* by array: enum place_route that was asked for by its name, or -1 */
  int all_route;                             /* the route that `all` asks for, or -1 */
  int all;                                   /* the space that `all` asks for, or -1 */
};

struct force *force_parse(const char *text, struct place_diag *diag);
void force_free(struct force *force);

/* Whether some version of the region loads the array that way. */
bool force_has_route(const struct place_region *region, size_t array, enum place_route route);

/* Why no version of the region has the array in that space, or NULL: one has. */
const char *force_why_not(const struct place_array *array, enum place_space space);

/* Says, once for each clause, what of it names none of these regions, none of their arrays, or a space that no version has the
 * array in: with the names that may be meant. say: as printf, a line. Not thread-safe. */
void force_check_names(struct force *force, const struct place_region *const *regions, size_t count,
                       void (*say)(const char *format, ...));

/* What is forced for a region: by PLACE_FORCE, or, if that says nothing of it, by the source's hints. -1 and a diagnostic if a clause names an array that the region does not have or that has no
 * such version; what can be honoured is in *choice all the same. A null `force` forces nothing. */
int force_apply(const struct force *force, const struct place_region *region, struct force_choice *choice,
                struct place_diag *diag);

#endif
