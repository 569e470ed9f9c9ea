// What a mapper maps is known to the checks, for one launch and for target data.
// RUN: %simt_cc -O1 -fsimt-check %s -o %t && %t | %FileCheck %s
// CHECK: 0 wrong
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
struct pack {
  int n, *v;
};
#pragma omp declare mapper(struct pack p) map(p, p.v[0 : p.n])
int main(void) {
  struct pack p = {N, malloc(N * sizeof(int))};
  int bad = 0;
  for (int i = 0; i < N; i++)
    p.v[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < N; i++)
    p.v[i] += i;
  for (int i = 0; i < N; i++)
    bad += p.v[i] != 2 * i;
  printf("%d wrong\n", bad);
  return bad != 0;
}
