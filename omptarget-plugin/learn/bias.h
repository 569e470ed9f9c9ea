/* What the original takes, compared with the base, its copy with a timer: a timer costs registers, and the base may be slower (1.2
 * times was measured, now and then more) or faster than what the program would run. The original cannot be timed on the device, so
 * periods of the two (tune.h) that lie next to each other are compared by their wall times, in turn the one or the other first.
 *
 * A sample is the wall time of the original's period without that of the base's. The median of the last samples, as a fraction of the
 * base's kernel time, counts once it stands out of what they vary, and out of what clocks of the host can tell. Of short kernels a host that
 * is busy elsewhere can make anything: there no more counts than a timer can cost.
 *
 * Units: nanoseconds, each of one launch. Owner: plain data. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_RT_BIAS_H
#define PLACE_RT_BIAS_H

#include <stdbool.h>
#include <stdint.h>

enum { BIAS_WINDOW = 15, BIAS_EAGER = 6, BIAS_EVERY = 4, BIAS_BREAKS = 8, BIAS_REST = 16 };
#define BIAS_CLOCK_NS 500.0 /* what two clocks on the host around a launch are good for */
#define BIAS_LEAST 0.003

struct bias {
  double sample_ns[BIAS_WINDOW]; /* a ring */
  unsigned samples;           /* in all */
  unsigned periods;           /* of the base that a sample could have been taken beside, since the last one */
  double kernel_ns;           /* of the base: the mean, in which recent samples weigh more */
  double prior;               /* a guess before the first sample; 0: none */
  double floor;               /* what a guess is at least, by the fastest launches; 0: not known */
  unsigned breaks;            /* samples begun since the last that came to an end; after BIAS_BREAKS none is begun for BIAS_REST periods */
  struct bias_period {
    unsigned launches;
    double wall_ns, kernel_ns; /* sums */
  } base, original;            /* the sample under way */
};

/* Begins with what is known of another size of the region. */
void bias_inherit(struct bias *bias, const struct bias *from);

/* Whether the next launch is to be the original's, for a sample. base_begins: else it would be the first of a period of the base. */
bool bias_wants_original(struct bias *bias, unsigned period_launches, bool base_begins);

/* Whether the sample under way waits for the original. */
bool bias_is_open(const struct bias *bias, unsigned period_launches);

/* Such a launch, and one of a period of the base, took so long. May end the sample. */
void bias_record_original(struct bias *bias, unsigned period_launches, double wall_ns);
void bias_record_base(struct bias *bias, unsigned period_launches, double wall_ns, double kernel_ns);

/* The period under way is given up, or another launch came between. */
void bias_break(struct bias *bias);

/* The original's kernel time as a fraction of the base's, at most 1; 1 where they cannot be told apart. That the original is slower is
 * never taken for granted: what would be chosen for it could lose. */
double bias_original(const struct bias *bias);

/* The same as far as samples go, however few, or else the prior; at most 1: for charges. A sample that a busy host disturbed says anything,
 * so no less than `floor`. False: nothing is known, *share is 1. */
bool bias_guess(const struct bias *bias, double *share);

#endif
