/* Goes on watching what a trial settled on: pairs of periods (tune.h), one of the base and one of what was chosen, next to each
 * other and in turn the one or the other first, so that sizes that grow or shrink favour neither.
 *
 * The first pair comes a period after the trial, since the winner's periods may be long ago, the next after twice as many each, up to
 * WATCH_LEAST, and then one each time the periods have grown by a WATCH_SHARE-th: what may be lost between two pairs stays a small
 * part of all that was launched; and no second pair comes before WATCH_EARNED times what it costs was gained, by the trial's
 * figures; where the trial found it clear of the base (tune.h), each pair costs a period of a base that is far slower, and the first
 * comes after so many periods, too. Where what was chosen takes less than 1/WATCH_AHEAD of the base's time, the base's periods take a
 * WATCH_PART-th of its time at most, and no launch that takes less than a WATCH_AHEAD-th of the base's time is doubted. A lost pair is followed by others at once, up to WATCH_STREAK. Launches in between whose wall time is beyond
 * WATCH_SLOW times the usual, and what they vary by, twice in a row where they are short, bring a pair forward. What was chosen is
 * given up when such a pair, or the last two, were lost by far (a tenth, and twice the noise), or the last four clearly, or the
 * last WATCH_WINDOW on average; what has won WATCH_PROVEN pairs, or was clear of the base in its trial, by none alone. The base's times stand for
 * the original's once corrected (`original`).
 *
 * Units: nanoseconds. Owner: plain data. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_RT_WATCH_H
#define PLACE_RT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_WINDOW = 12, WATCH_LEAST = 16, WATCH_SHARE = 16, WATCH_STREAK = 4, WATCH_EARNED = 8, WATCH_MOST = 1024,
       WATCH_AHEAD = 2, WATCH_PART = 20, WATCH_PROVEN = 4, WATCH_BREAKS = 8 };
#define WATCH_SLOW 1.25
#define WATCH_VARIES 4
#define WATCH_FAR 0.1
#define WATCH_LONG_NS 500e3 /* wall time of a launch that is no accident of the host */

enum watch_side { WATCH_BASE, WATCH_CHOSEN };

struct watch {
  double ratio[WATCH_WINDOW]; /* log(chosen / base) of pairs, a ring */
  unsigned pairs, lost;       /* in all */
  unsigned streak;            /* pairs made at once since the last that was due */
  double original;            /* the original's time as a fraction of the base's (bias.h), by the caller; 0: alike */
  double noise;               /* of a ratio, as far as the trial showed */
  unsigned period_launches;
  uint64_t least;             /* launches between two pairs */
  bool clear;                 /* the trial found it clear of the base: as many before the first pair, and no pair alone tells */
  double ahead;               /* the base's time over that of what was chosen, by the trial or the latest pair, if it is beyond WATCH_AHEAD; else 0 */
  double certain_ns;          /* a launch below is no reason to doubt; 0: there is none */
  double period_ns[2];        /* the pair under way, by side */
  unsigned period_done[2];
  uint64_t launches, since;   /* of what was chosen: all, and since a pair was last won */
  uint64_t waited;            /* since the last pair */
  double usual_ns;            /* wall time of a launch, recent ones weigh more; 0: to be learnt */
  double varies_ns;           /* how far wall times are from that, in the mean */
  unsigned slow;              /* launches in a row that took longer */
  double base_ns;             /* what a launch of the base took in the last pair; 0: none yet */
  double worse_ns;            /* a launch took so much longer than the base's in the last pair; below 0: less */
  bool urgent;                /* a pair is wanted at once */
  bool doubted;               /* for another reason than a pair */
  bool missed;                /* a launch of the pair came while another was measured, which then belongs to no pair either */
  unsigned breaks;            /* of pairs, for that, since one came to its end */
};

/* What a trial found. */
struct watch_trial {
  unsigned period_launches; /* 0: launches have none that come again */
  double noise;          /* relative, of a period of the base */
  double base_ns;        /* of a launch; 0: not known */
  double gain_ns;        /* of a launch */
  double measure_ns;     /* what measuring a launch costs */
  bool clear;            /* of the base: which was launched no more for it */
};

/* False: the gain is so small that watching would take it up: there would have to be more than WATCH_MOST launches between pairs. */
bool watch_start(struct watch *watch, const struct watch_trial *trial);

/* Whether a pair is under way or wanted. */
bool watch_is_due(const struct watch *watch);

/* What a launch that belongs to a pair is made with, and is to be recorded as. */
enum watch_side watch_next(struct watch *watch);

/* Such a launch was measured. True: what was chosen loses. */
bool watch_record(struct watch *watch, enum watch_side side, double kernel_ns);

/* A launch of the pair could not be made: the pair begins anew. */
void watch_break(struct watch *watch);

/* One of the launches came while another was measured, and was not: a pair of periods that have several misses it, and begins anew. After
 * WATCH_BREAKS times periods have one launch. */
void watch_skip(struct watch *watch);

/* What was chosen was launched and not measured. wall_ns: 0: no clock was read, or it is not comparable with that of others. */
void watch_pass(struct watch *watch, double wall_ns);

/* There is reason to doubt what was chosen: a pair at once. */
void watch_doubt(struct watch *watch);

/* What was lost, as far as can be told, in launches since a pair was last won. */
double watch_unseen_loss(const struct watch *watch);

#endif
