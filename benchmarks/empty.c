/* A region that does next to nothing: what a launch costs.
 *   empty [small|paper|large] [--launches N] */
#include "common/bench.h"


enum { ITERATIONS = 32 };

static void touch(const float *in, float *out) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < ITERATIONS; i++)
    out[i] = in[i];
}

int main(int argc, char **argv) {
  struct bench b = bench_open("empty", argc, argv);
  bench_ready(&b);
  float *in = bench_alloc(ITERATIONS, sizeof *in), *out = bench_alloc(ITERATIONS, sizeof *out);
  bench_fill_float(in, ITERATIONS, 1);

#pragma omp target data map(to : in[0 : ITERATIONS]) map(from : out[0 : ITERATIONS])
  while (bench_next(&b))
    touch(in, out);

  double error = 0;
  for (int i = 0; i < ITERATIONS; i++)
    error = bench_worse(error, out[i], in[i], 1);
  uint64_t checksum = bench_checksum(out, ITERATIONS * sizeof *out);
  return bench_close(&b, checksum, error, 0);
}
