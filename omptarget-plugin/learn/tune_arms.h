/* What a trial holds (tune.h): its arms' times, and how far it has got.
 *
 * Units: nanoseconds; of a period, the mean over its launches. Owner: plain data. Thread-safety: none of its own. */
#ifndef PLACE_RT_TUNE_ARMS_H
#define PLACE_RT_TUNE_ARMS_H

#include <stdbool.h>
#include <stdint.h>

enum { TUNE_MAX_ARMS = 14, TUNE_FEW_ROUNDS = 2, TUNE_MIN_ROUNDS = 3, TUNE_MAX_ROUNDS = 7, TUNE_HOPELESS = 3 };
enum { TUNE_ORIGINAL = -1, TUNE_MAX_PERIOD = 32, TUNE_MAX_BREAKS = 8 };
#define TUNE_MARGIN 0.1
#define TUNE_LONG_NS 1e6 /* kernel time of a period beside which caches and clocks that are cold do not count */
#define TUNE_SURE 2.0
#define TUNE_CLEAR 0.2 /* beyond what a timer makes of the original (bias.h) */
#define TUNE_FAR 0.2
#define TUNE_DEAR 0.5 /* by how much what copies cost on the host must put an arm behind; a host's times vary */
#define TUNE_AT_ONCE 0.5
#define TUNE_AT_ONCE_LONG 0.15
#define TUNE_ALIKE 0.01
#define TUNE_ALIKE_HASTY 0.03

struct tune_arm {
  double kernel_ns[TUNE_MAX_ROUNDS], host_ns[TUNE_MAX_ROUNDS];
  double first_ns; /* the uncounted period; 0: not run yet */
  unsigned count;
  bool out;
  bool copies; /* it reads copies of arrays: what they cost on the host is known of periods that count, not of the first */
};

/* The period that is under way. */
struct tune_period {
  uint64_t first; /* identity of its first launch */
  unsigned launches;
  double kernel_ns, host_ns; /* sums */
};

struct tune {
  struct tune_arm arm[TUNE_MAX_ARMS];
  struct tune_period period;
  unsigned period_launches; /* 0: not known yet */
  unsigned strangers;       /* launches of other sizes that did not come again (evidence.h) */
  unsigned alike;           /* launches after which a period was taken to be one, as they took as long as each other; 0: it was not */
  unsigned breaks;          /* periods that could not be measured to the end */
  int arms;   /* with the baseline; 0: no trial */
  int next;
  bool turned;   /* this round goes from the last arm to the first */
  bool unlike;   /* launches never come again */
  bool done, hasty;
  bool bounded;  /* launches are charged to a budget */
  bool cut;      /* and so long that an arm that is slower at once is out */
  bool warm;   /* first periods count */
  bool rested; /* the baseline is measured no more: the arms that are left are all clear of it */
  bool again;  /* all were hopeless, and those that were short have begun anew */
  int winner;  /* when done: an arm, or -1: keep the original */
  int best;    /* when done: the best plan, winner or not; 0: none was measured to the end */
  double original; /* the original's time as a fraction of the baseline's (bias.h), by the caller; 0: they are alike */
  double gain; /* when done: of the best plan over the original, as a fraction of it */
  bool unsure; /* when done without a winner: the gain is within what times vary by */
  bool disturbed; /* when done without a winner: by their shortest periods `best` would have won */
  const char *reason; /* why it is done without anything to compare; else NULL: best and gain say more */
  double spent_ns; /* wall time of all launches that were measured */
};

#endif
