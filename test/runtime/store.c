/* A second run begins where the first one ended: its first launch is already of the version that the store says, here one that the test
 * has put there, since what is fastest on the CPU is anybody's guess. */
// REQUIRES: plugin, runtime, simt
// RUN: rm -rf %t.* && %simt_cc -O3 -fopenmp -fplugin=%plugin -Wno-pass-failed %s -o %t
// RUN: env PLACE_STORE=%t.store PLACE_REPORT=%t.first %t 120 | %FileCheck %s --check-prefix=SUM
// RUN: %FileCheck %s --check-prefix=FIRST < %t.first
// RUN: env PLACE_STORE=%t.store %place_build/bin/place-store list | %FileCheck %s --check-prefix=LIST
// The same verdict, but for the version's time.
// RUN: %place_build/bin/place-store --file %t.store export > %t.lines
// RUN: sed -E 's/keeps=original/keeps=version/; s/ reason=.*//; s/base-ns=[^ ]*/base-ns=1e9/; s/version-ns=[^ ]*/version-ns=1e6/' %t.lines > %t.changed
// RUN: %place_build/bin/place-store --file %t.dir/other import < %t.changed | %FileCheck %s --check-prefix=IMPORTED
// RUN: env PLACE_STORE=%t.dir/other PLACE_REPORT=%t.second SIMT_TRACE=1 %t 3 > %t.out 2>&1
// RUN: %FileCheck %s --check-prefix=SUM < %t.out
// RUN: %FileCheck %s --check-prefix=SECOND < %t.second
// RUN: %FileCheck %s --check-prefix=TRACE < %t.out
// Nothing is taken up without the file, by another program, or where a launch differs.
// RUN: env PLACE_STORE=off PLACE_REPORT=%t.third %t 3 && %FileCheck %s --check-prefix=ANEW < %t.third
// RUN: %simt_cc -O3 -fopenmp -fplugin=%plugin -Wno-pass-failed -DTAPS=9 %s -o %t.changed-code
// RUN: env PLACE_STORE=%t.dir/other PLACE_REPORT=%t.fourth %t.changed-code 3 && %FileCheck %s --check-prefix=ANEW < %t.fourth
// RUN: env PLACE_STORE=%t.dir/other PLACE_REPORT=%t.fifth %t 3 5000 && %FileCheck %s --check-prefix=ANEW < %t.fifth
// A file of another kind is moved aside.
// RUN: echo "a user's notes" > %t.dir/notes && env PLACE_STORE=%t.dir/notes %t 120 2>&1 | %FileCheck %s --check-prefix=ASIDE
// RUN: %place_build/bin/place-store --file %t.dir/notes drop all | %FileCheck %s --check-prefix=IMPORTED
// RUN: %FileCheck %s --check-prefix=NOTES < %t.dir/notes.aside
// FIRST: "phase":"settled"{{.*}}"recalled":false
// LIST: {{^[0-9a-f]+}} {{.*}} CPU sm_0 driver 0{{ +}}filter {{.*}}store.c:
// IMPORTED: 1 verdicts
// SECOND: "launches":3,"original_launches":0
// SECOND: "launches":3,"placed_launches":3,"phase":"settled"{{.*}}"recalled":true
// TRACE: _filter_l{{[0-9]+}}_place_
// ANEW: "recalled":false
// ASIDE: place: {{.*}}notes is damaged, or no store of place's: it is now {{.*}}notes.aside
// NOTES: a user's notes
// SUM: sum {{[0-9]+}}
#include <stdio.h>
#include <stdlib.h>

#ifndef TAPS
#define TAPS 8
#endif
enum { MOST = 8192 };
static float in[MOST + TAPS], tap[TAPS], out[MOST];

static void filter(int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += in[i + k] * tap[k];
    out[i] = sum;
  }
}

int main(int argc, char **argv) {
  int launches = atoi(argv[1]), n = argc > 2 ? atoi(argv[2]) : 1000;
  double sum = 0;
  for (int i = 0; i < MOST + TAPS; i++)
    in[i] = (float)(i % 5);
  for (int k = 0; k < TAPS; k++)
    tap[k] = (float)k;
#pragma omp target data map(to : in, tap) map(from : out)
  for (int i = 0; i < launches; i++)
    filter(n);
  for (int i = 0; i < n; i++)
    sum += out[i];
  printf("sum %.0f\n", sum);
}
