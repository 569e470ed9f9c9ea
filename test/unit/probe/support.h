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

enum { STORED_LOGS = 2 };

/* Both of the H200's logs, or (which: 1 or 2) one of them. */
static inline void read_stored(struct probe_log *log, int which) {
  char path[512], error[PROBE_ERROR_BYTES] = "";
  for (int i = 1; i <= STORED_LOGS; i++) {
    snprintf(path, sizeof path, MACHINES "/log/h200-%d.log", i);
    if ((!which || which == i) && !probe_log_read(log, path, error))
      fail_msg("%s", error);
  }
}

#endif
