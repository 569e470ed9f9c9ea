#include "history.h"

#include <stdlib.h>

enum { SPACE_BITS = 4 };
_Static_assert(PLACE_SPACE_COUNT <= 1 << SPACE_BITS && PLACE_MAX_PLACEABLE * SPACE_BITS <= 64, "spaces of a plan fit into a word");

static struct history_event *room_for_one(struct history *h) {
  if (h->count < h->room) return &h->event[h->count++];
  if (h->room == HISTORY_MOST) return h->dropped++, &h->event[HISTORY_MOST - 1];
  unsigned room = h->room ? 2 * h->room : 12;
  if (room > HISTORY_MOST) room = HISTORY_MOST;
  struct history_event *more = realloc(h->event, room * sizeof *more);
  if (!more) return NULL;
  h->event = more;
  h->room = room;
  return &h->event[h->count++];
}

void history_add(struct history *h, struct history_event event, const struct place_plan *plan) {
  struct history_event *to = room_for_one(h);
  if (!to) return;
  *to = event;
  to->version = plan ? plan->version : -1;
  to->space = 0;
  for (unsigned p = 0; plan && p < plan->placeable_count; p++) to->space |= (uint64_t)plan->array[p].space << SPACE_BITS * p;
}

struct place_plan history_plan(const struct history_event *event, unsigned placeable_count) {
  struct place_plan plan = {.version = event->version, .placeable_count = placeable_count};
  for (unsigned p = 0; p < placeable_count; p++)
    plan.array[p].space = (enum place_space)(event->space >> SPACE_BITS * p & ((1u << SPACE_BITS) - 1));
  return plan;
}

const char *history_name(enum history_kind kind) {
  static const char *const names[HISTORY_KINDS] = {
    [HISTORY_LOOKED] = "looked at", [HISTORY_RECALLED] = "recalled", [HISTORY_TRIED] = "tried", [HISTORY_COMPARED] = "compared",
    [HISTORY_CHOSE] = "chose", [HISTORY_KEPT] = "kept", [HISTORY_GAVE_UP] = "gave up"};
  return (unsigned)kind < HISTORY_KINDS ? names[kind] : "?";
}

void history_free(struct history *h) {
  free(h->event);
  *h = (struct history){0};
}
