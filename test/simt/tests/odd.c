// Constructs that ordinary programs use and that reach corners of OpenMP's device runtime.
// RUN: %simt_cc -O3 -g -fsimt-check %s -o %t -lm && %t | %FileCheck %s
// RUN: %simt_cc -O0 %s -o %t.0 -lm && %t.0 | %FileCheck %s
// RUN: %simt_cc -O2 -fsimt-check -fsimt-count %s -o %t.2 -lm && env SIMT_COUNT_FILE=%t.counts %t.2 | %FileCheck %s
// CHECK-NOT: FAIL
// CHECK: {{^}}done
#include <float.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(const char *what, double got, double wanted, double error) {
  if (!(fabs(got - wanted) <= error))
    printf("%s: %.17g, expected %.17g FAIL\n", what, got, wanted);
}

static void collapsed(void) {
  enum { X = 37, Y = 13, Z = 11 };
  static int cube[X][Y][Z], square[X][Y];
#pragma omp target teams distribute parallel for collapse(3) map(from : cube)
  for (int x = 0; x < X; x++)
    for (int y = 0; y < Y; y++)
      for (int z = 0; z < Z; z++)
        cube[x][y][z] = x * 10000 + y * 100 + z;
#pragma omp target teams distribute parallel for collapse(2) map(from : square)
  for (int x = X - 1; x >= 0; x--)
    for (unsigned char y = 0; y < Y; y++)
      square[x][y] = x - y;
  long sum = 0, flat = 0;
  for (int x = 0; x < X; x++)
    for (int y = 0; y < Y; y++) {
      flat += square[x][y] == x - y;
      for (int z = 0; z < Z; z++)
        sum += cube[x][y][z] == x * 10000 + y * 100 + z;
    }
  expect("collapse(3)", (double)sum, X * Y * Z, 0);
  expect("collapse(2)", (double)flat, X * Y, 0);
}

// Sums of n values of at most m: each way of adding them errs by at most n * epsilon * n * m.
static void reductions(void) {
  enum { N = 30011 };
  static float f[N];
  static double d[N];
  static int i[N];
  float f_sum = 0, f_max = -FLT_MAX, f_min = FLT_MAX, f_expected = 0;
  double d_sum = 0, d_max = -DBL_MAX, d_min = DBL_MAX, d_product = 1, d_expected = 0;
  int i_sum = 0, i_max = INT_MIN, i_min = INT_MAX, i_and = -1, i_or = 0, i_xor = 0, all = 1, any = 0;
  long long l_sum = 0;
  unsigned char c_sum = 0;
  for (int k = 0; k < N; k++) {
    f[k] = (float)((k * 7919) % 10007) / 16;
    d[k] = sin(k);
    i[k] = (int)((unsigned)k * 2654435761u) >> 8;
    f_expected += f[k];
    d_expected += d[k];
  }
#pragma omp target teams distribute parallel for map(to : f) reduction(+ : f_sum) reduction(max : f_max) reduction(min : f_min)
  for (int k = 0; k < N; k++) {
    f_sum += f[k];
    f_max = fmaxf(f_max, f[k]);
    f_min = fminf(f_min, f[k]);
  }
#pragma omp target teams distribute parallel for map(to : d) reduction(+ : d_sum) reduction(max : d_max) reduction(min : d_min)  \
    reduction(* : d_product)
  for (int k = 0; k < N; k++) {
    d_sum += d[k];
    d_max = d[k] > d_max ? d[k] : d_max;
    d_min = d[k] < d_min ? d[k] : d_min;
    d_product *= k % 1000 ? 1 : 2;
  }
#pragma omp target teams distribute parallel for map(to : i) reduction(+ : i_sum, l_sum, c_sum) reduction(max : i_max)           \
    reduction(min : i_min) reduction(& : i_and) reduction(| : i_or) reduction(^ : i_xor) reduction(&& : all) reduction(|| : any)
  for (int k = 0; k < N; k++) {
    i_sum += i[k] & 1;
    l_sum += (long long)i[k] * i[k];
    c_sum += 1;
    i_max = i[k] > i_max ? i[k] : i_max;
    i_min = i[k] < i_min ? i[k] : i_min;
    i_and &= i[k] | 0xf0;
    i_or |= i[k] & 0xff00;
    i_xor ^= i[k];
    all = all && i[k] != 12345;
    any = any || k == N / 2;
  }
  int sum = 0, max = INT_MIN, min = INT_MAX, bits_and = -1, bits_or = 0, bits_xor = 0, none = 1;
  long long squares = 0;
  for (int k = 0; k < N; k++) {
    sum += i[k] & 1;
    squares += (long long)i[k] * i[k];
    max = i[k] > max ? i[k] : max;
    min = i[k] < min ? i[k] : min;
    bits_and &= i[k] | 0xf0;
    bits_or |= i[k] & 0xff00;
    bits_xor ^= i[k];
    none = none && i[k] != 12345;
  }
  expect("float +", f_sum, f_expected, (double)N * N * FLT_EPSILON * 700);
  expect("float max", f_max, 10006. / 16, 0);
  expect("float min", f_min, 0, 0);
  expect("double +", d_sum, d_expected, (double)N * N * DBL_EPSILON);
  expect("double max", d_max, 1, 1e-5);
  expect("double min", d_min, -1, 1e-5);
  expect("double *", d_product, ldexp(1, 31), 0);
  expect("int +", i_sum, sum, 0);
  expect("long long +", (double)(l_sum - squares), 0, 0);
  expect("unsigned char +", c_sum, N % 256, 0);
  expect("int max", i_max, max, 0);
  expect("int min", i_min, min, 0);
  expect("int &", i_and, bits_and, 0);
  expect("int |", i_or, bits_or, 0);
  expect("int ^", i_xor, bits_xor, 0);
  expect("&&", all, none, 0);
  expect("||", any, 1, 0);
}

