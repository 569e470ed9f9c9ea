// Generic-mode kernels (a state machine over named barriers), reductions, atomics, printf; -O0 and -O3.
// RUN: %simt_cc -O3 -g -fsimt-check %s -o %t -lm && %t | %FileCheck %s
// RUN: %simt_cc -O0 %s -o %t.0 -lm && %t.0 | %FileCheck %s
// CHECK: nested 0 wrong
// CHECK: sum 499500
// CHECK: maximum 100002 sum 4999997508
// CHECK: atomic 44850
// CHECK: from the device: text 1.5 7 1234567890123
#include <omp.h>
#include <stdio.h>

int main(void) {
  static int out[1000];
  int wrong = 0, total = 0, maximum = -1, atomic = 0;
  long sum = 0;
#pragma omp target teams distribute map(from : out) num_teams(4) thread_limit(64)
  for (int i = 0; i < 10; i++) {
    int base = i * 100;
#pragma omp parallel for
    for (int j = 0; j < 100; j++)
      out[base + j] = base + j;
  }
  for (int i = 0; i < 1000; i++)
    wrong += out[i] != i;
  printf("nested %d wrong\n", wrong);
#pragma omp target map(from : total)
  {
    int t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < 1000; i++)
      t += i;
    total = t;
  }
  printf("sum %d\n", total);
#pragma omp target teams distribute parallel for reduction(max : maximum) reduction(+ : sum)
  for (int i = 0; i < 100000; i++) {
    int value = (int)((i * 7919L) % 100003);
    if (value > maximum)
      maximum = value;
    sum += (i * 7919) % 100003;
  }
  long expected = 0;
  for (int i = 0; i < 100000; i++)
    expected += (i * 7919) % 100003;
  printf("maximum %d sum %ld\n", maximum, sum == expected ? 4999997508 : -1);
#pragma omp target teams distribute parallel for map(tofrom : atomic)
  for (int i = 0; i < 300; i++) {
#pragma omp atomic
    atomic += i;
  }
  printf("atomic %d\n", atomic);
  fflush(stdout);
#pragma omp target
  printf("from the device: %s %g %d %ld\n", "text", 1.5, 7, 1234567890123L);
  return 0;
}
