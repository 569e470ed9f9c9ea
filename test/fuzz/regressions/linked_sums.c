// Two arrays of sums, of elements that another function adds up over the team: optimised at link time, parts of an element were taken for
// never written (llvm-pass/LinkTime.cpp), and the sum of one was lost.
// FLAGS=-foffload-lto
#include <stdint.h>
#include <stdio.h>

enum { SUMS = 8, OUTER = 5, INNER = 5, ELEMENTS = 64 };

static uint64_t a[ELEMENTS];
static volatile int zero;

static float sign(const uint64_t *x, int64_t i, int64_t j, int k) {
  return (int)((float)(x[8 * j + k] & 1023) + (float)(x[i + 5 * j] & 1023)) & 1 ? -1 : 1;
}

static void on_device(double *sum, float *product, unsigned inner) {
#pragma omp target teams loop collapse(2) num_teams(3) reduction(+ : sum[0 : SUMS]) reduction(* : product[0 : SUMS])
  for (int64_t i = OUTER - 1; i >= 0; i--)
    for (int64_t j = 0; j != (int)inner; j++) {
      for (int k = 0; k < SUMS; k++) sum[k] += (double)(a[8 * j + k] & 1023);
      for (unsigned k = 0; k < SUMS; k++) product[k] *= (int)((float)(a[8 * j + k] & 1023) + (float)(a[i + 5 * j] & 1023)) & 1 ? -1 : 1;
    }
}

static void on_host(double *sum, float *product, unsigned inner) {
  for (int64_t i = OUTER - 1; i >= 0; i--)
    for (int64_t j = 0; j != (int)inner; j++)
      for (int k = 0; k < SUMS; k++) sum[k] += (double)(a[8 * j + k] & 1023), product[k] *= sign(a, i, j, k);
}

static int round_is_wrong(void) {
  double sum[SUMS], expected_sum[SUMS];
  float product[SUMS], expected_product[SUMS];
  int wrong = 0;
  for (int k = 0; k < SUMS; k++) sum[k] = expected_sum[k] = 3, product[k] = expected_product[k] = 1;
  on_device(sum, product, (unsigned)(INNER + zero));
  on_host(expected_sum, expected_product, INNER);
  for (int k = 0; k < SUMS; k++)
    if (sum[k] != expected_sum[k] || product[k] != expected_product[k]) wrong = 1, printf("%d: %g %g, not %g %g\n", k, sum[k], product[k], expected_sum[k], expected_product[k]);
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < ELEMENTS; i++) a[i] = (uint64_t)i * 2654435761u;
#pragma omp target data map(to : a)
  for (int round = 0; round < 36; round++) wrong |= round_is_wrong();
  printf("%s linked_sums\n", wrong ? "FAIL" : "PASS");
  return wrong;
}
