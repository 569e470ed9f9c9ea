// Findings: what a check has found wrong, one line each on stderr. Any finding makes the program exit with status 70
// once it has ended; some end it at once.
//
// Thread-safety: every function may be called from any worker.
#ifndef SIMT_FINDING_H
#define SIMT_FINDING_H

#include "simt_abi.h"
#include "team.h"

enum { SIMT_EXIT_STATUS = 70 };

// Something that no run can continue from; prints and ends the program.
_Noreturn void simt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A finding of the running device thread at `site`. `kind` is a fixed word by which tests and users name the check.
// The same kind at the same site is printed once and counted from then on.
void simt_finding(const char *kind, const struct simt_site *site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A finding about a launch as a whole, printed once for each kernel and `about` (an address that says what it is about).
void simt_finding_launch(const char *kind, const struct simt_launch_state *launch, const void *about, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));
// A finding of no device thread and no launch.
void simt_finding_host(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Threads of a team at different barriers; a barrier that some threads can never reach because they have ended.
void simt_finding_barrier(const struct simt_site *site, const struct simt_site *other);
void simt_finding_barrier_exited(const struct simt_site *site, const struct simt_team *team);
_Noreturn void simt_finding_deadlock(const struct simt_team *team);

uint64_t simt_finding_count(void);

#endif