struct complex_number {
  double re, im;
};
#pragma omp declare reduction(plus : struct complex_number : omp_out.re += omp_in.re, omp_out.im += omp_in.im)                     \
    initializer(omp_priv = (struct complex_number){0, 0})

static void declared_reduction(void) {
  struct complex_number sum = {0, 0};
#pragma omp target teams distribute parallel for reduction(plus : sum)
  for (int k = 0; k < 5000; k++) {
    sum.re += k;
    sum.im -= 1;
  }
  expect("declared reduction, re", sum.re, 12497500, 0);
  expect("declared reduction, im", sum.im, -5000, 0);
}

static void atomics(void) {
  int add = 0, captured_sum = 0, smallest = INT_MAX, swapped = 0;
  float f_add = 0;
  double d_add = 0;
  long long big = 0;
  short tiny = 0;
  unsigned bits = 0;
  static int seen[1000];
#pragma omp target teams distribute parallel for map(tofrom : add, f_add, d_add, big, tiny, bits, seen, smallest, swapped)
  for (int k = 0; k < 1000; k++) {
    int before;
#pragma omp atomic capture
    before = add++;
    seen[before] += 1;
#pragma omp atomic
    f_add += 0.5f;
#pragma omp atomic
    d_add += 0.25;
#pragma omp atomic
    big += 1LL << 33;
#pragma omp atomic
    tiny += 3;
#pragma omp atomic
    bits |= 1u << k % 32;
#pragma omp atomic compare
    if (k < smallest) {
      smallest = k;
    }
#pragma omp atomic write
    swapped = 7;
  }
  for (int k = 0; k < 1000; k++)
    captured_sum += seen[k];
  expect("atomic capture", captured_sum, 1000, 0);
  expect("atomic float", f_add, 500, 0);
  expect("atomic double", d_add, 250, 0);
  expect("atomic long long", (double)big, 1000 * ldexp(1, 33), 0);
  expect("atomic short", tiny, 3000, 0);
  expect("atomic |", bits, UINT_MAX, 0);
  expect("atomic compare", smallest, 0, 0);
  expect("atomic write", swapped, 7, 0);
}

