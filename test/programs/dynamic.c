/* Schedules that the device runtime hands out chunk by chunk. */
// RUN: %check_program %s %t
// MODES: no-gpu (plain clang 19 with Debian's libomptarget fails on a GPU, too: "Failed to process data after launching the kernel")
#include "check.h"

enum { N = 3000, TABLE = 30, SIDE = 97 };

/* A nest that would go in blocks, were it not for its schedule. */
static void nest(int seed) {
  static int a[SIDE * SIDE], o[SIDE * SIDE], want[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++)
    a[i] = value(i, seed), want[i % SIDE * SIDE + i / SIDE] = a[i];
  memset(o, 0, sizeof o);
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o) schedule(dynamic, 4)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      o[x * SIDE + y] = a[y * SIDE + x];
  expect_bytes("nest", o, want, sizeof o);
}

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
    nest(r);
  }
  return check_done("dynamic");
}
