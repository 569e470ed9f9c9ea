/* Sum of an array. The numbers are multiples of 2^-24, so that every order of additions gives the same double.
 *   reduction [small|paper|large] [--n N] [--launches N] */
#include "common/bench.h"

static double total(const float *in, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += in[i];
  return sum;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("reduction", argc, argv);
  int n = (int)bench_size(&b, "n", 1 << 13, 1 << 26, 1 << 28);
  bench_ready(&b);
  float *in = bench_floats(n, 1);
  double sum = 0, expected = 0;

#pragma omp target data map(to : in[0 : n])
  while (bench_next(&b))
    sum = total(in, n);

  for (int i = 0; i < n; i++)
    expected += in[i];
  return bench_close(&b, bench_checksum(&sum, sizeof sum), bench_worse(0, sum, expected, expected), 0);
}
