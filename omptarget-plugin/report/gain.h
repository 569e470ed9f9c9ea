/* The whole program's figures: what was gained, where, what it cost, and what to do next.
 *
 * Units: nanoseconds. Owner: plain data; rows are the caller's (free). Thread-safety: when no launch is in flight. */
#ifndef PLACE_RT_GAIN_H
#define PLACE_RT_GAIN_H

#include "state.h"

/* A size class of a region on a device; without one (NULL), the region. */
struct row {
  const struct rt_region *region;
  const struct rt_device_region *state;
  const struct rt_class *c;
  int device;
  double ran_ns; /* what its launches took; 0: not known */
};

/* What may still be done about a size, the least first. */
enum gain_next_kind { GAIN_SETTLED, GAIN_ADVISED, GAIN_UNSURE, GAIN_UNTRIED, GAIN_UNFINISHED };

struct gain {
  double saved_ns;     /* by launches of what was chosen, as it was measured */
  double predicted_ns; /* by launches of what the model chose, as predicted */
  double spent_ns;     /* on finding out, as far as it was not paid back */
  double dispatch_ns;  /* by place itself in all launches */
  double ran_ns;       /* all launches of target regions */
  double elapsed_ns;   /* since the program loaded the runtime; 0: not known */
  struct row most;     /* where most was saved; region NULL: nowhere */
  double most_ns;
  unsigned regions, idle, changed, moved; /* in all, not launched, run otherwise than compiled, of them with arrays elsewhere */
  unsigned looked, early; /* sizes that were looked at, or that an earlier run had; that were launched too little for it */
  bool presumed;          /* some size was launched in another form, and too little to be looked at */
  unsigned forced, host, unfinished, untried;
  uint64_t unknown;    /* launches on devices of regions without versions */
  uint64_t elsewhere;  /* launches on the host that belong to none of the rows: no device took them */
  enum gain_next_kind next_kind;
  struct row next;     /* the one of that kind that takes most time */
  struct row *row;     /* launched ones, the longest first */
  size_t rows;
};

/* Rows are left out where there is no memory. */
void gain_find(const struct runtime *rt, struct gain *gain);
void gain_free(struct gain *gain);

/* What was gained less what it cost: below 0 is a loss. */
static inline double gain_net_ns(const struct gain *g) { return g->saved_ns - g->spent_ns - g->dispatch_ns; }

/* "1.24 s gained (18% of the program's time), nearly all of it in multiply (mm.c:9); place itself cost 5.30 ms" */
char *gain_headline(const struct runtime *rt, const struct gain *gain, char *out, size_t size);

/* What to do next, as a sentence; "" where there is nothing to say. */
char *gain_next(const struct runtime *rt, const struct gain *gain, char *out, size_t size);

#endif
