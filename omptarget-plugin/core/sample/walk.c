/* When a walk has seen enough. */
#include "walk.h"

#include <math.h>

bool walk_is_stable(double current, double previous, double before) {
  double now = fabs(current - previous), then = fabs(previous - before);
  return now < 0.005 * previous || (0.995 * then < now && now < 1.005 * then);
}
