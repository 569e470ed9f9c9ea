// From seed 91088: LLVM counts what is derived of a chunk's first iteration (2 * i here) by the chunks' size, which teams of another size do not have.
#include <stdio.h>
enum { N = 1000, ALL = 2200 };
static unsigned short narrow[ALL], wide[ALL];
static double a[ALL];

static void small_teams(int n) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : a) map(tofrom : narrow)
  for (int i = 0; i < n * 2; i += 2) {
    int sum = i;
    for (short k = 4; k >= 0; k--) sum += (int)a[i + 17] * n;
    narrow[i] = (unsigned short)(sum + (sum - n));
  }
}

static void usual_teams(int n) {
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : wide)
  for (int i = 0; i < n * 2; i += 2) {
    int sum = i;
    for (short k = 4; k >= 0; k--) sum += (int)a[i + 17] * n;
    wide[i] = (unsigned short)(sum + (sum - n));
  }
}

int main(void) {
  int bad = 0;
  for (int i = 0; i < ALL; i++) a[i] = i % 50;
  for (int round = 0; round < 6; round++) {
    int n = N - round;
    small_teams(n);
    usual_teams(n);
    for (int i = 0; i < n * 2; i += 2) {
      int sum = i + 5 * ((int)a[i + 17] * n);
      bad += narrow[i] != (unsigned short)(sum + (sum - n)) || wide[i] != narrow[i];
    }
  }
  printf(bad ? "FAIL\n" : "PASS 0\n");
  return bad != 0;
}
