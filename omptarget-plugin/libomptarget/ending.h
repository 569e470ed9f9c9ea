/* How the process ends: once with a report, and with none for a process that only inherited what it would say.
 *
 * Thread-safety: ending_start once, before other threads; the rest is up to the C library. Errors: none; what cannot be helped is
 * in docs/environment.md. */
#ifndef PLACE_RT_ENDING_H
#define PLACE_RT_ENDING_H

#include <stdbool.h>
#include <stdint.h>

/* finish: all that is to be done at an end of which the process knows. report: what may still be said when it aborts; NULL: nothing.
 * launches: how many there were so far. */
void ending_start(void (*finish)(void), void (*report)(void), uint64_t (*launches)(void));

/* Calls `finish`, once, and not in a child of fork() that has launched nothing since. */
void ending_reached(void);

#endif
