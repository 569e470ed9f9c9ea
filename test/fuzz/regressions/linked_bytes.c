// Sums of three arrays, whose bytes lie behind floats: the link took a thread's copy of them into registers, and read what other teams had left by
// vectors of 16 bytes, which begin at a multiple of 4 (llvm-pass/LinkTime.cpp).
// FLAGS=-foffload-lto
#include <stdint.h>
#include <stdio.h>

enum { MANY = 32, FEW = 5, ROWS = 129 };

static int a[ROWS * MANY];
static volatile int zero;

static void on_device(double *least, float *product, int8_t *bits, int rows) {
#pragma omp target teams distribute num_teams(257) reduction(min : least[0 : MANY]) reduction(* : product[0 : FEW]) reduction(| : bits[0 : MANY])
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < MANY; k++) {
      double x = (a[MANY * i + k] & 1023) + (a[i] & 1023);
      least[k] = least[k] < x ? least[k] : x;
    }
    for (int k = 0; k < MANY; k++) product[(unsigned)i % FEW] *= a[MANY * i + k] & 1 ? -1 : 1;
    for (unsigned k = 0; k < MANY; k++) bits[k] |= (int8_t)a[MANY * i + k];
  }
}

static void on_host(double *least, float *product, int8_t *bits) {
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < MANY; k++) {
      double x = (a[MANY * i + k] & 1023) + (a[i] & 1023);
      least[k] = least[k] < x ? least[k] : x;
      product[i % FEW] *= a[MANY * i + k] & 1 ? -1 : 1;
      bits[k] |= (int8_t)a[MANY * i + k];
    }
}

static int round_is_wrong(void) {
  double least[MANY], expected_least[MANY];
  float product[FEW], expected_product[FEW];
  int8_t bits[MANY], expected_bits[MANY];
  int wrong = 0;
  for (int k = 0; k < MANY; k++) least[k] = expected_least[k] = 1000, bits[k] = expected_bits[k] = 0;
  for (int k = 0; k < FEW; k++) product[k] = expected_product[k] = 1;
  on_device(least, product, bits, ROWS + zero);
  on_host(expected_least, expected_product, expected_bits);
  for (int k = 0; k < MANY; k++) wrong |= least[k] != expected_least[k] || bits[k] != expected_bits[k];
  for (int k = 0; k < FEW; k++) wrong |= product[k] != expected_product[k];
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < ROWS * MANY; i++) a[i] = (int)(i * 2654435761u >> 7);
#pragma omp target data map(to : a)
  for (int round = 0; round < 36; round++) wrong |= round_is_wrong();
  printf("%s linked_bytes\n", wrong ? "FAIL" : "PASS");
  return wrong;
}
