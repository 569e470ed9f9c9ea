/* Atomic updates of cells that nothing else in the region touches: histograms, counters, extremes; of cells that are too many for a
 * team's shared memory; and what must not be collected. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 4000, BINS = 256, MANY = 5000 };

static unsigned char bytes[N];
static int in[N];
static unsigned bins[BINS], want_bins[BINS];
static long many[MANY], want_many[MANY];
static double weights[8], want_weights[8];
static unsigned flags[8], want_flags[8];
static int out[N], want_out[N], tickets[N];

static void histograms(int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    bins[bytes[i]]++;
  }
#pragma omp target teams distribute parallel for num_teams(7)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    many[(in[i] * 53 + i) % MANY] += i;
    if (in[i] > 40) {
#pragma omp atomic update
      weights[in[i] & 7] += in[i];
    }
  }
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n / 10; y++)
    for (int x = 0; x < 10; x++) {
      out[y * 10 + x] = in[y * 10 + x] + 1;
#pragma omp atomic update
      flags[y & 7] |= 1u << (x + in[y] % 8);
    }
  for (int i = 0; i < n; i++) {
    want_bins[bytes[i]]++;
    want_many[(in[i] * 53 + i) % MANY] += i;
    if (in[i] > 40)
      want_weights[in[i] & 7] += in[i];
  }
  for (int i = 0; i < n / 10 * 10; i++) {
    want_out[i] = in[i] + 1;
    want_flags[i / 10 & 7] |= 1u << (i % 10 + in[i / 10] % 8);
  }
  expect_bytes("histogram", bins, want_bins, sizeof bins);
  expect_bytes("many cells", many, want_many, sizeof many);
  expect_bytes("weights", weights, want_weights, sizeof weights);
  expect_bytes("flags", flags, want_flags, sizeof flags);
  expect_bytes("out", out, want_out, sizeof out);
}

static void counters(int n) {
  long small = 0, large = 0, want_small = 0, want_large = 0;
#pragma omp target teams distribute parallel for map(tofrom : small, large)
  for (int i = 0; i < n; i++) {
    if (in[i] < 30) {
#pragma omp atomic update
      small += in[i];
    } else {
#pragma omp atomic update
      large++;
    }
  }
  for (int i = 0; i < n; i++)
    if (in[i] < 30)
      want_small += in[i];
    else
      want_large++;
  int several[5] = {0, 0, -9, 900, 0}, want[5] = {0, 0, -9, 900, 0};
#pragma omp target teams distribute parallel for map(tofrom : several)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    several[0] += in[i];
#pragma omp atomic update
    several[1] |= in[i];
#pragma omp atomic compare
    if (several[2] < in[i]) several[2] = in[i];
#pragma omp atomic compare
    if (several[3] > in[i]) several[3] = in[i];
    if (i % 3) {
#pragma omp atomic update
      several[4] ^= in[i];
    }
  }
  for (int i = 0; i < n; i++) {
    want[0] += in[i], want[1] |= in[i];
    want[2] = want[2] < in[i] ? in[i] : want[2];
    want[3] = want[3] > in[i] ? in[i] : want[3];
    if (i % 3)
      want[4] ^= in[i];
  }
  expect_bytes("several", several, want, sizeof want);
  expect_long("small", small, want_small);
  expect_long("large", large, want_large);
}

/* Sums of 64 bits that go through 0, and past 32 bits in both directions; added up from different values, and by a constant. */
static void wide(int n) {
  long cells[8] = {-3, 0, 1l << 40}, want[8] = {-3, 0, 1l << 40}, sum = -1, want_sum = -1;
  unsigned long ones[2] = {0xfffffff0u, 0}, want_ones[2] = {0xfffffff0u, 0};
#pragma omp target teams distribute parallel for map(tofrom : cells)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    cells[in[i] & 7] += i % 3 ? in[i] * 0x71234567l : i % 2 ? -1 : -(1l << 33);
  }
