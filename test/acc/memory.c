// Free memory of a device in the host's memory: exact, and each allocation counts once.
// RUN: %acc_run %s %t
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

enum { N = 100 };
#define BYTES (N * sizeof(int))

static size_t free_bytes(void) { return acc_get_property(0, acc_device_nvidia, acc_property_free_memory); }

static void allocations(void) {
  size_t before = free_bytes();
  int *d = acc_malloc(BYTES), h[N];
  CHECK(free_bytes() == before - BYTES);
  acc_map_data(h, d, BYTES);
  CHECK(free_bytes() == before - BYTES);
  acc_unmap_data(h);
  acc_free(d);
  CHECK(free_bytes() == before);
}

static void mappings(void) {
  size_t before = free_bytes();
  int a[N], *b = malloc(BYTES);
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc data copy(a) create(b[0:N])
  {
    CHECK(free_bytes() == before - 2 * BYTES);
#pragma acc enter data copyin(a) async(1)
#pragma acc wait(1)
    CHECK(free_bytes() == before - 2 * BYTES);
  }
  CHECK(free_bytes() == before - BYTES);
#pragma acc exit data delete(a)
  CHECK(free_bytes() == before);
  free(b);
}

int main(void) {
  CHECK(free_bytes() <= acc_get_property(0, acc_device_nvidia, acc_property_memory));
  allocations();
  mappings();
  return RESULT();
}
