/* Measuring the GPU at hand. Two implementations: rounds.c, built for offloading, and none.c, which says that it is not. */
#ifndef MSL_PROBE_PROBE_H
#define MSL_PROBE_PROBE_H

#include "log.h"

struct probe_settings {
  unsigned rounds; /* how often everything is measured */
  bool quick;      /* tiny sizes: to try the program out, not to measure with */
  bool quiet;      /* no progress on stderr */
};

/* Adds what the GPU is and does to the log. False, and why in `error`: there is no GPU, or nothing could be measured. A
 * subject that fails is left out and said so on stderr; the machine file then has ? for it. Seconds, under two minutes. */
bool probe_rounds(struct probe_log *log, const struct probe_settings *settings, char error[PROBE_ERROR_BYTES]);

/* What `place-probe --describe` does: prints what libomptarget says about the device. An exit status. */
#define PROBE_DESCRIBE "--describe"
int probe_describe(void);

#endif