#pragma omp target teams distribute parallel for map(tofrom : ones, sum)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    ones[bytes[i] & 1]++;
#pragma omp atomic update
    sum -= in[i] * 0x123456789l;
  }
  unsigned long bits[3] = {0, 1ul << 63, ~0ul}, want_bits[3] = {0, 1ul << 63, ~0ul};
#pragma omp target teams distribute parallel for map(tofrom : bits)
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    bits[0] |= 1ul << (in[i] % 64);
#pragma omp atomic update
    bits[1] ^= in[i] * 0x123456789ul;
#pragma omp atomic update
    bits[2] &= ~(1ul << (in[i] / 2));
  }
  for (int i = 0; i < n; i++) {
    want[in[i] & 7] += i % 3 ? in[i] * 0x71234567l : i % 2 ? -1 : -(1l << 33);
    want_ones[bytes[i] & 1]++;
    want_sum -= in[i] * 0x123456789l;
    want_bits[0] |= 1ul << (in[i] % 64), want_bits[1] ^= in[i] * 0x123456789ul, want_bits[2] &= ~(1ul << (in[i] / 2));
  }
  expect_bytes("bits", bits, want_bits, sizeof bits);
  expect_bytes("wide cells", cells, want, sizeof cells);
  expect_bytes("ones", ones, want_ones, sizeof ones);
  expect_long("wide sum", sum, want_sum);
}

/* Elements of one and two bytes, of which a thread takes groups that are loaded at once: full groups, parts of one and none, counters of 32
 * and 64 bits and unsigned ones, arrays that begin anywhere. */
static short shorts[N];

static void narrow(int n, int from) {
  unsigned odd[BINS] = {0}, want[BINS] = {0}, low[16] = {0}, want_low[16] = {0};
  int hits = 0, want_hits = 0;
  const unsigned char *some = bytes + from;
#pragma omp target teams distribute parallel for map(to : some[ : n]) map(tofrom : odd)
  for (long i = 0; i < n; i++) {
#pragma omp atomic update
    odd[some[i]] += 3;
  }
#pragma omp target teams distribute parallel for map(tofrom : low, hits)
  for (unsigned i = 0; i < (unsigned)n; i++) {
#pragma omp atomic update
    low[shorts[i] & 15]++;
    if (shorts[i] > 300) {
#pragma omp atomic update
      hits++;
    }
  }
  for (int i = 0; i < n; i++) {
    want[some[i]] += 3;
    want_low[shorts[i] & 15]++;
    want_hits += shorts[i] > 300;
  }
  expect_bytes("odd", odd, want, sizeof odd);
  expect_bytes("low", low, want_low, sizeof low);
  expect_long("hits", hits, want_hits);
}

/* The old value is asked for; the cells are those of another array, which is read. */
static void visible(int n, unsigned *same) {
  int next = 0, seen = 0;
#pragma omp target teams distribute parallel for map(tofrom : next)
  for (int i = 0; i < n; i++) {
    int mine;
#pragma omp atomic capture
    mine = next++;
    tickets[mine] = i;
  }
  unsigned char taken[N] = {0};
  for (int i = 0; i < n; i++)
    taken[tickets[i]]++;
  for (int i = 0; i < n; i++)
    seen += taken[i] == 1;
  expect_long("tickets", seen, n);
  unsigned *cells = same;
#pragma omp target data map(tofrom : same[ : BINS])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic update
    cells[i & 7] += same[8 + (i & 15)];
  }
  for (int i = 0; i < n; i++)
    want_bins[i & 7] += want_bins[8 + (i & 15)];
  expect_bytes("same memory", same, want_bins, sizeof bins);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    int n = r % 5 == 3 ? 77 : r % 5 == 4 ? 0 : N;
    for (int i = 0; i < N; i++) {
      bytes[i] = (unsigned char)(value(i, r) * 5);
      in[i] = value(i, r + 1);
      shorts[i] = (short)(in[i] * 7 - 20);
    }
    histograms(n);
    counters(n);
    wide(n);
    for (int few = 0; few < 40; few += 1 + few % 5)
      narrow(few, r + few % 3);
    narrow(n, 0);
    narrow(N - 100 - 7 * r, 5);
    visible(n, bins);
  }
  return check_done("histograms");
}
