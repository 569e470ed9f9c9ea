/* The machine file that a log makes. */
#ifndef MSL_PROBE_WRITE_H
#define MSL_PROBE_WRITE_H

#include "log.h"

/* MSL text with comments, canonical but for these, for free(); NULL, and why in `error`. The log need not be complete: what
 * it lacks is ? in the file. */
char *probe_write(const struct probe_log *log, char error[PROBE_ERROR_BYTES]);

#endif
