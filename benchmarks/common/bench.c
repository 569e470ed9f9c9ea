#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_LAUNCHES = 20, MAX_SAMPLES = 65536, MAX_ALLOCATIONS = 256 };

static void *allocations[MAX_ALLOCATIONS]; /* freed by bench_close */
static int allocation_count;
static int gate = -1; /* the gate's file, locked, or -1 */

static void fail(const struct bench *b, const char *message, const char *detail) {
  fprintf(stderr, "%s: %s%s\n", b->name, message, detail);
  exit(2);
}

static void add_fact(struct bench *b, const char *format, ...) {
  size_t used = strlen(b->facts);
  va_list args;
  va_start(args, format);
  vsnprintf(b->facts + used, sizeof b->facts - used, format, args);
  va_end(args);
}

/* The value that follows --what, or NULL. */
static const char *option_text(struct bench *b, const char *what) {
  for (int i = 1; i < b->argc; i++) {
    if (strncmp(b->argv[i], "--", 2) != 0 || strcmp(b->argv[i] + 2, what) != 0)
      continue;
    if (i + 1 == b->argc)
      fail(b, "a number must follow ", b->argv[i]);
    b->taken[i] = b->taken[i + 1] = 1;
    return b->argv[i + 1];
  }
  return NULL;
}

static long option(struct bench *b, const char *what, long otherwise) {
  const char *text = option_text(b, what);
  if (!text)
    return otherwise;
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > 1L << 40)
    fail(b, "not a positive number: ", text);
  return value;
}

static int flag(struct bench *b, const char *what) {
  for (int i = 1; i < b->argc; i++)
    if (!b->taken[i] && strcmp(b->argv[i], what) == 0)
      return b->taken[i] = 1;
  return 0;
}

/* Which size was asked for: --size WORD, or the word alone. */
static int size_asked_for(struct bench *b) {
  static const char *const names[] = {"small", "paper", "large"};
  const char *text = option_text(b, "size");
  for (int i = 0; i < 3; i++)
    if (text ? strcmp(text, names[i]) == 0 : flag(b, names[i]))
      return i;
  if (text)
    fail(b, "neither small nor paper nor large: ", text);
  return 1;
}

struct bench bench_open(const char *name, int argc, char **argv) {
  struct bench b = {.name = name, .argc = argc, .argv = argv};
  b.taken = bench_alloc((size_t)argc + 1, 1);
  b.launches = (int)option(&b, "launches", DEFAULT_LAUNCHES);
  b.launches = (int)option(&b, "reps", b.launches);
  b.size = size_asked_for(&b);
  b.seconds = bench_alloc((size_t)b.launches, sizeof *b.seconds);
  return b;
}

long bench_option(struct bench *b, const char *what, long otherwise) {
  long value = option(b, what, otherwise);
  add_fact(b, " %s=%ld", what, value);
  return value;
}

long bench_size(struct bench *b, const char *what, long small, long paper, long large) {
  return bench_option(b, what, b->size == 0 ? small : b->size == 1 ? paper : large);
}

int bench_flag(struct bench *b, const char *what) {
  int set = flag(b, what);
  if (set)
    add_fact(b, " %s", what);
  return set;
}

int bench_choice(struct bench *b, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (flag(b, words[i])) {
      add_fact(b, " %s", words[i]);
      return i;
    }
  add_fact(b, " %s", words[0]);
  return 0;
}

