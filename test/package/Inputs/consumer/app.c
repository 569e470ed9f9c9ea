#include <stdio.h>

int main(void) {
  enum { N = 1000, TAPS = 8 };
  int in[N + TAPS], taps[TAPS], out[N], wrong = 0;
  for (int i = 0; i < N + TAPS; i++)
    in[i] = i % 7;
  for (int j = 0; j < TAPS; j++)
    taps[j] = j;
#pragma omp target teams distribute parallel for map(to : in, taps) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < TAPS; j++)
      sum += in[i + j] * taps[j];
    out[i] = sum;
  }
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < TAPS; j++)
      sum += in[i + j] * taps[j];
    wrong += out[i] != sum;
  }
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
