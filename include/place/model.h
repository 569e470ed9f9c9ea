/* The cost models by name. What each computes is said in docs/models.md.
 *
 * Thread-safety: constants and pure functions only. */
#ifndef PLACE_MODEL_H
#define PLACE_MODEL_H

#include <stddef.h>

enum place_model {
  PLACE_MODEL_PLACE,  /* this project's: throughput of pipes, latency, occupancy, copies, as the machine file has them */
  PLACE_MODEL_PORPLE, /* paper 000: maximum over paths of transactions * latency * concurrency factor */
  PLACE_MODEL_HUANG,  /* paper 001: computation + memory - overlap, with replays and queues */
  PLACE_MODEL_RULES,  /* rules by access pattern, the baseline that paper 000 compares with */
  PLACE_MODEL_LEARNED, /* paper 003: decision trees fitted to measurements (forest.h) */
  PLACE_MODEL_BYPASS, /* paper 002: traffic from L2, and which loads had better go past L1 */
  PLACE_MODEL_COUNT
};

/* "place", "porple", "huang", "rules", "learned", "bypass"; "?" for a value out of range. Static storage. */
const char *place_model_name(enum place_model model);

/* The model of that name in *model and 0, or -1 if there is none. `length` bytes of name are looked at. */
int place_model_parse(const char *name, size_t length, enum place_model *model);

#endif
