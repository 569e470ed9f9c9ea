/* What the tests of msl/probe/ share. */
#ifndef PROBE_TEST_SUPPORT_H
#define PROBE_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../msl/probe/log.h"

enum { STORED_LOGS = 3, FILE_LOGS = 2 }; /* all; those that h200.msl is made of */

/* The logs that the H200's file is made of (which: 0), or one of all. */
static inline void read_stored(struct probe_log *log, int which) {
  char path[512], error[PROBE_ERROR_BYTES] = "";
  for (int i = 1; i <= STORED_LOGS; i++) {
    snprintf(path, sizeof path, MACHINES "/log/h200-%d.log", i);
    if ((which == i || (!which && i <= FILE_LOGS)) && !probe_log_read(log, path, error))
      fail_msg("%s", error);
  }
}

#endif
