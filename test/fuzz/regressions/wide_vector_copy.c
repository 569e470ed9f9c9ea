// From seed 90185: elements of 32 bytes, of which a copy in shared or constant memory is aligned to 16 only, were loaded from it as if it
// were aligned like them.
#include <stdio.h>
#include <stdlib.h>
typedef float float8 __attribute__((vector_size(32)));
enum { N = 70, TABLE = 24, FROM = 3 };
static int out[N];

// Copies lie one behind the other: the first has 16 bytes.
static void region(const int *four, const float8 *table, int from, int n) {
#pragma omp target teams distribute parallel for map(to : four[0 : 4], table[0 : TABLE]) map(tofrom : out)
  for (int i = 0; i < n; i++) {
    int first = four[i % 4];
    float8 sum = table[from + i % 5];
    for (int k = 0; k < TABLE - 5 - FROM; k++)
      sum += table[from + k];
    out[i] += (int)sum[0] + (int)sum[i % 8] + first;
  }
}

int main(void) {
  static const int four[4] = {3, 1, 4, 1};
  float8 *table = aligned_alloc(32, TABLE * sizeof *table);
  int want[N] = {0}, bad = 0;
  for (int i = 0; i < TABLE * 8; i++) ((float *)table)[i] = (float)(i % 23);
  for (int round = 0; round < 6; round++) {
    int from = round % FROM;
    region(four, table, from, N);
    for (int i = 0; i < N; i++) {
      float8 sum = table[from + i % 5];
      for (int k = 0; k < TABLE - 5 - FROM; k++) sum += table[from + k];
      want[i] += (int)sum[0] + (int)sum[i % 8] + four[i % 4];
    }
    for (int i = 0; i < N; i++) bad += out[i] != want[i];
  }
  printf(bad ? "FAIL\n" : "PASS 0\n");
  free(table);
  return bad != 0;
}
