/* Heap memory that is freed and allocated again, mapped anew with other content and other sizes at what may be the same
 * addresses: what was known of an array ends with its mapping. */
// RUN: %check_program %s %t
#include "check.h"

static void apply(const float *t, int entries, const float *in, float *out, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < entries; j++)
      sum += t[j];
    out[i] = sum + in[i] * t[i % entries];
  }
}

static void once(int entries, int n, int seed) {
  float *t = malloc(entries * sizeof *t), *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
  float *want = malloc(n * sizeof *want);
  for (int i = 0; i < entries; i++)
    t[i] = value(i, seed);
  for (int i = 0; i < n; i++)
    in[i] = value(i, seed + 1);
#pragma omp target enter data map(to : t[0 : entries], in[0 : n]) map(alloc : out[0 : n])
  apply(t, entries, in, out, n);
  apply(t, entries, in, out, n);
#pragma omp target exit data map(from : out[0 : n]) map(delete : t[0 : entries], in[0 : n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < entries; j++)
      sum += t[j];
    want[i] = sum + in[i] * t[i % entries];
  }
  expect_bytes("remapped", out, want, n * sizeof *out);
  free(want);
  free(out);
  free(in);
  free(t);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    once(16, 500, r);
    once(16, 500, r + 100);
    once(200, 64, r);
    once(1, 1, r);
    once(3000, 100, r); /* 12,000 bytes */
  }
  return check_done("remapped");
}
