/* Random expressions as text, of every operation and of mixed widths. */
#ifndef PLACE_TEST_RANDOM_EXPR_H
#define PLACE_TEST_RANDOM_EXPR_H

#include "support.h"

static inline void random_text(char *out, int depth) {
  static const char *const leaves[] = {"tid", "team", "threads", "teams", "L0", "L1", "L2", "arg0", "arg1", "arg2", "any"};
  static const char *const casts[] = {"zext", "sext", "trunc"};
  static const char *const calls[] = {"udiv", "urem", "umin", "umax", "smin", "smax"};
  static const unsigned widths[] = {32, 32, 32, 64, 64, 8, 16, 1, 31, 33, 63};
  char a[4096], b[4096];
  unsigned width = widths[random_below(11)];
  if (depth == 0 || random_below(6) == 0) {
    uint64_t pick = random_below(16);
    if (pick < 11) strcpy(out, leaves[pick]);
    else if (pick < 14) sprintf(out, "%lld", (long long)random_below(300) - 100);
    else sprintf(out, "%lld", (long long)(random_u64() >> random_below(64)));
    return;
  }
  random_text(a, depth - 1);
  random_text(b, depth - 1);
  switch (random_below(8)) {
  case 0:
  case 1: sprintf(out, "(%s) + (%s)", a, b); break;
  case 2: sprintf(out, "(%s)*(%s)", a, b); break;
  case 3: sprintf(out, "(%s) - (%s)", a, b); break;
  case 4: sprintf(out, "any(%s)", a); break;
  case 5: sprintf(out, "%s%u(%s, %s)", calls[random_below(6)], width, a, b); break;
  default: sprintf(out, "%s%u(%s)", casts[random_below(3)], width, a); break;
  }
}

#endif
