/* What a size class settled on: names and figures and no pointers into tables, so that it outlives the process that measured it.
 *
 * As text it is one line, for a store and for tests:
 *   verdict keeps=version|original version=ENTRY spaces=LETTERS base=ENTRY base-ns=X version-ns=X noise=X period=N [reason=TEXT to the end]
 * Keys that it does not know are passed over, so that a later version of this file may add some.
 *
 * Units: nanoseconds of a launch. Owner: the verdict owns its strings; verdict_free. Thread-safety: none of its own.
 * Errors: -1 and a message; *verdict is then empty. */
#ifndef PLACE_RT_VERDICT_H
#define PLACE_RT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "place/diag.h"
#include "place/region.h"

struct verdict {
  bool keeps_original; /* the version below came closest, and lost */
  char *version;       /* entry name; NULL: none was measured, the original is kept without */
  char spaces[PLACE_MAX_PLACEABLE + 1]; /* where it has each array, by placeable index: letters of space.def */
  char *base;          /* entry name of what it was measured against */
  double base_ns, version_ns; /* medians of its trial; 0: none was measured */
  double noise;        /* relative: how far the base's periods lay apart */
  unsigned period_launches; /* 0: launches never come again */
  char *reason;        /* why the original is kept; NULL: it is not */
};

void verdict_free(struct verdict *verdict);

/* As snprintf; the line has no newline at its end. */
size_t verdict_print(const struct verdict *verdict, char *out, size_t size);
int verdict_read(const char *text, struct verdict *verdict, struct place_diag *diag);

#endif
