/* Versions that lie packed beside the program's own code (OwnImage.h): of two files, one of which has a region that uses a variable of which
   there must be one, and so keeps that region's. The same program with all in one image, and without the runtime, says the same. Constant and shared memory are the
   image's own, and what is damaged is refused. */
// RUN: rm -rf %t && mkdir %t
// RUN: %simt_cc -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fsimt-own-image %s -o %t/own
// RUN: %simt_cc -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fsimt-own-image -DSECOND -c %s -o %t/second.o
// RUN: %simt_cc -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fsimt-own-image -DBOTH -c %s -o %t/first.o && %simt_cc -fplugin=%plugin %t/first.o %t/second.o -o %t/both
// RUN: %t/own | %FileCheck %s && env PLACE=off %t/own | %FileCheck %s && %t/both | %FileCheck %s && env PLACE=off %t/both | %FileCheck %s
// RUN: env PLACE_FORCE='*:w=constant' PLACE_REPORT=1 %t/own 2>&1 | %FileCheck --check-prefix=CONSTANT %s
// RUN: env PLACE_FORCE='*:w=shared' PLACE_REPORT=1 %t/both 2>&1 | %FileCheck --check-prefix=SHARED %s
// RUN: env PLACE_PATIENCE=0 PLACE_REPORT=1 %t/own 2>&1 | %FileCheck --check-prefix=TRIED %s
// RUN: %python %S/Inputs/damage_packed.py %t/own %t/damaged && env PLACE_REPORT=1 %t/damaged 2>&1 | %FileCheck --check-prefix=DAMAGED %s
// RUN: %python %S/Inputs/damage_packed.py --magic %t/own %t/older && %t/older 2>&1 | %FileCheck --check-prefix=OLDER %s
// REQUIRES: plugin, runtime, simt
// CHECK: PASS own_image
// CONSTANT: PASS own_image
// CONSTANT: 3 target regions: 3 with arrays moved
// CONSTANT: main {{.*}} PLACE_FORCE w in constant memory
// SHARED: PASS own_image
// SHARED: 4 target regions: 3 with arrays moved
// SHARED: main {{.*}} PLACE_FORCE w in shared memory
// TRIED: PASS own_image
// TRIED: decided by measurement
// DAMAGED: place: place_image_{{[0-9a-f]+}}: the packed versions of a file cannot be used: they are damaged; its regions run their original kernels
// DAMAGED: PASS own_image
// OLDER: place: place_image_{{[0-9a-f]+}}: the packed versions of a file cannot be used: they were packed by another version of libplace.so
// OLDER: PASS own_image
#include "check.h"

enum { N = 3000, TAPS = 40 };

#if !defined BOTH
void twice(int n, float *o, const float *w) {
#pragma omp target teams distribute parallel for map(tofrom : o[0 : n]) map(to : w[0 : TAPS])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < TAPS; j++)
      s += w[j];
    o[i] = 2 * o[i] + s;
  }
}
#endif

#ifdef SECOND
#pragma omp begin declare target
float launches;
#pragma omp end declare target

void scale(int n, float *o, const float *w) {
#pragma omp target teams distribute parallel for map(tofrom : o[0 : n]) map(to : w[0 : TAPS])
  for (int i = 0; i < n; i++)
    o[i] += w[i % TAPS] + launches;
#pragma omp target
  launches++;
}

int scaled(void) {
#pragma omp target update from(launches)
  return (int)launches;
}
#else
#ifdef BOTH
void scale(int n, float *o, const float *w);
void twice(int n, float *o, const float *w);
int scaled(void);
#else
static float calls;
static void scale(int n, float *o, const float *w) {
#pragma omp target teams distribute parallel for map(tofrom : o[0 : n]) map(to : w[0 : TAPS])
  for (int i = 0; i < n; i++)
    o[i] += w[i % TAPS] + calls;
  calls++;
}
static int scaled(void) { return (int)calls; }
#endif

static float a[N + TAPS], w[TAPS], o[N], want[N];

int main(void) {
  for (int i = 0; i < N + TAPS; i++)
    a[i] = value(i, 1);
  for (int i = 0; i < TAPS; i++)
    w[i] = value(i, 2) % 5;
#pragma omp target enter data map(to : a, w) map(alloc : o)
  for (int r = 0; r < rounds(); r++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
      float s = 0;
      for (int j = 0; j < TAPS; j++)
        s += a[i + j] * w[j];
      o[i] = s;
    }
    scale(N, o, w);
    twice(N, o, w);
#pragma omp target update from(o)
    for (int i = 0; i < N; i++) {
      want[i] = w[i % TAPS] + r;
      for (int j = 0; j < TAPS; j++)
        want[i] += a[i + j] * w[j];
      want[i] *= 2;
      for (int j = 0; j < TAPS; j++)
        want[i] += w[j];
    }
    expect_bytes("o", o, want, sizeof o);
  }
  expect_long("launches", scaled(), rounds());
  return check_done("own_image");
}
#endif
