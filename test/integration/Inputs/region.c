/* -DNAME=first: one function with one region. */
#include "regions.h"

int NAME(const float *a, const float *w, float *out) {
  int wrong = 0;
#pragma omp target teams distribute parallel for map(to : a[:N + TAPS], w[:TAPS]) map(from : out[:N])
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < TAPS; j++) sum += a[i + j] * w[j];
    out[i] = sum;
  }
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < TAPS; j++) sum += a[i + j] * w[j];
    wrong += out[i] != sum;
  }
  return wrong;
}
