/* What the measuring files share: the device, one round's settings, and how a sample becomes points of the log.
 *
 * Every probe_* subject below measures its quantities once (one round) and adds them to run->log; false: the device failed
 * or memory ran out, and run->error says what. Subjects say what they do through probe_say. Thread-safety: one run at a
 * time in a process, by its main thread. */
#ifndef MSL_PROBE_MEASURE_H
#define MSL_PROBE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"
#include "log.h"

enum { PROBE_MOST_TEAMS = 1 << 16 };

struct probe_run {
  struct probe_log *log;
  int device, host;
  uint32_t sms;     /* SMs that kernels can run on */
  uint32_t one_sm;  /* where this round's latencies are measured */
  unsigned round;
  bool quick;       /* tiny sizes: to try the program itself out */
  bool quiet;
  double clk_per_ns;
  double started_s;
  struct probe_record *on_device; /* PROBE_MOST_TEAMS of them */
  uint32_t *counter;              /* on the device; probe_reset makes it 0 */
  struct probe_record *records;   /* the host's copy */
  char error[PROBE_ERROR_BYTES];
};

/* Opens the offload device; false: there is none, and run->error explains. Adds the facts. */
bool probe_open(struct probe_run *run);
const char *probe_arches(void); /* rounds.c: what this program has device code for */
void probe_close(struct probe_run *run);
void probe_say(const struct probe_run *run, const char *what);
bool probe_fail(struct probe_run *run, const char *what); /* false */

/* Device memory, zeroed or not; NULL (and run->error) when there is none. */
void *probe_allocate(struct probe_run *run, size_t bytes);
void probe_release(struct probe_run *run, void *memory);
bool probe_upload(struct probe_run *run, void *to, const void *from, size_t bytes);
bool probe_download(struct probe_run *run, void *to, const void *from, size_t bytes);
bool probe_reset(struct probe_run *run); /* the counter and the first record */
bool probe_fetch_records(struct probe_run *run, uint32_t teams);

/* Takes samples until they are stable and adds them as one point. A negative or NaN sample is a failure. */
typedef double probe_sampler(struct probe_run *run, const void *what);
bool probe_sample(struct probe_run *run, const char *quantity, double x, probe_sampler *sample, const void *what);
bool probe_note(struct probe_run *run, const char *quantity, double x, double value); /* one sample, taken already */

/* Of the fetched records: median over the SMs of the cycles from the first team's start to the last one's end, divided by
 * that SM's number of teams; and the nanoseconds from the very first to the very last. NaN if the clocks ran backwards. */
double probe_clk_per_team(const struct probe_run *run, uint32_t teams);
double probe_elapsed_ns(const struct probe_run *run, uint32_t teams);

/* Device clock of the host, seconds. */
double probe_seconds(void);

/* ---- subjects, each a file --------------------------------------------------------------------------------------- */

bool probe_clock(struct probe_run *run);           /* clock.c: clock, warp size, SMs, teams and shared memory an SM holds */
bool probe_occupancy(struct probe_run *run);
bool probe_chase_near(struct probe_run *run);      /* chase.c: latencies against working set: L1, shared, constant */
bool probe_chase_far(struct probe_run *run);       /* L2 and device memory */
bool probe_lines(struct probe_run *run);           /* lines.c: sectors and lines, by pairs of loads */
bool probe_mapping(struct probe_run *run);         /* mapping.c: paper 001's row and column bits */
bool probe_spin(struct probe_run *run);            /* spin.c: cost of a warp's load per SM, all spaces and patterns */
bool probe_walk(struct probe_run *run);            /* walk.c: the same for loops as the compiler makes them */
bool probe_bandwidth(struct probe_run *run);       /* bandwidth.c: of the die */
bool probe_launch(struct probe_run *run);          /* launch.c: regions, filling constant memory, staging in shared memory */

/* constant.c: fills the constant memory that kernels load from; `address` gets where it begins in the constant space. */
bool probe_constant_fill(struct probe_run *run, const uint32_t *words, size_t bytes);
bool probe_constant_address(struct probe_run *run, uint32_t *address);
void *probe_constant_pointer(struct probe_run *run); /* its address in device memory */

#endif
