/* Schedules that the device runtime hands out chunk by chunk. */
// RUN: %check_program %s %t
// MODES: no-gpu (plain clang 19 with Debian's libomptarget fails on a GPU, too: "Failed to process data after launching the kernel")
#include "check.h"

enum { N = 3000, TABLE = 30 };

int main(void) {
  int in[N], table[TABLE], out[N], want[N];
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);
    for (int i = 0; i < N; i++) {
      want[i] = in[i];
      for (int j = 0; j < TABLE; j++)
        want[i] += table[j];
    }
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) schedule(dynamic, 3)
    for (int i = 0; i < N; i++) {
      int sum = in[i];
      for (int j = 0; j < TABLE; j++)
        sum += table[j];
      out[i] = sum;
    }
    expect_bytes("dynamic", out, want, sizeof out);
    memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out) schedule(guided)
    for (int i = 0; i < N; i++) {
      int sum = in[i];
      for (int j = 0; j < TABLE; j++)
        sum += table[j];
      out[i] = sum;
    }
    expect_bytes("guided", out, want, sizeof out);
    memset(out, 0, sizeof out);
  }
  return check_done("dynamic");
}
