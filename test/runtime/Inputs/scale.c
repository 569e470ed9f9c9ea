#include <stdlib.h>
int lib_scale(const int *in, const int *w, int *out, int n, int rounds) {
  int bad = 0;
  for (int r = 0; r < rounds; r++) {
#pragma omp target teams distribute parallel for map(to : in[0 : n], w[0 : 64]) map(from : out[0 : n])
    for (int i = 0; i < n; i++) {
      int s = 0;
      for (int k = 0; k < 64; k++) s += w[k] * in[(i + k) % n];
      out[i] = s;
    }
    int i = r * 37 % n, s = 0;
    for (int k = 0; k < 64; k++) s += w[k] * in[(i + k) % n];
    bad += out[i] != s;
  }
  return bad;
}
