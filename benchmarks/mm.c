/* Matrix product, one thread an element.
 *   mm [small|paper|large] [--width N] [--m N] [--n N] [--k N] [--launches N] */
#include "problems/mm.h"

static void multiply(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < m; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int i = 0; i < k; i++)
        sum += a[y * k + i] * b[i * n + x];
      c[y * n + x] = sum;
    }
}

int main(int argc, char **argv) {
  struct bench bench = bench_open("mm", argc, argv);
  struct mm p = mm_open(&bench);
  bench_ready(&bench);
  int m = p.m, n = p.n, k = p.k;
  float *a = p.a, *b = p.b, *c = p.c;

#pragma omp target data map(to : a[0 : m * k], b[0 : k * n]) map(from : c[0 : m * n])
  while (bench_next(&bench))
    multiply(a, b, c, m, n, k);

  return mm_close(&p, &bench);
}
