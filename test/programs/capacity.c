/* Tables around the limits of the memories: 48 KiB of shared and 16 KiB of constant memory, one byte below, at, above, and
 * several that fit alone but not together. Also a region that uses shared memory of its own. */
// RUN: %check_program %s %t
#include "check.h"

enum { LIMIT = 49152, BANK = 16384, N = 3000 };

static unsigned char a[LIMIT + 64], b[LIMIT + 64];
static int out[N], want[N];

static void read_two(const unsigned char *x, const unsigned char *y, int *o, int x_bytes, int y_bytes) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < 6; j++)
      sum += x[(i * 131 + j * 977) % x_bytes] + y[(i * 17 + j) % y_bytes];
    o[i] = sum + x[x_bytes - 1] * y[y_bytes - 1];
  }
}

static void run(int x_bytes, int y_bytes, int seed) {
  for (int i = 0; i < x_bytes; i++)
    a[i] = value(i, seed);
  for (int i = 0; i < y_bytes; i++)
    b[i] = value(i, seed + 1);
#pragma omp target data map(to : a[0 : x_bytes], b[0 : y_bytes]) map(from : out)
  read_two(a, b, out, x_bytes, y_bytes);
  for (int i = 0; i < N; i++) {
    want[i] = a[x_bytes - 1] * b[y_bytes - 1];
    for (int j = 0; j < 6; j++)
      want[i] += a[(i * 131 + j * 977) % x_bytes] + b[(i * 17 + j) % y_bytes];
  }
  expect_bytes("two tables", out, want, sizeof out);
}

static void own_shared_memory(int seed) {
  enum { TEAM = 64 };
  int in[N];
  for (int i = 0; i < N; i++)
    in[i] = value(i, seed);
#pragma omp target teams distribute map(to : in) map(from : out) thread_limit(TEAM)
  for (int start = 0; start < N; start += TEAM) {
    int tile[TEAM];
    int count = N - start < TEAM ? N - start : TEAM;
#pragma omp parallel for
    for (int i = 0; i < count; i++)
      tile[i] = in[start + i];
#pragma omp parallel for
    for (int i = 0; i < count; i++)
      out[start + i] = tile[count - 1 - i] + in[0];
  }
  for (int start = 0; start < N; start += TEAM) {
    int count = N - start < TEAM ? N - start : TEAM;
    for (int i = 0; i < count; i++)
      want[start + i] = in[start + count - 1 - i] + in[0];
  }
  expect_bytes("own shared memory", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    run(LIMIT, 16, r);
    run(LIMIT - 1, 1, r);
    run(LIMIT + 1, 40, r);
    run(LIMIT / 2, LIMIT / 2, r);
    run(LIMIT / 2 + 8, LIMIT / 2 + 8, r);
    run(100, LIMIT, r);
    run(BANK, 16, r);
    run(BANK - 1, BANK + 1, r);
    run(BANK / 2, BANK / 2, r);
    run(BANK / 2 + 8, BANK / 2 + 8, r);
    own_shared_memory(r);
  }
  return check_done("capacity");
}
