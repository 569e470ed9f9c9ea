/* Exclusive prefix sum on the device, of ints that lie there: scan.c, and sort.c for its counts.
 *
 * In three steps: the sum of each run of SCAN_RUN numbers, the scan of these sums (by the same means), and the numbers within
 * each run. `sums` holds the runs' sums of all levels, scan_sums(n) ints. */
#ifndef PLACE_COMMON_SCAN_H
#define PLACE_COMMON_SCAN_H

#include <stddef.h>

enum { SCAN_RUN = 32 };

static inline int scan_runs(int n) { return (n + SCAN_RUN - 1) / SCAN_RUN; }

/* How many ints `sums` must have for n numbers. */
static inline size_t scan_sums(int n) {
  size_t sums = 0;
  for (int runs = scan_runs(n); n > SCAN_RUN; n = runs, runs = scan_runs(n))
    sums += runs;
  return sums + 1;
}

static inline void scan_add_runs(const int *in, int *sums, int n, int runs) {
#pragma omp target teams distribute parallel for
  for (int r = 0; r < runs; r++) {
    int sum = 0, end = (r + 1) * SCAN_RUN < n ? (r + 1) * SCAN_RUN : n;
    for (int i = r * SCAN_RUN; i < end; i++)
      sum += in[i];
    sums[r] = sum;
  }
}

/* In place if in == out. The only run of the last level starts at 0; other runs start where `sums` says. */
static inline void scan_within_runs(const int *in, const int *sums, int *out, int n, int runs) {
#pragma omp target teams distribute parallel for
  for (int r = 0; r < runs; r++) {
    int sum = runs > 1 ? sums[r] : 0, end = (r + 1) * SCAN_RUN < n ? (r + 1) * SCAN_RUN : n;
    for (int i = r * SCAN_RUN; i < end; i++) {
      int next = in[i];
      out[i] = sum;
      sum += next;
    }
  }
}

/* out[i] = in[0] + ... + in[i - 1] */
static inline void scan_exclusive(const int *in, int *out, int *sums, int n) {
  int runs = scan_runs(n);
  if (runs > 1) {
    scan_add_runs(in, sums, n, runs);
    scan_exclusive(sums, sums, sums + runs, runs);
  }
  scan_within_runs(in, sums, out, n, runs);
}

#endif
