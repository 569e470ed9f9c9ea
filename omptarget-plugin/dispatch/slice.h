/* Intervals of a launch's iterations, carried out one after the other (slices.h).
 *
 * Owner: the launch's own, on its stack. Thread-safety: as slices.h. */
#ifndef PLACE_RT_SLICE_H
#define PLACE_RT_SLICE_H

#include "flight.h"

/* A launch that is split. Times: ns. */
struct slicing {
  struct flight *f;
  const struct rt_call *call;
  rt_launcher launcher;
  void *context;
  uint64_t trips, done; /* iterations */
  uint64_t grain;       /* at its multiples teams of all versions that are tried may begin */
  double base_ns;       /* of an iteration, by the base's last slice */
  double whole_ns[TUNE_MAX_ARMS]; /* of the launch, by a plan's slice; 0: it had none */
  double final_ns[TUNE_MAX_ARMS]; /* the same, by a longer slice */
  uint64_t longest;     /* slice but those */
  int rc;               /* of the last launch that failed */
};

enum { SLICE_OF_BASE = TUNE_MAX_ARMS }; /* in place of a plan's number: the base, before there are plans */
enum slice_outcome { SLICE_DONE, SLICE_LEFT }; /* LEFT: nothing was carried out; the region is dropped if libomptarget says so */

/* Carries out the iterations from `done` to `to`, where teams of the plan end or the space does. ns: of the kernel; NULL: it is not timed, and
 * known not to decline. */
enum slice_outcome slice_run(struct slicing *s, int plan, uint64_t to, double *ns);

#endif

