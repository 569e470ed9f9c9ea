// Three neighbours of an array of three, copied to constant or shared memory: no version reads a fourth there.
#include <stdio.h>

enum { N = 777 };
static float taps[3] = {1, 2, 3}, in[N + 2], out[N];

int main(void) {
  int bad = 0;
  for (int i = 0; i < N + 2; i++) in[i] = (float)(i % 61);
#pragma omp target teams distribute parallel for map(to : taps, in) map(from : out)
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += taps[2 - k] * in[i + k];
    out[i] = sum;
  }
  for (int i = 0; i < N; i++) bad += out[i] != 3 * in[i] + 2 * in[i + 1] + in[i + 2];
  printf("%s copied_three\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
