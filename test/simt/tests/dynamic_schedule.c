// Dynamic and guided schedules: OpenMP's device runtime hands out chunks with malloc, activemask and shuffles.
// RUN: %simt_cc -O3 -g -fsimt-check %s -o %t && %t | %FileCheck %s
// CHECK: 0 wrong
#include <stdio.h>

int main(void) {
  enum { N = 3000 };
  static int dynamic[N], guided[N];
  int wrong = 0;
#pragma omp target teams distribute parallel for map(from : dynamic) schedule(dynamic, 3)
  for (int i = 0; i < N; i++)
    dynamic[i] = 2 * i;
#pragma omp target teams distribute parallel for map(from : guided) schedule(guided)
  for (int i = 0; i < N; i++)
    guided[i] = 3 * i;
  for (int i = 0; i < N; i++)
    wrong += (dynamic[i] != 2 * i) + (guided[i] != 3 * i);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
