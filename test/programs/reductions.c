/* Reductions and atomics beside arrays that are only read. Sums are of integers, so any order gives the same. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 5000, BINS = 32, TABLE = 100 };

static int in[N], edges[BINS], table[TABLE], histogram[BINS], want[BINS];

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    long sum = 0, expected = 0;
    int largest = -1, expected_largest = -1, passed = 0, expected_passed = 0;
    double total = 0, expected_total = 0;
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 2);
    for (int i = 0; i < BINS; i++)
      edges[i] = i * 3, histogram[i] = want[i] = 0;

#pragma omp target data map(to : in, edges, table) map(tofrom : histogram)
    {
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : largest) map(tofrom : sum, largest)
      for (int i = 0; i < N; i++) {
        sum += table[in[i]];
        largest = in[i] + table[3] > largest ? in[i] + table[3] : largest;
      }
#pragma omp target teams distribute parallel for reduction(+ : total) map(tofrom : total)
      for (int i = 0; i < N; i++)
        total += table[i % TABLE] * 0.5;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) {
        int bin = BINS - 1;
        while (bin > 0 && edges[bin] > in[i])
          bin--;
#pragma omp atomic
        histogram[bin]++;
      }
#pragma omp target teams distribute parallel for map(tofrom : passed)
      for (int i = 0; i < N; i++)
        if (in[i] > table[i % TABLE]) {
#pragma omp atomic update
          passed += 1;
        }
    }

    for (int i = 0; i < N; i++) {
      int bin = BINS - 1;
      while (bin > 0 && edges[bin] > in[i])
        bin--;
      want[bin]++;
      expected += table[in[i]];
      expected_largest = in[i] + table[3] > expected_largest ? in[i] + table[3] : expected_largest;
      expected_total += table[i % TABLE] * 0.5;
      expected_passed += in[i] > table[i % TABLE];
    }
    expect_long("sum", sum, expected);
    expect_long("max", largest, expected_largest);
    expect_long("double sum", (long)(total * 2), (long)(expected_total * 2));
    expect_long("atomic counter", passed, expected_passed);
    expect_bytes("histogram", histogram, want, sizeof want);
  }
  return check_done("reductions");
}
