/* place-probe as it is built where there is no CUDA toolkit: it reads logs, but measures nothing. */
#include <stdio.h>

#include "probe.h"

bool probe_rounds(struct probe_log *log, const struct probe_settings *settings, char error[PROBE_ERROR_BYTES]) {
  (void)log, (void)settings;
  snprintf(error, PROBE_ERROR_BYTES,
           "built without device code (no CUDA toolkit was found): it can only read logs, --from LOG");
  return false;
}

int probe_describe(void) {
  fprintf(stderr, "place-probe: this place-probe was built without a CUDA toolkit, and reaches no device\n");
  return 1;
}
