// One process runs the program once for each line of a file, with that line's settings, and says how each has ended.
// RUN: %simt_cc -O2 %s -o %t
// RUN: printf '%t.1\tFACTOR=2\n%t.2\tFACTOR=3\tADDED=1\n%t.3\tFACTOR=0\n%t.4\tFACTOR=-1\tSIMT_SECONDS=1\n%t.5\tFACTOR=1\n' > %t.each
// RUN: %not env SIMT_EACH=%t.each %t > %t.out
// RUN: cat %t.out %t.1 %t.2 %t.3 | %FileCheck %s
// CHECK: 0 {{.*}}each.c.tmp.1{{$}}
// CHECK-NEXT: 0 {{.*}}.2{{$}}
// CHECK-NEXT: 1 {{.*}}.3{{$}}
// CHECK-NEXT: 142 {{.*}}.4{{$}}
// One that a signal ends is the last.
// CHECK-NEXT: sum 9900, added (none)
// CHECK-NEXT: sum 14850, added 1
// CHECK-NEXT: sum 0, added (none)
// Without it, and with one that is not there or says nothing:
// RUN: env FACTOR=1 %t | %FileCheck --check-prefix=ONCE %s
// ONCE: sum 4950, added (none)
// RUN: %not env SIMT_EACH=%t.none %t 2>&1 | %FileCheck --check-prefix=MISSING %s
// MISSING: SIMT_EACH: '{{.*}}.none' cannot be read: No such file or directory
// RUN: printf '%t.5\tFACTOR\n' > %t.each && %not env SIMT_EACH=%t.each %t && %FileCheck --check-prefix=BROKEN %s < %t.5
// BROKEN: SIMT_EACH: 'FACTOR' is no setting NAME=VALUE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int factor = atoi(getenv("FACTOR")), sum = 0;
  const char *added = getenv("ADDED");
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i * factor;
  printf("sum %d, added %s\n", sum, added ? added : "(none)");
  if (factor < 0)
    pause();
  return factor == 0;
}
