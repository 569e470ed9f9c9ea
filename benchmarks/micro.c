/* Microbenchmarks behind paper 004's Table VII: latency and bandwidth of the caches and memories, by the pattern that a small
 * table is read in. Where the table lies is the plan's to choose; its size decides which cache holds it.
 *   micro [small|paper|large] [chase|stream|broadcast|lanes|strided] [--entries N] [--reads N] [--threads N] [--stride N]
 *         [--launches N]
 * chase      one thread follows a chain through the table: latency is the time by the number of reads
 * stream     every thread reads an entry of its own once and writes it: bandwidth of global memory
 * broadcast  all threads read the same entries in the same order: what constant memory is made for
 * lanes      the threads of a warp read entries side by side: bandwidth of L1 and of shared memory
 * strided    the threads of a warp read entries `stride` apart: sectors, and conflicts of shared memory's banks */
#include "common/bench.h"

#include <stdio.h>

enum { CHASE, STREAM, BROADCAST, LANES, STRIDED };

static void chase(const int *table, int *out, int reads) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1; i++) {
    int at = 0;
    for (int k = 0; k < reads; k++)
      at = table[at];
    out[i] = at;
  }
}

static void stream(const int *in, int *out, int threads) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < threads; i++)
    out[i] = in[i];
}

/* Thread i's read k is entry (i * stride + k * step) % entries; broadcast: stride 0. */
static void read_table(const int *table, int *out, int threads, int reads, unsigned entries, unsigned stride, unsigned step) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < threads; i++) {
    int sum = 0;
    unsigned at = i * stride % entries;
    for (int k = 0; k < reads; k++) {
      sum += table[at];
      at += step;
      if (at >= entries)
        at -= entries;
    }
    out[i] = sum;
  }
}

/* A chain through all entries in a random order, that ends where it began. */
static int *make_chain(int entries) {
  int *order = bench_order(entries, 1), *next = bench_alloc(entries, sizeof *next);
  for (int i = 0; i < entries; i++)
    next[order[i]] = order[(i + 1) % entries];
  return next;
}

/* What thread i should have found. */
static int expected(int pattern, const int *table, int i, int reads, int entries, int stride) {
  long sum = 0, at = pattern == CHASE ? 0 : (unsigned)i * (unsigned)stride % (unsigned)entries;
  if (pattern == STREAM)
    return table[i];
  for (int k = 0; k < reads; k++) {
    if (pattern != CHASE)
      sum += table[at];
    at = pattern == CHASE ? table[at] : (at + (pattern == BROADCAST ? 1 : 32)) % entries;
  }
  return (int)(pattern == CHASE ? at : sum);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"chase", "stream", "broadcast", "lanes", "strided", NULL};
  struct bench b = bench_open("micro", argc, argv);
  int pattern = bench_choice(&b, words), entries = (int)bench_size(&b, "entries", 1000, 4096, 8192);
  int reads = (int)bench_size(&b, "reads", 100, 16384, 65536), threads = (int)bench_size(&b, "threads", 500, 1 << 20, 1 << 22);
  int stride = (int)bench_option(&b, "stride", 32);
  bench_ready(&b);
  if (entries < 32) {
    fprintf(stderr, "micro: --entries must be 32 or more\n");
    return 2;
  }
  threads = pattern == CHASE ? 1 : threads;
  entries = pattern == STREAM ? threads : entries;
  stride = pattern == BROADCAST ? 0 : pattern == LANES ? 1 : stride;
  int *table = pattern == CHASE ? make_chain(entries) : bench_ints(entries, 1000, 1), *out = bench_alloc(threads, sizeof *out);

#pragma omp target data map(to : table[0 : entries]) map(from : out[0 : threads])
  while (bench_next(&b)) {
    if (pattern == CHASE)
      chase(table, out, reads);
    else if (pattern == STREAM)
      stream(table, out, threads);
    else
      read_table(table, out, threads, reads, entries, stride, pattern == BROADCAST ? 1 : 32);
  }

  double wrong = 0;
  for (size_t s = 0; s<bench_samples(threads); s += threads> 4096 ? 199 : 1) {
    int i = (int)bench_sample(s, threads);
    wrong += out[i] != expected(pattern, table, i, reads, entries, stride);
  }
  return bench_close(&b, bench_checksum(out, threads * sizeof *out), wrong, 0);
}