#pragma omp begin declare target
static int table[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
int mutable_state = 5;
struct { double scale; char label[8]; } settings = {2.5, "abc"};
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__attribute__((noinline)) static double polynomial(const double *c, int n, double x) {
  double y = 0;
  for (int k = n - 1; k >= 0; k--)
    y = y * x + c[k];
  return y;
}
typedef int (*operation)(int);
__attribute__((noinline)) static int twice(int x) { return 2 * x; }
__attribute__((noinline)) static int square(int x) { return x * x; }
#pragma omp end declare target

static void functions(void) {
  int fib[12], digits = 0, through[8];
  double values[64], scaled = 0;
#pragma omp target teams distribute parallel for map(from : fib)
  for (int k = 0; k < 12; k++)
    fib[k] = fibonacci(k);
  expect("recursion", fib[11], 89, 0);
#pragma omp target teams distribute parallel for map(from : values)
  for (int k = 0; k < 64; k++) {
    double c[4] = {1, k, 2, 0.5}; // private, passed by address
    values[k] = polynomial(c, 4, 2);
  }
  expect("polynomial", values[10], 1 + 20 + 8 + 4, 0);
#pragma omp target map(from : digits, scaled)
  {
    digits = table[5] * 10 + settings.label[1] - 'a' + mutable_state;
    mutable_state = 6;
    scaled = settings.scale * 2;
  }
  expect("globals", digits, 96, 0);
  expect("global structure", scaled, 5, 0);
  mutable_state = 100;
#pragma omp target update to(mutable_state)
#pragma omp target map(from : digits)
  digits = mutable_state++;
#pragma omp target update from(mutable_state)
  expect("update", digits * 1000 + mutable_state, 100101, 0);
#pragma omp target teams distribute parallel for map(from : through)
  for (int k = 0; k < 8; k++) {
    operation f = k % 2 ? twice : square;
    through[k] = f(k);
  }
  expect("function pointer", through[5] * 100 + through[6], 1036, 0);
}

static void synchronised(void) {
  int inside = 0, order[64], chosen = -1, sections = 0;
#pragma omp target map(tofrom : inside, order, chosen, sections)
#pragma omp parallel num_threads(64)
  {
#pragma omp atomic
    inside += 1;
#pragma omp barrier
    order[omp_get_thread_num()] = inside;
#pragma omp single
    chosen = 1;
#pragma omp sections reduction(+ : sections)
    {
#pragma omp section
      sections += 1;
#pragma omp section
      sections += 10;
    }
  }
  expect("threads", inside, 64, 0);
  expect("barrier", order[0], 64, 0);
  expect("single", chosen, 1, 0);
  expect("sections", sections, 11, 0);
}

static void wide_indices(void) {
  int64_t n = 3000, far = (int64_t)1 << 33;
  static long long out[3000];
#pragma omp target teams distribute parallel for map(from : out)
  for (int64_t k = far; k < far + n; k++)
    out[k - far] = k;
  long good = 0;
  for (int k = 0; k < n; k++)
    good += out[k] == far + k;
  expect("64-bit loop", (double)good, 3000, 0);
#pragma omp target teams distribute parallel for map(from : out)
  for (uint64_t k = UINT64_MAX - 2999; k < UINT64_MAX; k += 2)
    out[k - (UINT64_MAX - 2999)] = 1;
  good = 0;
  for (int k = 0; k < 3000; k += 2)
    good += out[k] == 1;
  expect("unsigned 64-bit loop", (double)good, 1500, 0);
}

static void schedules(void) {
  static int a[1000], b[1000], c[1000];
#pragma omp target teams distribute parallel for schedule(static, 7) map(from : a)
  for (int k = 0; k < 1000; k++)
    a[k] = k;
#pragma omp target teams distribute dist_schedule(static, 13) map(from : b)
  for (int k = 0; k < 1000; k++)
    b[k] = k;
#pragma omp target teams distribute parallel for simd simdlen(4) map(from : c) if (0 > 1)
  for (int k = 0; k < 1000; k++)
    c[k] = k;
  int good = 0;
  for (int k = 0; k < 1000; k++)
    good += (a[k] == k) + (b[k] == k) + (c[k] == k);
  expect("schedules", good, 3000, 0);
  int host = -1;
#pragma omp target teams loop map(tofrom : host, a)
  for (int k = 0; k < 1000; k++)
    a[k] = 3 * k;
  expect("loop", a[999], 2997, 0);
  host = 0;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  expect("device", host, 0, 0);
}

struct list {
  double *values;
  int count;
};

static void pointers(void) {
  struct list lists[2] = {{malloc(80), 10}, {malloc(160), 20}};
  double sum = 0, *raw = omp_target_alloc(800, 0), back[100];
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < lists[k].count; j++)
      lists[k].values[j] = k * 100 + j;
#pragma omp target enter data map(to : lists[0 : 2], lists[0].values[0 : 10], lists[1].values[0 : 20])
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int k = 0; k < 30; k++)
    sum += k < 10 ? lists[0].values[k] : lists[1].values[k - 10];
