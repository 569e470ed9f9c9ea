// Queues, devices, and the run-time routines.
// RUN: %acc_run %s %t
// RUN: %clang -fplugin=%plugin -I%S/Inputs -fsyntax-only -DHOST=0 -DSHARED=0 %s
// RUN: %clang_cpu -fplugin=%plugin -I%S/Inputs -fsyntax-only -fopenmp-force-usm -DHOST=1 -DSHARED=1 %s
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

#if _OPENACC < 201811
#error "_OPENACC"
#endif

#ifdef HOST // what offloads, and whether it shares the host's memory, is known at compile time
_Static_assert(PLACE_ACC_TARGETS_HOST_ == HOST && PLACE_ACC_SHARED_MEMORY_ == SHARED, "targets");
#endif

enum { N = 100 };

static void queues(void) {
  int a[N], q = 3;
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma acc set default_async(5)
  CHECK(acc_get_default_async() == 5);
  acc_set_default_async(acc_async_sync);
#pragma acc enter data copyin(a) async(q)
#pragma acc parallel loop present(a) async(q) wait
  for (int i = 0; i < N; i++)
    a[i] += i;
#pragma acc parallel loop present(a) async(q + 1) wait(q)
  for (int i = 0; i < N; i++)
    a[i] *= 2;
#pragma acc update self(a) async(q + 1)
#pragma acc wait(q, q + 1) async(7)
#pragma acc wait
  CHECK(acc_async_test(q) && acc_async_test_all() && a[9] == 18);
#pragma acc wait if (q == 3)
#pragma acc exit data delete (a) async
  acc_wait_all();
  acc_wait(q);
}

// The x86-64 device is OpenACC's multicore host: nobody is told of an NVIDIA GPU, whatever is asked for.
static void devices(void) {
#pragma acc init device_type(nvidia)
  CHECK(acc_get_num_devices(acc_device_host) > 1 && acc_get_num_devices(acc_device_none) == 0);
  acc_set_device_num(0, acc_device_default);
  CHECK(acc_get_device_num(acc_device_default) == 0 && acc_get_device_type() == acc_device_host);
#pragma acc set device_num(1) device_type(host)
  CHECK(acc_get_device_num(acc_device_host) == 1);
  int on[4] = {0};
#pragma acc serial copy(on)
  {
    on[0] = acc_on_device(acc_device_host);
    on[1] = acc_on_device(acc_device_nvidia);
    on[2] = acc_on_device(acc_device_not_host);
    on[3] = acc_on_device(acc_device_default);
  }
  CHECK(on[0] && !on[1] && !on[2] && on[3] && acc_on_device(acc_device_host));
  acc_set_device_type(acc_device_host);
  CHECK(acc_get_device_type() == acc_device_host && acc_get_device_num(acc_device_host) == 0);
  int x = 1;
#pragma acc enter data copyin(x)
  CHECK(acc_deviceptr(&x) != &x && acc_is_present(&x, sizeof x)); // has memory of its own
#pragma acc exit data delete(x)
#pragma acc set device_type(nvidia)
  CHECK(acc_get_device_type() == acc_device_host);
  CHECK(acc_get_property_string(0, acc_device_nvidia, acc_property_vendor)[0] == 'h');
#pragma acc shutdown if (0)
}

static void memory(void) {
  int h[N], back[N], *d = acc_malloc(sizeof h);
  for (int i = 0; i < N; i++)
    h[i] = i, back[i] = 0;
  acc_memcpy_to_device(d, h, sizeof h);
  acc_memcpy_from_device(back, d, sizeof h);
  CHECK(back[N - 1] == N - 1);
  acc_map_data(h, d, sizeof h);
  CHECK(acc_is_present(h, sizeof h) && acc_deviceptr(h) == d);
#pragma acc parallel loop present(h)
  for (int i = 0; i < N; i++)
    h[i] += 1;
  acc_update_self(h, sizeof h);
  CHECK(h[0] == 1);
  acc_unmap_data(h);
  acc_free(d);

  CHECK(acc_copyin(h, sizeof h) == acc_deviceptr(h));
  CHECK(acc_hostptr(acc_deviceptr(&h[3])) == &h[3] && acc_hostptr(back) == NULL);
  CHECK(acc_get_property(0, acc_device_nvidia, acc_property_memory) >=
            acc_get_property(0, acc_device_nvidia, acc_property_free_memory) &&
        acc_get_property(0, acc_device_nvidia, acc_property_free_memory) > 0);
  h[0] = 50;
  acc_update_device_async(h, sizeof h, 1);
  acc_wait(1);
  h[0] = 0;
  acc_copyout(h, sizeof h);
  CHECK(h[0] == 50 && !acc_is_present(h, 1));
  acc_create(h, sizeof h);
  acc_pcreate(h, sizeof h);
  acc_delete(h, sizeof h);
  CHECK(acc_is_present(h, sizeof h));
  acc_delete_finalize(h, sizeof h);
  CHECK(!acc_is_present(h, sizeof h) && acc_deviceptr(h) == NULL);
}

struct list {
  int *p;
};

static void attached(void) {
  int x[4] = {1, 2, 3, 4}, sum = 0;
  struct list l = {x};
  acc_copyin(&l, sizeof l);
  acc_copyin(x, sizeof x);
  acc_attach((void **)&l.p);
#pragma acc serial present(l) copy(sum)
  sum = l.p[0] + l.p[3];
  CHECK(sum == 5);
  acc_detach((void **)&l.p);
  acc_copyout(&l, sizeof l);
  CHECK(l.p == x);
  acc_delete(x, sizeof x);
}

int main(void) {
  queues();
  devices();
  memory();
  attached();
  return RESULT();
}
