/* What the original kernel takes, by kind of launch: what other versions' launches are charged against. Measured by the base, the
 * original with a timer.
 *
 * Launches of the same identity (decision_identity) are alike; of one that was not seen, or not lately, the mean is taken, in
 * proportion to its work (class_work).
 *
 * Units: nanoseconds on the device. Owner: plain data. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_RT_YARDSTICK_H
#define PLACE_RT_YARDSTICK_H

#include <stdint.h>

enum { YARDSTICK_KINDS = 32 };

struct yardstick {
  struct {
    uint64_t identity;
    double ns; /* of the last such launch */
  } kind[YARDSTICK_KINDS];
  unsigned count, victim;
  double mean_ns, mean_work; /* recent launches weigh more */
};

void yardstick_record(struct yardstick *yardstick, uint64_t identity, uint64_t work, double ns);

/* What the original would take; 0: not known. yardstick NULL: nothing was measured. */
double yardstick_ns(const struct yardstick *yardstick, uint64_t identity, uint64_t work);

#endif
