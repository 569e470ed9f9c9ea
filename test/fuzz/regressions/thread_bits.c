// From seed 100493: a chunk begins at a multiple of the team's size, so LLVM takes an iteration's low bits from the thread's number (an i6 here),
// which teams of another size, or blocks, must not.
#include <stdint.h>
#include <stdio.h>
enum { N = 1024 };
static int8_t a[N], want[N];
static float b[N];

static void on_device(int rows, int times) {
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : a) map(to : b)
  for (size_t i = 3; i < 3u + rows; i++)
    for (int j = 7; j >= 0; j--)
      for (long k = 7; k >= 0; k--) {
        int sum = 0;
        for (int r = 0; r < 3; r++)
          for (int64_t t = 0; t < times; t++) sum += (int)k;
        a[i * 64 + j * 8 + k] = (int8_t)(sum + ((int)a[i * 64 + j * 8 + k] * (int)b[k + 8 * j + 64 * i]));
      }
}

int main(void) {
  int bad = 0;
  for (int round = 0; round < 6; round++) {
    int rows = 5 + round, times = 2;
    for (int i = 0; i < N; i++) {
      a[i] = want[i] = (int8_t)(i * 7), b[i] = (float)(i % 13);
      if (i >= 3 * 64 && i < (3 + rows) * 64) want[i] = (int8_t)(3 * times * (i % 8) + want[i] * (i % 13));
    }
    on_device(rows, times);
    for (int i = 0; i < N; i++) bad += a[i] != want[i];
  }
  puts(bad ? "FAIL" : "PASS 0");
  return bad != 0;
}