#pragma omp target exit data map(delete : lists[0 : 2], lists[0].values[0 : 10], lists[1].values[0 : 20])
  expect("structure of pointers", sum, 45 + 2000 + 190, 0);
#pragma omp target teams distribute parallel for is_device_ptr(raw)
  for (int k = 0; k < 100; k++)
    raw[k] = k;
  omp_target_memcpy(back, raw, 800, 0, 0, omp_get_initial_device(), 0);
  expect("is_device_ptr", back[99], 99, 0);
  omp_target_free(raw, 0);
  free(lists[0].values);
  free(lists[1].values);
  void *llvm_omp_target_alloc_device(size_t, int), llvm_omp_target_free_device(void *, int);
  raw = llvm_omp_target_alloc_device(800, 0);
#pragma omp target is_device_ptr(raw)
  raw[99] = 99;
  omp_target_memcpy(back, raw, 800, 0, 0, omp_get_initial_device(), 0);
  expect("llvm_omp_target_alloc_device", back[99], 99, 0);
  llvm_omp_target_free_device(raw, 0);
  size_t extent[2] = {4, 5}, sub[2] = {2, 3}, from[2] = {1, 1}, to[2] = {0, 2};
  int grid[4][5], *on_device = omp_target_alloc(sizeof grid, 0), result[4][5] = {{0}};
  for (int k = 0; k < 20; k++)
    grid[k / 5][k % 5] = k;
  omp_target_memcpy(on_device, grid, sizeof grid, 0, 0, 0, omp_get_initial_device());
#pragma omp target is_device_ptr(on_device)
  on_device[6] = 66;
  omp_target_memcpy_rect(result, on_device, sizeof(int), 2, sub, to, from, extent, extent, omp_get_initial_device(), 0);
  expect("memcpy_rect", result[0][2] * 100 + result[1][4], 6613, 0);
  omp_target_free(on_device, 0);
  int own[50], *of_device = omp_target_alloc(sizeof own, 0);
  omp_target_associate_ptr(own, of_device, sizeof own, 0, 0);
#pragma omp target teams distribute parallel for map(always, from : own)
  for (int k = 0; k < 50; k++)
    own[k] = k + 1;
  expect("associate_ptr", own[49], 50, 0);
  omp_target_disassociate_ptr(own, 0);
  omp_target_free(of_device, 0);
}

static void tasks(void) {
  static int a[2000], b[2000];
#pragma omp target teams distribute parallel for nowait map(from : a) depend(out : a)
  for (int k = 0; k < 2000; k++)
    a[k] = k;
#pragma omp target teams distribute parallel for nowait map(to : a) map(from : b) depend(in : a)
  for (int k = 0; k < 2000; k++)
    b[k] = a[k] * 2;
#pragma omp taskwait
  expect("nowait", b[1999], 3998, 0);
#pragma omp target data map(alloc : a)
  {
#pragma omp target update to(a) nowait
#pragma omp taskwait
#pragma omp target teams distribute parallel for
    for (int k = 0; k < 2000; k++)
      a[k] += 1;
#pragma omp target update from(a) nowait
#pragma omp taskwait
  }
  expect("update nowait", a[1999], 2000, 0);
}

static void variable_length(int n) {
  double (*m)[n] = malloc(sizeof(double[n][n]));
#pragma omp target teams distribute parallel for collapse(2) map(from : m[0 : n][0 : n])
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      m[y][x] = y * n + x;
  expect("variable length", m[n - 1][n - 1], n * n - 1, 0);
  free(m);
}

int main(void) {
  collapsed();
  reductions();
  declared_reduction();
  atomics();
  functions();
  synchronised();
  wide_indices();
  schedules();
  pointers();
  tasks();
  variable_length(33);
  printf("done\n");
  return 0;
}
