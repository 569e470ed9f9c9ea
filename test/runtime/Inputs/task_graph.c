// Task graphs: nowait and depend, target data with nowait, several host threads at once.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 1500, K = 40 };
static int work(int seed) {
  int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c), *w = malloc(K * sizeof *w), bad = 0;
  for (int r = 0; r < 8; r++) {
    for (int i = 0; i < N; i++) a[i] = (i + seed) % 19, b[i] = c[i] = -1;
    for (int k = 0; k < K; k++) w[k] = (k + r + seed) % 5;
#pragma omp target enter data map(to : a[0 : N], w[0 : K]) map(alloc : b[0 : N], c[0 : N]) depend(out : a[0], b[0], c[0]) nowait
#pragma omp target teams distribute parallel for depend(in : a[0]) depend(out : b[0]) nowait
    for (int i = 0; i < N; i++) {
      int s = 0;
      for (int k = 0; k < K; k++) s += w[k] * a[(i + k) % N];
      b[i] = s;
    }
#pragma omp target teams distribute parallel for depend(in : b[0]) depend(out : c[0]) nowait
    for (int i = 0; i < N; i++) c[i] = b[N - 1 - i] + w[i % K];
#pragma omp target exit data map(from : b[0 : N], c[0 : N]) map(delete : a[0 : N], w[0 : K]) depend(inout : a[0], b[0], c[0]) nowait
#pragma omp taskwait
    for (int i = 0; i < N; i++) {
      int s = 0, t = 0;
      for (int k = 0; k < K; k++) s += w[k] * a[(i + k) % N], t += w[k] * a[(N - 1 - i + k) % N];
      bad += b[i] != s || c[i] != t + w[i % K];
    }
    for (int l = 0; l < 3; l++) {
#pragma omp target teams distribute parallel for map(to : a[0 : N], w[0 : K]) map(from : c[0 : N])
      for (int i = 0; i < N; i++) {
        int s = 0;
        for (int k = 0; k < K; k++) s += w[k] * a[(i + k) % N];
        c[i] = s;
      }
      for (int i = 0; i < N; i++) bad += c[i] != b[i];
    }
  }
  return bad;
}
int main(void) {
  int bad = work(0);
#pragma omp parallel for num_threads(4) reduction(+ : bad)
  for (int t = 0; t < 4; t++) bad += work(t);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
