/* #pragma place team(N): all forms of versions with teams of a size that the program does not ask for, and that no power of two
 * divides into the usual one; the results stay right. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 5000, TAPS = 24, BINS = 50 };

static int in[N + TAPS], taps[TAPS], out[N], want[N];

static void filter(int n) {
#pragma place team(96)
#pragma omp target teams distribute parallel for num_threads(32)
  for (int i = 0; i < n; i++) {
    int sum = in[i & 31] + taps[i % TAPS];
    for (int j = 0; j < TAPS; j++)
      sum += in[i + j] * taps[j];
    out[i] = sum;
  }
}

/* Without the device runtime: chunks of four. */
static void chunks(int n) {
#pragma place team(160)
#pragma omp target teams distribute parallel for schedule(static, 4) thread_limit(64)
  for (int i = 0; i < n; i++)
    out[i] = in[i] * 3 + taps[(i >> 5) % TAPS];
}

/* Two levels, and work of a team's own. */
static void levels(int rows, int columns) {
#pragma place team(256)
#pragma omp target teams distribute
  for (int r = 0; r < rows; r++) {
    int first = in[r] * 2;
#pragma omp parallel for
    for (int c = 0; c < columns; c++)
      out[r * columns + c] = first + in[r * columns + c];
  }
}

static int total(int n) {
  int sum = 0;
#pragma place team(1024)
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += in[i] & 255;
  return sum;
}

static void histogram(int n, int *bins) {
#pragma place team(32)
#pragma omp target teams distribute parallel for map(tofrom : bins[0 : BINS])
  for (int i = 0; i < n; i++)
#pragma omp atomic
    bins[(unsigned)in[i] % BINS]++;
}

/* Looks at its threads: the hint is not followed. */
int omp_get_thread_num(void);
static void looks(int n) {
#pragma place team(64)
#pragma omp target teams distribute parallel for num_threads(128)
  for (int i = 0; i < n; i++)
    out[i] = in[i] + (omp_get_thread_num() < 128);
}

static void check(const char *what) { expect_bytes(what, out, want, sizeof out); }

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    int bins[BINS] = {0}, want_bins[BINS] = {0}, sum = 0;
    for (int i = 0; i < N + TAPS; i++)
      in[i] = value(i, r) & 0xffff;
    for (int i = 0; i < TAPS; i++)
      taps[i] = value(i, r + 1) & 0xff;
    for (int i = 0; i < N; i++) {
      want[i] = in[i & 31] + taps[i % TAPS];
      for (int j = 0; j < TAPS; j++)
        want[i] += in[i + j] * taps[j];
      sum += in[i] & 255;
      want_bins[(unsigned)in[i] % BINS]++;
    }
#pragma omp target data map(to : in, taps) map(from : out)
    {
      filter(N);
#pragma omp target update from(out)
      check("filter");
      for (int i = 0; i < N; i++)
        want[i] = in[i] * 3 + taps[(i >> 5) % TAPS];
      chunks(N);
#pragma omp target update from(out)
      check("chunks");
      for (int i = 0; i < N; i++)
        want[i] = in[i / 100] * 2 + in[i];
      levels(N / 100, 100);
#pragma omp target update from(out)
      check("levels");
      int got = total(N);
      expect_bytes("sum", &got, &sum, sizeof sum);
      histogram(N, bins);
      expect_bytes("histogram", bins, want_bins, sizeof bins);
      for (int i = 0; i < N; i++)
        want[i] = in[i] + 1;
      looks(N);
    }
    check("looks");
  }
  return check_done("hint_teams");
}
