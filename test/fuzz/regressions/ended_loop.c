// A value that is read behind a loop, at the index of its last iteration (what lastprivate becomes): the offset of the access
// named a loop that does not enclose it, and the runtime refused the whole file's region table. Found by seed 20, reduced.
#include <stdio.h>
enum { N = 200 };
static int a[N + 1], out[N], want[N];

int main(void) {
  int wrong = 0, last = -1;
  for (int round = 0; round < 4; round++) {
    int n = N - round;
    for (int i = 0; i <= N; i++)
      a[i] = i * 7 % 61 + round;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(last) map(to : a) map(tofrom : last)
    for (int i = 0; i < 1; i++)
      for (int j = 0; j < n; j++)
        last = a[j + i];
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : out)
    for (int j = 0; j < n; j++) {
      int k = 0;
      while (a[k] < j % 50 + round && k < 9)
        k++;
      out[j] = a[k] + a[j];
    }
    for (int j = 0; j < n; j++) {
      int k = 0;
      while (a[k] < j % 50 + round && k < 9)
        k++;
      want[j] = a[k] + a[j];
      wrong += out[j] != want[j];
    }
  }
  printf("%s ended_loop\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
