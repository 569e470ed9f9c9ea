/* What happened to a size class, in the order in which it did: what was measured, what was settled on, and when. For the report.
 *
 * Nothing is kept of a class that was never looked at. The first HISTORY_MOST - 1 events are kept, and the last one; those in between
 * are counted in `dropped`.
 *
 * Units: nanoseconds, of the clock that the runtime uses. Owner: the class; history_free. Thread-safety: none of its own, the caller
 * holds the device's lock. Errors: without memory nothing is kept. */
#ifndef PLACE_RT_HISTORY_H
#define PLACE_RT_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "place/plan.h"

enum { HISTORY_MOST = 192 };

enum history_kind {
  HISTORY_LOOKED,   /* profiled and ranked; ns: what that took */
  HISTORY_RECALLED, /* an earlier run's choice was taken up */
  HISTORY_TRIED,    /* a launch of a trial; ns: its kernel */
  HISTORY_COMPARED, /* a launch that checks what was chosen; ns: its kernel */
  HISTORY_CHOSE,    /* settled on the plan */
  HISTORY_KEPT,     /* settled on the original */
  HISTORY_GAVE_UP,  /* what was chosen was slower later on */
  HISTORY_KINDS
};

struct history_event {
  uint64_t at_ns;
  double ns;      /* 0: nothing was measured */
  int version;    /* of the plan; -1: the original */
  uint64_t space; /* of the plan, four bits for each placeable array, the first lowest */
  enum history_kind kind;
};

struct history {
  struct history_event *event;
  unsigned count, room;
  uint64_t dropped;
};

/* plan: NULL: the original. */
void history_add(struct history *history, struct history_event event, const struct place_plan *plan);

/* The plan of an event, as far as a report needs it. */
struct place_plan history_plan(const struct history_event *event, unsigned placeable_count);

/* "looked at", "tried", ... */
const char *history_name(enum history_kind kind);

void history_free(struct history *history);

#endif