void bench_ready(struct bench *b) {
  for (int i = 1; i < b->argc; i++)
    if (!b->taken[i])
      fail(b, "unknown argument: ", b->argv[i]);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_gate_enter(void) {
  const char *path = getenv("BENCH_GATE");
  if (!path || gate >= 0)
    return;
  gate = open(path, O_RDWR | O_CREAT, 0666);
  if (gate < 0 || flock(gate, LOCK_EX)) {
    fprintf(stderr, "BENCH_GATE: %s: %s\n", path, strerror(errno));
    exit(2);
  }
}

void bench_gate_leave(void) {
  if (gate >= 0)
    close(gate); /* and unlocks it */
  gate = -1;
}

int bench_next(struct bench *b) {
  double now = seconds_now();
  if (b->launched > 0)
    b->seconds[b->launched - 1] = now - b->started;
  if (b->launched == b->launches) {
    bench_gate_leave();
    return 0;
  }
  if (b->launched == 0)
    bench_gate_enter();
  b->launched++;
  b->started = seconds_now();
  return 1;
}

void *bench_alloc(size_t count, size_t element_bytes) {
  size_t bytes = (count * element_bytes + 255) / 256 * 256;
  void *memory = aligned_alloc(256, bytes ? bytes : 256);
  if (!memory || allocation_count == MAX_ALLOCATIONS) {
    fprintf(stderr, "out of memory: %zu bytes in array %d\n", bytes, allocation_count + 1);
    exit(2);
  }
  allocations[allocation_count++] = memory;
  return memset(memory, 0, bytes ? bytes : 256);
}

/* splitmix64: the i-th number of a sequence, without state */
static uint64_t mix(uint64_t i, uint64_t seed) {
  uint64_t z = (i + seed * 0x632be59bd9b4e019u + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void bench_fill_float(float *out, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++)
    out[i] = (float)(mix(i, seed) >> 40) * 0x1p-24f;
}

void bench_fill_double(double *out, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++)
    out[i] = (double)(mix(i, seed) >> 11) * 0x1p-53;
}

void bench_fill_int(int *out, size_t count, int limit, uint64_t seed) {
  for (size_t i = 0; i < count; i++)
    out[i] = (int)(mix(i, seed) % (uint64_t)limit);
}

float *bench_floats(size_t count, uint64_t seed) {
  float *memory = bench_alloc(count, sizeof *memory);
  bench_fill_float(memory, count, seed);
  return memory;
}

double *bench_doubles(size_t count, uint64_t seed) {
  double *memory = bench_alloc(count, sizeof *memory);
  bench_fill_double(memory, count, seed);
  return memory;
}

int *bench_ints(size_t count, int limit, uint64_t seed) {
  int *memory = bench_alloc(count, sizeof *memory);
  bench_fill_int(memory, count, limit, seed);
  return memory;
}

int *bench_order(size_t count, uint64_t seed) {
  int *order = bench_alloc(count, sizeof *order);
  for (size_t i = 0; i < count; i++)
    order[i] = (int)i;
  for (size_t i = count; seed && i-- > 1;) {
    size_t j = mix(i, seed) % (i + 1);
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  return order;
}

size_t bench_samples(size_t count) { return count < MAX_SAMPLES ? count : MAX_SAMPLES; }

size_t bench_sample(size_t i, size_t count) {
  if (count <= MAX_SAMPLES)
    return i;
  if (i < 256)
    return i; /* both ends, where boundaries are handled */
  if (i < 512)
    return count - 1 - (i - 256);
  return mix(i, 77) % count;
}

uint64_t bench_checksum(const void *bytes, size_t length) { return bench_checksum_on(0xcbf29ce484222325u, bytes, length); }

uint64_t bench_checksum_on(uint64_t sum, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  uint64_t word;
  for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
    memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  for (; length > 0; at++, length--)
    sum = (sum ^ *at) * 0x100000001b3u;
  return sum;
}

double bench_worse(double worst, double got, double expected, double scale) {
  double error = fabs(got - expected) / (scale > 0 ? scale : 1);
  return isnan(error) ? INFINITY : error > worst ? error : worst;
}

static int by_value(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

int bench_close(struct bench *b, uint64_t checksum, double error, double bound) {
  int passed = error <= bound;
  qsort(b->seconds, (size_t)b->launches, sizeof *b->seconds, by_value);
  printf("%s%s launches=%d median=%.4f best=%.4f ms checksum=%016llx error=%.1e %s\n", b->name, b->facts, b->launches,
         b->seconds[b->launches / 2] * 1e3, b->seconds[0] * 1e3, (unsigned long long)checksum, error,
         passed ? "PASS" : "FAIL");
  while (allocation_count > 0)
    free(allocations[--allocation_count]);
  return passed ? 0 : 1;
}
