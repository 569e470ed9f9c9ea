// Queues: an operation runs beside the host, after those before it in its queue, and when those are done that it waits for.
// Kernels of the x86-64 device read the host's memory, so that one can wait for the host: carried out at once, it would wait in vain.
// RUN: %acc_run %s %t
// RUN: env PLACE_REPORT=%t.json %t-O2 && %place_build/bin/place-report %t.json | %FileCheck %s
// RUN: env PLACE=off %t-O2 at-once
// RUN: %if simt %{ %simt_cc -O2 -fplugin=%plugin -I%S/Inputs %s -o %t.simt && env PLACE_STORE=off %t.simt one-launch-at-a-time %}
// CHECK: {{[1-9][0-9]*}} launches on device 0
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

enum { N = 1000, LIMIT = 2000000000 };

// Whether the kernel saw what the host wrote after it asked for it.
static void beside_the_host(void) {
  volatile int *flag = malloc(sizeof(int));
  int seen[1] = {0};
  *flag = 0;
#pragma acc parallel num_gangs(1) deviceptr(flag) copy(seen) async(1)
  {
    int tries = 0;
    while (!*flag && tries < LIMIT)
      tries++;
    seen[0] = *flag;
  }
  CHECK(!acc_async_test(1) && !acc_async_test_all());
  CHECK(acc_async_test(2));
  *flag = 1;
#pragma acc wait(1)
  CHECK(seen[0] == 1 && acc_async_test(1) && acc_async_test_all());
  free((void *)flag);
}

// A queue that waits for another begins nothing before it; the others go on.
static void two_queues(void) {
  volatile int *flag = malloc(sizeof(int));
  int a[N], other[1] = {0}, seen[1] = {0};
  *flag = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc enter data copyin(a) async(2)
#pragma acc parallel num_gangs(1) deviceptr(flag) copy(seen) async(1)
  {
    int tries = 0;
    while (!*flag && tries < LIMIT)
      tries++;
    seen[0] = *flag;
  }
#pragma acc parallel loop copy(other) async(3)
  for (int i = 0; i < 1; i++)
    other[i] = 7;
#pragma acc parallel loop present(a) async(2) wait(1)
  for (int i = 0; i < N; i++)
    a[i] *= 2;
#pragma acc update self(a) async(2)
  acc_wait(3);
  CHECK(other[0] == 7 && a[N - 1] == N - 1 && !acc_async_test(2));
  *flag = 1;
  int queues[] = {acc_async_sync, 2}, first = acc_wait_any(2, queues);
  CHECK(first == 1 && seen[0] == 1 && a[N - 1] == 2 * (N - 1));
#pragma acc exit data delete (a) async(2)
#pragma acc wait(2) async(1)
#pragma acc wait
  CHECK(!acc_is_present(a, sizeof a));
}

// What the caller changes or leaves behind after the directive is not what the operation sees.
static void arguments(void) {
  int sums[8];
  struct { double v[4]; } s;
  for (int i = 0; i < 8; i++)
    sums[i] = 0;
#pragma acc enter data copyin(sums)
  for (int i = 0; i < 8; i++) {
    int scale = 10 * i;
    for (int k = 0; k < 4; k++)
      s.v[k] = i + k;
    double first = s.v[0];
#pragma acc parallel loop present(sums) firstprivate(s, first) async(4)
    for (int k = 0; k < 1; k++)
      sums[i] = scale + (int)s.v[3] + (int)first;
    scale = -1;
    first = -1;
    s.v[3] = -1;
  }
#pragma acc exit data copyout(sums) async(4)
#pragma acc wait(4)
  for (int i = 0; i < 8; i++)
    CHECK(sums[i] == 10 * i + i + 3 + i);
}

static void constructs(void) {
  int a[N], b[N], sum = 0, n = N;
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 0;
#pragma acc data copy(a) copyout(b) async(5)
  {
#pragma acc kernels async(5)
    {
#pragma acc loop independent
      for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma acc loop independent
      for (int i = 0; i < n; i++)
        b[i] = a[i];
    }
#pragma acc parallel loop reduction(+ : sum) async(5)
    for (int i = 0; i < n; i++)
      sum += b[i];
#pragma acc kernels async(5)
    {
      n = 1;
      a[0] = n;
    }
#pragma acc parallel loop if (n < 0) async(5)
    for (int i = 0; i < 1; i++)
      n++;
#pragma acc update self(b) if (N > 0) async(5)
  }
#pragma acc wait(5)
  CHECK(b[N - 1] == N && sum == N * (N + 1) / 2 && a[0] == 1 && a[N - 1] == N);
}

static void routines(void) {
  double h[N];
  for (int i = 0; i < N; i++)
    h[i] = i;
  acc_set_default_async(6);
  acc_copyin_async(h, sizeof h, acc_async_noval);
#pragma acc parallel loop present(h) async
  for (int i = 0; i < N; i++)
    h[i] += 1;
  acc_copyout_async(h, sizeof h, 6);
  acc_wait_async(6, 7);
  acc_wait(7);
  CHECK(acc_async_test(acc_async_noval) && h[0] == 1 && h[N - 1] == N && !acc_is_present(h, 1));
#pragma acc parallel loop copy(h) async(acc_async_sync)
  for (int i = 0; i < N; i++)
    h[i] = 0;
  CHECK(h[1] == 0);
}

// More than there are threads for.
static void many_queues(void) {
  static int a[100][N];
#pragma acc enter data create(a)
  for (int q = 0; q < 100; q++) {
#pragma acc parallel loop present(a) async(q)
    for (int i = 0; i < N; i++)
      a[q][i] = q + i;
#pragma acc update self(a[q:1][0:N]) async(q)
  }
  acc_wait_all();
  for (int q = 0; q < 100; q++)
    CHECK(a[q][0] == q && a[q][N - 1] == q + N - 1);
#pragma acc exit data delete (a)
}

// Nobody waits: it is done when the process ends.
static int last[1];
static void say(void) {
  if (last[0] != 3)
    fprintf(stderr, "%s:%d: the queue was not emptied\n", __FILE__, __LINE__), _Exit(1);
}

int main(int count, char **arguments_) {
  (void)arguments_;
  atexit(say); // exit calls it after what is registered at the first use of a queue
  if (count == 1) {
    beside_the_host();
    two_queues();
  }
  arguments();
  constructs();
  routines();
  many_queues();
#pragma acc parallel loop copy(last) async(1)
  for (int i = 0; i < 1; i++)
    last[i] = 3;
  return RESULT();
}
