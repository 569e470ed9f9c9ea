/* Radix sort of 32-bit keys with their positions, four bits a pass: digits counted in runs of consecutive keys, counts scanned,
 * keys moved; each pass is stable.
 *   sort [small|paper|large] [--n N] [--run KEYS] [--launches N] */
#include "common/bench.h"
#include "common/scan.h"

enum { DIGITS = 16, DIGIT_BITS = 4 };

/* count[digit * runs + run] */
static void count_digits(const unsigned *key, int *count, int n, int runs, int run_keys, int shift) {
#pragma omp target teams distribute parallel for
  for (int r = 0; r < runs; r++) {
    int end = (r + 1) * run_keys < n ? (r + 1) * run_keys : n;
    for (int d = 0; d < DIGITS; d++)
      count[d * runs + r] = 0;
    for (int i = r * run_keys; i < end; i++)
      count[(key[i] >> shift) % DIGITS * runs + r]++;
  }
}

/* count[] now says where each run's keys with a digit go. */
static void move_keys(const unsigned *key, const int *value, int *count, unsigned *to_key, int *to_value, int n, int runs,
                      int run_keys, int shift) {
#pragma omp target teams distribute parallel for
  for (int r = 0; r < runs; r++) {
    int end = (r + 1) * run_keys < n ? (r + 1) * run_keys : n;
    for (int i = r * run_keys; i < end; i++) {
      int to = count[(key[i] >> shift) % DIGITS * runs + r]++;
      to_key[to] = key[i];
      to_value[to] = value[i];
    }
  }
}

/* Pairs in two places, [0] the input and the result. */
struct pairs {
  unsigned *key[2];
  int *value[2];
};

static void sort(const unsigned *in, const struct pairs *p, int *count, int *sums, int n, int runs, int run_keys) {
  unsigned *first = p->key[0];
  int *position = p->value[0];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    first[i] = in[i];
    position[i] = i;
  }
  for (int pass = 0; pass < 32 / DIGIT_BITS; pass++) {
    int from = pass % 2, to = 1 - from, shift = pass * DIGIT_BITS;
    count_digits(p->key[from], count, n, runs, run_keys, shift);
    scan_exclusive(count, count, sums, DIGITS * runs);
    move_keys(p->key[from], p->value[from], count, p->key[to], p->value[to], n, runs, run_keys, shift);
  }
}

/* In order, and every pair one of the input's: equal keys keep their order, so positions tell which. */
static double count_wrong(const unsigned *in, const unsigned *key, const int *value, int n) {
  double wrong = 0;
  unsigned char *seen = bench_alloc(n, 1);
  for (int i = 0; i < n; i++) {
    if (value[i] < 0 || value[i] >= n || seen[value[i]]++ || in[value[i]] != key[i])
      wrong++;
    if (i > 0 && (key[i - 1] > key[i] || (key[i - 1] == key[i] && value[i - 1] > value[i])))
      wrong++;
  }
  return wrong;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("sort", argc, argv);
  int n = (int)bench_size(&b, "n", 2000, 1 << 23, 1 << 25);
  int run_keys = (int)bench_option(&b, "run", 64), runs = (n + run_keys - 1) / run_keys;
  bench_ready(&b);
  size_t counts = (size_t)DIGITS * runs, sum_count = scan_sums(DIGITS * runs);
  unsigned *in = bench_alloc(n, sizeof *in), *key = bench_alloc(n, sizeof *key), *other_key = bench_alloc(n, sizeof *other_key);
  int *value = bench_alloc(n, sizeof *value), *other_value = bench_alloc(n, sizeof *other_value);
  int *count = bench_alloc(counts, sizeof *count), *sums = bench_alloc(sum_count, sizeof *sums);
  bench_fill_int((int *)in, n, 0x7fffffff, 1);
  for (int i = 0; i < n; i++)
    in[i] = in[i] * 2 + i % 2; /* all 32 bits */
  struct pairs p = {{key, other_key}, {value, other_value}};

#pragma omp target data map(to : in[0 : n]) map(from : key[0 : n], value[0 : n]) map(alloc : other_key[0 : n]) \
    map(alloc : other_value[0 : n], count[0 : counts], sums[0 : sum_count])
  while (bench_next(&b))
    sort(in, &p, count, sums, n, runs, run_keys);

  uint64_t checksum = bench_checksum_on(bench_checksum(key, n * sizeof *key), value, n * sizeof *value);
  return bench_close(&b, checksum, count_wrong(in, key, value, n), 0);
}
