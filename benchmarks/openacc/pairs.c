/* Five kernels, each written in OpenACC and in OpenMP: one program, so that both run on the same data, by turns.
 *   clang -O3 -fopenmp --offload-arch=sm_90 -fplugin=libplace.so pairs.c -o pairs
 *   pairs [--size N] [--launches N]     a line for each kernel: median time of a launch in either, and their ratio
 * Exit status 1 if the two disagree in what they compute. --size 1 is for runs without a GPU, 16 the default. pairs.sh shows what else
 * there is to compare: kernel modes, teams, and what place chose. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double omp_get_wtime(void);

enum { MAX_LAUNCHES = 100000 };

/* ---- the kernels; _acc and _omp differ in nothing but the directives ---- */

static void stencil_acc(int n, const float *restrict a, float *restrict b) {
#pragma acc parallel loop gang present(a[0 : n * n], b[0 : n * n])
  for (int i = 1; i < n - 1; i++) {
#pragma acc loop vector
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
  }
}
static void stencil_omp(int n, const float *restrict a, float *restrict b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}

static void matmul_acc(int n, const float *a, const float *b, float *c) {
#pragma acc parallel loop collapse(2) present(a, b, c)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
#pragma acc loop seq
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
static void matmul_omp(int n, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static void spmv_acc(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
#pragma acc parallel loop gang vector default(present)
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
static void spmv_omp(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

static double sum_acc(int n, const float *a) {
  double sum = 0;
#pragma acc parallel present(a)
  {
#pragma acc loop reduction(+ : sum)
    for (int i = 0; i < n; i++)
      sum += a[i];
  }
  return sum;
}
static double sum_omp(int n, const float *a) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

/* No loop directive: that it is parallel is proven. */
static void triad_acc(int n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma acc kernels present(a, b, c)
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 3 * c[i];
}
static void triad_omp(int n, float *restrict a, const float *restrict b, const float *restrict c) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 3 * c[i];
}

/* ---- the problem ---- */

struct problem {
  int n, elements, rows, entries; /* n * n elements */
  float *a, *b, *c, *x, *value;
  int *start, *column;
};

enum { STENCIL, MATMUL, SPMV, SUM, TRIAD, KERNELS };
static const char *const names[] = {"stencil", "matmul", "spmv", "sum", "triad"};

/* Launches one kernel; what it computes is in p->c, or returned. */
static double launch(const struct problem *p, int kernel, int acc) {
  switch (kernel) {
  case STENCIL: acc ? stencil_acc(p->n, p->a, p->c) : stencil_omp(p->n, p->a, p->c); return 0;
  case MATMUL: acc ? matmul_acc(p->n, p->a, p->b, p->c) : matmul_omp(p->n, p->a, p->b, p->c); return 0;
  case SPMV:
    acc ? spmv_acc(p->rows, p->start, p->column, p->value, p->x, p->c)
        : spmv_omp(p->rows, p->start, p->column, p->value, p->x, p->c);
    return 0;
  case SUM: return acc ? sum_acc(p->elements, p->a) : sum_omp(p->elements, p->a);
  default: acc ? triad_acc(p->elements, p->c, p->a, p->b) : triad_omp(p->elements, p->c, p->a, p->b); return 0;
  }
}

static int ascending(const void *l, const void *r) { return (*(const double *)l > *(const double *)r) - (*(const double *)l < *(const double *)r); }

/* A sum over what a launch of the kernel computes. */
static double result(const struct problem *p, int kernel, int acc) {
  float *c = p->c;
  int elements = p->elements;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < elements; i++)
    c[i] = 0;
  double sum = launch(p, kernel, acc);
#pragma omp target update from(c[0 : elements])
  for (int i = 0; i < elements; i++)
    sum += c[i];
  return sum;
}

static int agree(const struct problem *p, int kernel) {
  double of_acc = result(p, kernel, 1), of_omp = result(p, kernel, 0);
  return fabs(of_acc - of_omp) <= 1e-6 * fabs(of_omp) && of_omp != 0;
}

/* Launches both by turns, so that both meet the same clocks and caches. median[acc] is milliseconds, of the later half of the
 * launches: what place settles on comes after its trials. */
static void timed(const struct problem *p, int kernel, int launches, double median[2]) {
  static double ms[2][MAX_LAUNCHES];
  for (int i = 0; i < 2 * launches; i++) {
    double begin = omp_get_wtime();
    launch(p, kernel, i % 2);
    ms[i % 2][i / 2] = (omp_get_wtime() - begin) * 1e3;
  }
  int late = launches / 2;
  for (int acc = 0; acc < 2; acc++) {
    qsort(ms[acc] + late, (size_t)(launches - late), sizeof **ms, ascending);
    median[acc] = ms[acc][late + (launches - late) / 2];
  }
}

static void *allocated(size_t bytes) {
  void *p = malloc(bytes);
  if (p) return p;
  fprintf(stderr, "pairs: no memory for %zu bytes\n", bytes);
  exit(2);
}

static struct problem make(int size) {
  enum { PER_ROW = 16 };
  struct problem p = {.n = 128 * size, .elements = 128 * size * 128 * size, .rows = 4096 * size};
  p.entries = p.rows * PER_ROW;
  float **arrays[] = {&p.a, &p.b, &p.c};
  for (int k = 0; k < 3; k++) {
    *arrays[k] = allocated((size_t)p.elements * sizeof(float));
    for (int i = 0; i < p.elements; i++)
      (*arrays[k])[i] = (float)((i * (k + 3)) % 17) / 16;
  }
  p.x = allocated((size_t)p.rows * sizeof(float));
  p.value = allocated((size_t)p.entries * sizeof(float));
  p.column = allocated((size_t)p.entries * sizeof(int));
  p.start = allocated((size_t)(p.rows + 1) * sizeof(int));
  for (int i = 0; i <= p.rows; i++)
    p.start[i] = i * PER_ROW;
  for (int i = 0; i < p.rows; i++)
    p.x[i] = (float)(i % 8) / 8;
  for (int i = 0; i < p.entries; i++) {
    p.value[i] = (float)(i % 4) / 4;
    p.column[i] = (int)((i * 7919L) % p.rows);
  }
  return p;
}

int main(int argc, char **argv) {
  int size = 16, launches = 1000, wrong = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--size")) size = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--launches")) launches = atoi(argv[i + 1]);
  }
  if (size < 1 || size > 64 || launches < 2 || launches > MAX_LAUNCHES) {
    fprintf(stderr, "usage: pairs [--size 1..64] [--launches 2..%d]\n", MAX_LAUNCHES);
    return 2;
  }
  struct problem p = make(size);
  float *a = p.a, *b = p.b, *c = p.c, *x = p.x, *value = p.value;
  int *start = p.start, *column = p.column;
#pragma acc data copyin(a[0 : p.elements], b[0 : p.elements], x[0 : p.rows], value[0 : p.entries], column[0 : p.entries],            \
                            start[0 : p.rows + 1]) create(c[0 : p.elements])
  for (int kernel = 0; kernel < KERNELS; kernel++) {
    int same = agree(&p, kernel); /* as compiled, and below as placed */
    double median[2];
    timed(&p, kernel, launches, median);
    same &= agree(&p, kernel);
    printf("%-8s openacc %9.4f ms  openmp %9.4f ms  ratio %.3f%s\n", names[kernel], median[1], median[0], median[1] / median[0],
           same ? "" : "  WRONG");
    wrong |= !same;
  }
  return wrong;
}
