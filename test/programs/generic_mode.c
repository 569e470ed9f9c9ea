/* Regions whose teams run sequential code between parallel parts, with memory that a team's threads share; and regions
 * with barriers. Most cannot be placed; all must stay right. */
// RUN: %check_program %s %t
#include "check.h"

enum { GROUPS = 24, SIZE = 70, TABLE = 33 };

static int in[GROUPS][SIZE], table[TABLE], out[GROUPS][SIZE], want[GROUPS][SIZE], sums[GROUPS], want_sums[GROUPS];

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < GROUPS * SIZE; i++)
      in[i / SIZE][i % SIZE] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);

#pragma omp target teams distribute map(to : in, table) map(from : out, sums)
    for (int g = 0; g < GROUPS; g++) {
      int scale = table[g % TABLE] + 1, local[SIZE];
#pragma omp parallel for
      for (int i = 0; i < SIZE; i++)
        local[i] = in[g][i] * scale;
#pragma omp parallel for
      for (int i = 0; i < SIZE; i++)
        out[g][i] = local[SIZE - 1 - i] + table[i % TABLE];
      int sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int i = 0; i < SIZE; i++)
        sum += local[i];
      sums[g] = sum;
    }
    for (int g = 0; g < GROUPS; g++) {
      int scale = table[g % TABLE] + 1;
      want_sums[g] = 0;
      for (int i = 0; i < SIZE; i++) {
        want[g][i] = in[g][SIZE - 1 - i] * scale + table[i % TABLE];
        want_sums[g] += in[g][i] * scale;
      }
    }
    expect_bytes("distribute, parallel for", out, want, sizeof out);
    expect_bytes("sums", sums, want_sums, sizeof sums);

#pragma omp target teams distribute map(to : in, table) map(from : sums)
    for (int g = 0; g < GROUPS; g++) {
      int sum = 0;
      for (int i = 0; i < SIZE; i++)
        sum += in[g][i] * table[i % TABLE];
      sums[g] = sum;
    }
    for (int g = 0; g < GROUPS; g++) {
      want_sums[g] = 0;
      for (int i = 0; i < SIZE; i++)
        want_sums[g] += in[g][i] * table[i % TABLE];
    }
    expect_bytes("distribute alone", sums, want_sums, sizeof sums);

#pragma omp target map(to : in, table) map(from : out)
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < SIZE; i++)
        out[0][i] = in[0][i] + table[2];
#pragma omp barrier
#pragma omp for collapse(2)
      for (int g = 1; g < GROUPS; g++)
        for (int i = 0; i < SIZE; i++)
          out[g][i] = in[g][i] + table[2] + out[0][SIZE - 1 - i];
    }
    for (int g = 0; g < GROUPS; g++)
      for (int i = 0; i < SIZE; i++)
        want[g][i] = in[g][i] + table[2] + (g ? want[0][SIZE - 1 - i] : 0);
    expect_bytes("barrier", out, want, sizeof out);
  }
  return check_done("generic_mode");
}
