/* Exclusive prefix sum, in several kernels (common/scan.h).
 *   scan [small|paper|large] [--n N] [--launches N] */
#include "common/scan.h"
#include "common/bench.h"

int main(int argc, char **argv) {
  struct bench b = bench_open("scan", argc, argv);
  int n = (int)bench_size(&b, "n", 5000, 1 << 24, 1 << 26);
  bench_ready(&b);
  size_t sum_count = scan_sums(n);
  int *in = bench_ints(n, 16, 1), *out = bench_alloc(n, sizeof *out), *sums = bench_alloc(sum_count, sizeof *sums);

#pragma omp target data map(to : in[0 : n]) map(alloc : sums[0 : sum_count]) map(from : out[0 : n])
  while (bench_next(&b))
    scan_exclusive(in, out, sums, n);

  double wrong = 0;
  for (int i = 0, sum = 0; i < n; sum += in[i++])
    wrong += out[i] != sum;
  return bench_close(&b, bench_checksum(out, n * sizeof *out), wrong, 0);
}
