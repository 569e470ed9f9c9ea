// From seed 100222, reduced: found/align_down.c, about which clang's own kernel is right here, and the kernel optimised alone was not.
// wrong in mode *:version=isolated1: place: PLACE_FORCE: neighbours (fuzzN.c:N) runs its original kernel: it has no such version
// A generated program: test/fuzz, seed 100222. SIMT_TEAMS=3200
#include <assert.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#define _Bool bool
#endif
static volatile int zero; // keeps what is read at run time from being a constant
static int failures;
static uint64_t digest;
static uint64_t hash(uint64_t i, uint64_t seed) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29, x *= 0x94d049bb133111ebu;
  return x ^ x >> 32;
}
static void *aligned(size_t bytes) {
  void *p = aligned_alloc(256, (bytes + 511) / 256 * 256);
  if (!p) abort();
  return memset(p, 0, (bytes + 511) / 256 * 256);
}
static void differs(const char *what, long at, double got, double want, int round) {
  if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 8)
    printf("%s[%ld] is %.17g, expected %.17g, round %d\n", what, at, got, want, round);
}
static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }
static inline int64_t min_long(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_long(int64_t a, int64_t b) { return a > b ? a : b; }
static inline uint32_t min_unsigned(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max_unsigned(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint64_t min_word(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_word(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline _Float16 min_half(_Float16 a, _Float16 b) { return a < b ? a : b; }
static inline _Float16 max_half(_Float16 a, _Float16 b) { return a > b ? a : b; }
static inline float min_float(float a, float b) { return a < b ? a : b; }
static inline float max_float(float a, float b) { return a > b ? a : b; }
static inline double min_double(double a, double b) { return a < b ? a : b; }
static inline double max_double(double a, double b) { return a > b ? a : b; }
static void fill_i32(int32_t *p, long n, uint64_t seed) {
  for (long i = 0; i < n; i++) { p[i] = (int32_t)(hash(i * 1 + 0, seed)); }
}
static void same_i32(const char *what, const int32_t *got, const int32_t *want, long n, int round) {
  uint64_t sum = 0;
  for (long i = 0; i < n; i++) {
    if (got[i] != want[i]) differs(what, i, (double)got[i], (double)want[i], round);
    sum += hash((uint64_t)i * 8 + 0, (uint64_t)want[i]);
  }
  __atomic_fetch_add(&digest, sum, __ATOMIC_RELAXED);
}
enum { a0_len_ = 2 };
enum { a0_len = a0_len_ };
enum { a1_len_ = 2 };
enum { a1_len = a1_len_ };
struct data {
  int set, device;
  int32_t *a0;
  int32_t *a0_h;
  int32_t *a0_d;
  int32_t *a1;
  int32_t *a1_h;
  int32_t *a1_d;
};
static struct data sets[1];
static void set_up(struct data *d, int set) {
  uint64_t seed = 7 + (uint64_t)set;
  (void)seed;
  d->set = set, d->device = omp_get_default_device();
  d->a0 = (int32_t *)aligned(sizeof(int32_t) * (a0_len_ + 0)) + 0;
  d->a0_h = (int32_t *)aligned(sizeof(int32_t) * (a0_len_ + 0)) + 0;
  fill_i32(d->a0, a0_len_, seed);
  memcpy(d->a0_h, d->a0, sizeof(*d->a0) * a0_len_);
  d->a1 = (int32_t *)aligned(sizeof(int32_t) * (a1_len_ + 0)) + 0;
  d->a1_h = (int32_t *)aligned(sizeof(int32_t) * (a1_len_ + 0)) + 0;
  fill_i32(d->a1, a1_len_, seed);
  memcpy(d->a1_h, d->a1, sizeof(*d->a1) * a1_len_);
}
static void r0(struct data *d, int round) {
  (void)d, (void)round;
  int32_t *a1 = d->a1;
  int32_t *a0 = d->a0;
#pragma omp target teams distribute parallel for map(tofrom : a1[0 : a1_len]) map(to : a0[0 : a0_len])
  for (int i = 0; i < 2; i++) {
    a1[i] = (int32_t)((int)(a0[i] & 1023) * ((i * (-1) - 1 >= 0 && i * (-1) - 1 < a0_len ? (int)(a0[i * (-1) - 1] & 1023) : (int)0) + (int)((*(int32_t *)__builtin_align_down(a0 + (i), 16)) & 1023)));
  }
}
static void r0_host(struct data *d, int round) {
  (void)d, (void)round;
  int32_t *a1 = d->a1_h;
  int32_t *a0 = d->a0_h;
  for (int i = 0; i < 2; i++) {
    a1[i] = (int32_t)((int)(a0[i] & 1023) * ((i * (-1) - 1 >= 0 && i * (-1) - 1 < a0_len ? (int)(a0[i * (-1) - 1] & 1023) : (int)0) + (int)((*(int32_t *)__builtin_align_down(a0 + (i), 16)) & 1023)));
  }
}
static void run(struct data *d, int rounds) {
  for (int round = 0; round < rounds; round++) {
    uint64_t seed = (uint64_t)round * 31 + (uint64_t)d->set;
    (void)seed;
    {
      r0(d, round);
      r0_host(d, round);
      same_i32("r0: a1", d->a1, d->a1_h, a1_len_, round);
    }
  }
}
static void neighbours(void) {
  static int cells[64];
  for (int i = 0; i < 64; i++) cells[i] = i;
  {
#pragma omp target teams distribute map(tofrom : cells)
  for (int i = 0; i < 8; i++) {
    int shared = cells[i] * 2;
#pragma omp parallel for
    for (int j = 0; j < 8; j++) cells[i * 8 + j] = shared + j;
  }
  }
  if (cells[0] < -1000) printf("cells\n");
}
int main(void) {
  const char *text = getenv("PLACE_TEST_ROUNDS");
  int rounds = text ? atoi(text) : 40;
  for (int s = 0; s < 1; s++) set_up(&sets[s], s);
  neighbours();
  for (int s = 0; s < 1; s++) run(&sets[s], rounds);
  printf("%s %s %016llx\n", failures ? "FAIL" : "PASS", "fuzz100222", (unsigned long long)digest);
  return failures != 0;
}
