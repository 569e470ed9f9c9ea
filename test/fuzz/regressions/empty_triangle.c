// From seed 100316: of two loops, the inner one beginning where the outer one is, there may be no iteration where the outer one has some. clang asks
// for the outer one's alone, and the last iteration's number is -1 (it comes to 2^32 - 1 iterations if the inner one's would be negative).
#include <stdio.h>
enum { N = 40, ALL = N * N };
static int a[ALL], out[ALL], want[ALL];

static int sum(long n, int m) {
  int sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum) map(to : a)
  for (int i = 1; i < 1 + n; i++)
    for (int j = i; j < m; j++) sum += a[i * N + j];
  return sum;
}

static int largest(long n, int m) {
  int most = -1;
#pragma omp target teams distribute collapse(2) reduction(max : most) map(to : a)
  for (int i = 1; i < 1 + n; i++)
    for (int j = i; j < m; j++) most = most > a[i * N + j] ? most : a[i * N + j];
  return most;
}

static void copies(long n, int m) {
#pragma omp target teams distribute collapse(2) map(to : a) map(tofrom : out)
  for (int i = 1; i < 1 + n; i++)
    for (int j = i; j < m; j++)
#pragma omp parallel for
      for (int k = 0; k < 2; k++)
        if (k) out[i * N + j] = a[i * N + j];
}

int main(void) {
  static const int columns[] = {23, 1, 40, 2, 1, 5};
  int bad = 0;
  for (int round = 0; round < 6; round++) {
    int m = columns[round], n = 17, most = -1, all = 0;
    for (int i = 0; i < ALL; i++) {
      int inside = i / N >= 1 && i / N < 1 + n && i % N >= i / N && i % N < m;
      a[i] = i * 7 % 31, out[i] = want[i] = i;
      if (inside) want[i] = a[i], all += a[i], most = most > a[i] ? most : a[i];
    }
    bad += sum(n, m) != all;
    bad += largest(n, m) != most;
    copies(n, m);
    for (int i = 0; i < ALL; i++) bad += out[i] != want[i];
  }
  printf(bad ? "FAIL\n" : "PASS 0\n");
  return bad != 0;
}
