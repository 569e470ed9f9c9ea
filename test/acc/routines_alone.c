// A unit without a directive of its own, whose header includes openacc.h where _OPENACC says so, is OpenACC if it calls a routine.
// RUN: %acc_run %s %t
#include "asks_openacc.h"
#include "check.h"

int main(void) {
  int *device = acc_malloc(64);
  CHECK(device && acc_get_num_devices(acc_device_not_host) > 0);
  acc_free(device);
  int host[16];
  acc_create(host, sizeof host); // the runtime is opened where no region is, too: it knows the host's addresses
  CHECK(acc_hostptr(acc_deviceptr(host)) == host);
  acc_delete(host, sizeof host);
  return RESULT();
}
