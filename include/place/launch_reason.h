/* Why the runtime leaves something as it is: what launch_reason.def lists. Each text is a constant, WHY_ and its identifier, so that the
 * compiler sees the format where it is used.
 *
 * Thread-safety: constants and pure functions only. */
#ifndef PLACE_LAUNCH_REASON_H
#define PLACE_LAUNCH_REASON_H

#include <stddef.h>

#define PLACE_LAUNCH_REASON(identifier, of, text, remedy) static const char WHY_##identifier[] __attribute__((unused)) = text;
#include "place/launch_reason.def"
#undef PLACE_LAUNCH_REASON

struct place_launch_reason {
  const char *identifier;
  const char *of;     /* what is left alone for it, with commas between: region, launch, size, array, constant memory, version, plan, profile */
  const char *text;   /* a printf format; a part of a sentence, for behind a colon */
  const char *remedy; /* a sentence, or "" */
};

enum { PLACE_LAUNCH_REASON_COUNT = 0
#define PLACE_LAUNCH_REASON(identifier, of, text, remedy) + 1
#include "place/launch_reason.def"
#undef PLACE_LAUNCH_REASON
};

/* In the list's order. */
extern const struct place_launch_reason place_launch_reasons[PLACE_LAUNCH_REASON_COUNT];

/* The list as a table of docs/reasons.md. As snprintf. */
size_t place_launch_reason_document(char *out, size_t size);

#endif
