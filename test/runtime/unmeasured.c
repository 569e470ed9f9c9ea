/* PLACE_TRIALS=0: the model alone chooses. Few iterations with a loop of their own run straight, in all the threads that a team
 * is made for, where no space promises more; small arrays at other indices are staged; a program that asks for teams of its own
 * keeps the original kernel. */
// REQUIRES: plugin, runtime, simt
// RUN: %simt_cc -O3 -fopenmp -fplugin=%plugin -Wno-pass-failed %s -o %t
// RUN: env PLACE_TRIALS=0 PLACE_REPORT=1 PLACE_MACHINE=%place_source/test/unit/core/machines/h200.msl %t >%t.log 2>&1
// RUN: %FileCheck %s <%t.log
// RUN: env PLACE=off %t | %FileCheck %s --check-prefix=SUM
// SUM: sums 24000 48000 24000
#include <stdio.h>

enum { FEW = 600, INNER = 40 };
static float x[FEW], y[FEW], large[INNER * FEW], out[FEW];

// CHECK-DAG: straight (unmeasured.c:[[#@LINE+2]]) {{.*}} 4.00x faster (predicted)
static void straight(void) {
#pragma omp target teams distribute parallel for map(to : large[0 : INNER * FEW]) map(from : out[0 : FEW])
  for (int i = 0; i < FEW; i++) {
    float sum = 0;
    for (int j = 0; j < INNER; j++)
      sum += large[i + j * FEW];
    out[i] = sum;
  }
}

// CHECK-DAG: staged (unmeasured.c:[[#@LINE+2]]) {{.*}} faster (predicted)
static void staged(void) {
#pragma omp target teams distribute parallel for map(to : x[0 : FEW], y[0 : FEW]) map(from : out[0 : FEW])
  for (int i = 0; i < FEW; i++) {
    float sum = 0;
    for (int j = 0; j < INNER; j++)
      sum += x[(i + j * j) % FEW] * y[(i * 7 + j) % FEW];
    out[i] = sum;
  }
}

// CHECK-DAG: asked (unmeasured.c:[[#@LINE+2]]) {{.*}} as compiled
static void asked(void) {
#pragma omp target teams distribute parallel for num_teams(3) map(to : large[0 : INNER * FEW]) map(from : out[0 : FEW])
  for (int i = 0; i < FEW; i++) {
    float sum = 0;
    for (int j = 0; j < INNER; j++)
      sum += large[i + j * FEW];
    out[i] = sum;
  }
}

static double total(void) {
  double sum = 0;
  for (int i = 0; i < FEW; i++)
    sum += out[i];
  return sum;
}

int main(void) {
  double sums[3] = {0};
  for (int i = 0; i < FEW; i++) {
    x[i] = (float)(i % 5);
    y[i] = (float)(i % 3);
  }
  for (int i = 0; i < INNER * FEW; i++)
    large[i] = (float)(i % 3);
  for (int launch = 0; launch < 4; launch++) {
    straight(), sums[0] = total();
    staged(), sums[1] = total();
    asked(), sums[2] = total();
  }
  printf("sums %g %g %g\n", sums[0], sums[1], sums[2]);
  return 0;
}
