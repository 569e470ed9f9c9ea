/* All subjects, round after round. */
#include <stdio.h>

#include "measure.h"
#include "probe.h"

#define NAMES_(...) #__VA_ARGS__
#define NAMES(...) NAMES_(__VA_ARGS__)
#if !defined PROBE_ARCHES
#define PROBE_ARCHES cpu
#endif

static const struct {
  const char *name;
  bool (*measure)(struct probe_run *run);
} subjects[] = {{"clock", probe_clock},           {"teams of an SM", probe_occupancy}, {"near latencies", probe_chase_near},
                {"far latencies", probe_chase_far}, {"loads of an SM", probe_spin},      {"loops", probe_walk},
                {"bandwidths", probe_bandwidth},  {"launches", probe_launch},          {"lines", probe_lines},
                {"address mapping", probe_mapping}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static unsigned measure_round(struct probe_run *run) {
  unsigned good = 0;
  run->one_sm = run->round * 37 % run->sms;
  for (unsigned i = 0; i < SUBJECTS; i++) {
    *run->error = 0;
    if (subjects[i].measure(run))
      good++;
    else
      fprintf(stderr, "place-probe: %s: left out: %s\n", subjects[i].name, *run->error ? run->error : "failed");
  }
  return good;
}

bool probe_rounds(struct probe_log *log, const struct probe_settings *settings, char error[PROBE_ERROR_BYTES]) {
  struct probe_run run = {.log = log, .quick = settings->quick, .quiet = settings->quiet};
  unsigned good = 0;
  if (!probe_open(&run)) {
    snprintf(error, PROBE_ERROR_BYTES, "%s", run.error);
    probe_close(&run);
    return false;
  }
  for (run.round = 0; run.round < settings->rounds; run.round++)
    good += measure_round(&run);
  probe_close(&run);
  if (!good)
    snprintf(error, PROBE_ERROR_BYTES, "nothing could be measured");
  return good > 0;
}

const char *probe_arches(void) {
  return NAMES(PROBE_ARCHES);
}
