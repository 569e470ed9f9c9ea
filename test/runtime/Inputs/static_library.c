#include <stdio.h>
enum { N = 3000 };
int lib_scale(const int *in, const int *w, int *out, int n, int rounds);
int main(void) {
  static int in[N], w[64], out[N];
  for (int i = 0; i < N; i++) in[i] = i % 97;
  for (int i = 0; i < 64; i++) w[i] = i;
  int bad = lib_scale(in, w, out, N, 20);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
