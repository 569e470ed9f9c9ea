/* Why something is left as it is: what reason.def lists.
 *
 * Thread-safety: constants and pure functions only. Texts that are not written to a caller's buffer are of static storage. */
#ifndef PLACE_REASON_H
#define PLACE_REASON_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum place_reason {
  PLACE_WHY_NONE, /* nothing is left alone */
#define PLACE_REASON(identifier, name, explains, sentence, remedy) PLACE_WHY_##identifier,
#include "place/reason.def"
#undef PLACE_REASON
  PLACE_REASON_COUNT
};

struct place_reason_properties {
  const char *name;     /* words with hyphens between */
  const char *explains; /* what is left alone for it, with commas between: region, array, blocks, strips, device runtime */
  const char *sentence; /* a part of one, for behind a colon; with %s once where it has a parameter */
  const char *remedy;   /* a sentence, or "" */
};

/* By reason; empty texts for PLACE_WHY_NONE. */
extern const struct place_reason_properties place_reasons[PLACE_REASON_COUNT];

/* The sentence with its parameter ("" or NULL: none). As snprintf. */
size_t place_reason_print(enum place_reason reason, const char *parameter, char *out, size_t size);

/* The reason of which that is the sentence, with any parameter: what a region table says. PLACE_WHY_NONE: of no reason in the list, as
 * in tables of older versions; also for NULL. */
enum place_reason place_reason_of(const char *sentence);

/* The reason of that name, or PLACE_WHY_NONE. */
enum place_reason place_reason_named(const char *name);

/* The list as the table of docs/reasons.md. As snprintf. */
size_t place_reason_document(char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
