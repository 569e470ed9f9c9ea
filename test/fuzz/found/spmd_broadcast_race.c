// finding:shared-race, in plain clang's kernel as in place's base version: thread 0 writes the team's acc1 for the next iteration
// of `distribute` to shared memory, while other threads of the team may still read it in the inner `parallel for`. openmp-opt
// turns the generic kernel into SPMD form and takes the barrier behind the parallel region for superfluous. Kernels optimised alone
// keep their barriers (BarriersKept in llvm-pass/Isolate.cpp), and are clean.
// A generated program: test/fuzz, seed 3084. SIMT_TEAMS=3200
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
enum { a1_len_ = 6 };
enum { a1_len = a1_len_ };
enum { a2_len_ = 3 };
enum { a2_len = a2_len_ };
enum { a3_len_ = 4710 };
enum { a3_len = a3_len_ };
enum { a4_len_ = 3 };
struct data {
  int set, device;
  int32_t *a1;
  int32_t *a1_h;
  int32_t *a1_d;
  int32_t *a2;
  int32_t *a2_h;
  int32_t *a2_d;
  int32_t *a3;
  int32_t *a3_h;
  int32_t *a3_d;
  int32_t *a4;
  int32_t *a4_h;
  int32_t *a4_d;
  int a4_length;
};
static struct data sets[1];
static void set_up(struct data *d, int set) {
  uint64_t seed = 7 + (uint64_t)set;
  (void)seed;
  d->set = set, d->device = omp_get_default_device();
  d->a1 = (int32_t *)aligned(sizeof(int32_t) * (a1_len_ + 0)) + 0;
  d->a1_h = (int32_t *)aligned(sizeof(int32_t) * (a1_len_ + 0)) + 0;
  fill_i32(d->a1, a1_len_, seed);
  memcpy(d->a1_h, d->a1, sizeof(*d->a1) * a1_len_);
  d->a2 = (int32_t *)aligned(sizeof(int32_t) * (a2_len_ + 0)) + 0;
  d->a2_h = (int32_t *)aligned(sizeof(int32_t) * (a2_len_ + 0)) + 0;
  fill_i32(d->a2, a2_len_, seed);
  memcpy(d->a2_h, d->a2, sizeof(*d->a2) * a2_len_);
  d->a3 = (int32_t *)aligned(sizeof(int32_t) * (a3_len_ + 0)) + 0;
  d->a3_h = (int32_t *)aligned(sizeof(int32_t) * (a3_len_ + 0)) + 0;
  fill_i32(d->a3, a3_len_, seed);
  memcpy(d->a3_h, d->a3, sizeof(*d->a3) * a3_len_);
  d->a4 = (int32_t *)aligned(sizeof(int32_t) * (a4_len_ + 0)) + 0;
  d->a4_h = (int32_t *)aligned(sizeof(int32_t) * (a4_len_ + 0)) + 0;
  d->a4_length = a4_len_ + zero;
  fill_i32(d->a4, a4_len_, seed);
  memcpy(d->a4_h, d->a4, sizeof(*d->a4) * a4_len_);
}
static void r2(struct data *d, int round) {
  (void)d, (void)round;
  int32_t *a1 = d->a1;
  int32_t *a4 = d->a4;
  const int a4_len = d->a4_length;
  int32_t *a3 = d->a3;
  int32_t *a2 = d->a2;
#pragma omp target teams distribute map(to : a1[0 : a1_len]) map(to : a4[0 : a4_len]) map(tofrom : a3[0 : a3_len]) map(to : a2[0 : a2_len])
  for (int i = 0; i < 17; i++) {
    float acc1 = (float)i;
    for (int k2 = 1; k2 < 5; k2++) {
      if ((int)(a1[5] & 1023) > (int)(a4[2] & 1023)) {
        acc1 += ((-3 >= 0 && -3 < a1_len ? (float)(a1[-3] & 1023) : (float)0) - (float)i);
      }
    }
#pragma omp parallel for simd
    for (unsigned j = 0; j < 280; j += 4) {
      if ((int)1 > (int)(a4[0] & 1023)) {
        a3[i * 277 + j + 1] = (int32_t)((int)1 + max_int(((int)(float)((int)acc1 % 201) + (int)(float)((int)acc1 % 201)), max_int((int)(a2[2] & 1023), (int)(float)((int)acc1 % 201))));
      }
    }
  }
}
static void r2_host(struct data *d, int round) {
  (void)d, (void)round;
  int32_t *a1 = d->a1_h;
  int32_t *a4 = d->a4_h;
  const int a4_len = d->a4_length;
  int32_t *a3 = d->a3_h;
  int32_t *a2 = d->a2_h;
  for (int i = 0; i < 17; i++) {
    float acc1 = (float)i;
    for (int k2 = 1; k2 < 5; k2++) {
      if ((int)(a1[5] & 1023) > (int)(a4[2] & 1023)) {
        acc1 += ((-3 >= 0 && -3 < a1_len ? (float)(a1[-3] & 1023) : (float)0) - (float)i);
      }
    }
    for (unsigned j = 0; j < 280; j += 4) {
      if ((int)1 > (int)(a4[0] & 1023)) {
        a3[i * 277 + j + 1] = (int32_t)((int)1 + max_int(((int)(float)((int)acc1 % 201) + (int)(float)((int)acc1 % 201)), max_int((int)(a2[2] & 1023), (int)(float)((int)acc1 % 201))));
      }
    }
  }
}
static void run(struct data *d, int rounds) {
  for (int round = 0; round < rounds; round++) {
    uint64_t seed = (uint64_t)round * 31 + (uint64_t)d->set;
    (void)seed;
    {
      r2(d, round);
      r2_host(d, round);
      same_i32("r2: a3", d->a3, d->a3_h, a3_len_, round);
    }
  }
}
static void neighbours(void) {
  static int cells[64];
  for (int i = 0; i < 64; i++) cells[i] = i;
  if (cells[0] < -1000) printf("cells\n");
}
int main(void) {
  const char *text = getenv("PLACE_TEST_ROUNDS");
  int rounds = text ? atoi(text) : 40;
  for (int s = 0; s < 1; s++) set_up(&sets[s], s);
  neighbours();
  for (int s = 0; s < 1; s++) run(&sets[s], rounds);
  printf("%s %s %016llx\n", failures ? "FAIL" : "PASS", "fuzz3084", (unsigned long long)digest);
  return failures != 0;
}
