/* Every operator, several results at a time, array sections, and the program's own reductions: each thread keeps its partial
 * results over all of its iterations, teams reduce once, and the last of them forms the result. Values are small integers, so any
 * order gives the same. */
// RUN: %check_program %s %t
#include "check.h"

enum { MOST = 3000, CELLS = 5 };

static int in[MOST];
static double real[MOST];

struct best {
  double value;
  int at;
};
static struct best better(struct best a, struct best b) {
  return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
#pragma omp declare target to(better)
#pragma omp declare reduction(least : struct best : omp_out = better(omp_out, omp_in)) initializer(omp_priv = (struct best){1e9, 1 << 30})

struct moments {
  long count, sum;
  short largest;
  unsigned char any;
};
#pragma omp declare reduction(all : struct moments : omp_out.count += omp_in.count, omp_out.sum += omp_in.sum, \
    omp_out.largest = omp_in.largest > omp_out.largest ? omp_in.largest : omp_out.largest, omp_out.any |= omp_in.any) \
    initializer(omp_priv = (struct moments){0, 0, -100, 0})

static void operators(int n) {
  long sum = 7, want_sum = 7;
  unsigned long bits = 1, want_bits = 1;
  int most = -5, want_most = -5, least = 1000, want_least = 1000, all = ~0, want_all = ~0, every = 1, want_every = 1, some = 0, want_some = 0;
  unsigned char odd = 3, want_odd = 3;
  double product = 1, want_product = 1;
  float total = 0, want_total = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum, total) reduction(| : bits) reduction(max : most) \
    reduction(min : least) map(tofrom : sum, total, bits, most, least)
  for (int i = 0; i < n; i++) {
    sum += in[i], total += in[i] & 3;
    bits |= 1ul << (in[i] & 63);
    most = in[i] > most ? in[i] : most;
    least = in[i] < least ? in[i] : least;
  }
#pragma omp target teams distribute parallel for simd reduction(* : product) reduction(&& : every) reduction(|| : some) reduction(& : all) \
    reduction(^ : odd) map(tofrom : product, every, some, all, odd)
  for (int i = 0; i < n; i++) {
    product *= i % 97 ? 1 : 2;
    every = every && in[i] >= 0;
    some = some || in[i] == 90;
    all &= in[i] | 64;
    odd ^= (unsigned char)in[i];
  }
  for (int i = 0; i < n; i++) {
    want_sum += in[i], want_total += in[i] & 3;
    want_bits |= 1ul << (in[i] & 63);
    want_most = in[i] > want_most ? in[i] : want_most;
    want_least = in[i] < want_least ? in[i] : want_least;
    want_product *= i % 97 ? 1 : 2;
    want_every = want_every && in[i] >= 0;
    want_some = want_some || in[i] == 90;
    want_all &= in[i] | 64;
    want_odd ^= (unsigned char)in[i];
  }
  expect_long("+", sum, want_sum);
  expect_long("float +", (long)total, (long)want_total);
  expect_long("|", (long)bits, (long)want_bits);
  expect_long("max", most, want_most);
  expect_long("min", least, want_least);
  expect_long("*", product == want_product, 1);
  expect_long("&&", every, want_every);
  expect_long("||", some, want_some);
  expect_long("&", all, want_all);
  expect_long("^", odd, want_odd);
}

static void own(int n) {
  struct best first = {1e9, 1 << 30}, want_first = first;
  struct moments m = {1, 2, -100, 0}, want = m;
#pragma omp target teams distribute parallel for reduction(least : first) map(tofrom : first)
  for (int i = 0; i < n; i++)
    first = better(first, (struct best){real[i], i});
#pragma omp target teams distribute parallel for reduction(all : m) map(tofrom : m)
  for (int i = 0; i < n; i++) {
    m.count++, m.sum += in[i];
    if (in[i] > m.largest) m.largest = (short)in[i];
    m.any |= (unsigned char)(1 << (i & 7));
  }
  for (int i = 0; i < n; i++) {
    want_first = better(want_first, (struct best){real[i], i});
    want.count++, want.sum += in[i];
    if (in[i] > want.largest) want.largest = (short)in[i];
    want.any |= (unsigned char)(1 << (i & 7));
  }
  expect_long("least", first.at, want_first.at);
  expect_long("least value", (long)(first.value * 4), (long)(want_first.value * 4));
  expect_long("count", m.count, want.count);
  expect_long("sum", m.sum, want.sum);
  expect_long("largest", m.largest, want.largest);
  expect_long("any", m.any, want.any);
}

