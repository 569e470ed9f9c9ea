/* filter [N [LAUNCHES]]: a filter of 64 taps over N numbers, again and again, as a simulation would do it. Prints what became of
 * the last number, and how many of a sample are wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAPS = 64 };

static void filter(int n, const float *in, const float *taps, float *out) {
#pragma omp target teams distribute parallel for map(to : in[:n + TAPS], taps[:TAPS]) map(from : out[:n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < TAPS; j++) sum += in[i + j] * taps[j];
    out[i] = sum;
  }
}

static int count_wrong(int n, const float *in, const float *taps, const float *out) {
  int wrong = 0;
  for (int i = 0; i < n; i += n / 16 + 1) {
    double sum = 0;
    for (int j = 0; j < TAPS; j++) sum += (double)in[i + j] * taps[j];
    wrong += fabs(out[i] - sum) > 1e-3 * fabs(sum);
  }
  return wrong;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 22, launches = argc > 2 ? atoi(argv[2]) : 500;
  if (n < 1 || launches < 1) return fprintf(stderr, "usage: filter [N [LAUNCHES]]\n"), 2;
  float *in = malloc((size_t)(n + TAPS) * sizeof *in), *out = malloc((size_t)n * sizeof *out), taps[TAPS];
  if (!in || !out) return fprintf(stderr, "filter: out of memory\n"), 1;
  for (int i = 0; i < n + TAPS; i++) in[i] = (float)(1 + i % 10);
  for (int j = 0; j < TAPS; j++) taps[j] = 1.0f / (float)(1 + j);

  /* The arrays stay on the GPU between launches. */
#pragma omp target data map(to : in[:n + TAPS], taps) map(from : out[:n])
  for (int launch = 0; launch < launches; launch++) filter(n, in, taps, out);

  int wrong = count_wrong(n, in, taps, out);
  printf("last: %g, wrong: %d\n", out[n - 1], wrong);
  free(in);
  free(out);
  return wrong != 0;
}
