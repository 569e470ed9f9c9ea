/* How much a walk looks at. */
#include "walk.h"

#include <math.h>

bool walk_is_stable(double current, double previous, double before) {
  double now = fabs(current - previous), then = fabs(previous - before);
  return now < 0.005 * previous || (0.995 * then < now && now < 1.005 * then);
}

uint32_t walk_share(uint32_t together, size_t accesses, uint32_t least, uint32_t most) {
  size_t share = accesses ? together / accesses : most;
  return share > most ? most : share < least ? least : (uint32_t)share;
}