static void sections(int n) {
  long cell[CELLS] = {0}, want[CELLS] = {0}, rows = 0, want_rows = 0;
  int width = 7;
#pragma omp target teams distribute parallel for reduction(+ : cell[ : CELLS]) map(tofrom : cell)
  for (int i = 0; i < n; i++)
    cell[in[i] % CELLS] += i;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : rows) map(tofrom : rows)
  for (int y = 0; y < n / width; y++)
    for (int x = 0; x < width; x++)
      rows += in[y * width + x] * (x + 1);
  for (int i = 0; i < n; i++)
    want[in[i] % CELLS] += i;
  for (int i = 0; i < n / width * width; i++)
    want_rows += in[i] * (i % width + 1);
  expect_bytes("section", cell, want, sizeof want);
  expect_long("collapsed", rows, want_rows);
}

/* Wishes of the program's. */
static void shapes(int n, int threads, int teams) {
  unsigned a = 0, b = 0, c = 0, d = 0, want = 0;
#pragma omp target teams distribute parallel for num_teams(teams) num_threads(threads) reduction(+ : a) map(tofrom : a)
  for (unsigned i = 0; i < (unsigned)n; i++)
    a += (unsigned)in[i];
#pragma omp target teams distribute parallel for thread_limit(threads) reduction(+ : b) map(tofrom : b)
  for (long i = n - 1; i >= 0; i--)
    b += (unsigned)in[i];
#pragma omp target teams distribute parallel for num_teams(3) if (parallel : threads > 40) reduction(+ : c) map(tofrom : c)
  for (unsigned long i = 0; i < (unsigned long)n; i++)
    c += (unsigned)in[i];
#pragma omp target teams distribute parallel for schedule(static, 3) reduction(+ : d) map(tofrom : d)
  for (int i = 0; i < n; i++)
    d += (unsigned)in[i];
  for (int i = 0; i < n; i++)
    want += (unsigned)in[i];
  expect_long("num_threads", a, want);
  expect_long("thread_limit", b, want);
  expect_long("if", c, want);
  expect_long("schedule", d, want);
}

/* Elements that may be loaded as one, if the launch's array is aligned. */
static void neighbours(const int *from, int n) {
  long sum = 0, want = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum) map(to : from[ : 4 * n])
  for (int i = 0; i < n; i++)
    sum += (from[4 * i] + from[4 * i + 1]) * (from[4 * i + 2] - from[4 * i + 3]);
  for (int i = 0; i < n; i++)
    want += (from[4 * i] + from[4 * i + 1]) * (from[4 * i + 2] - from[4 * i + 3]);
  expect_long("neighbours", sum, want);
}

int main(void) {
  static const int sizes[] = {MOST, 0, 1, 31, 129, 1000, MOST}, threads[] = {128, 33, 64, 256}, teams[] = {2, 40, 1};
  for (int r = 0; r < rounds(); r++) {
    int n = sizes[r % 7];
    for (int i = 0; i < MOST; i++) {
      in[i] = value(i, r);
      real[i] = (value(i, r + 1) * 4 + i % 4) / 4.0;
    }
#pragma omp target data map(to : in, real)
    {
      operators(n);
      own(n);
      sections(n);
      shapes(n, threads[r % 4], teams[r % 3]);
      neighbours(in + r % 3, n / 4 > 1 ? n / 4 - 1 : 0);
    }
  }
  return check_done("reductions_all");
}
