/* The regression for paper 001's overlap (equation 11). The paper trains on the ratio itself; here T is what counts, and T is
 * linear in the coefficients too, so relative errors of T are minimised. A small ridge keeps events that hardly vary in the
 * training set from taking large coefficients of opposite signs. */
#include <math.h>
#include <string.h>

#include "huang.h"

#define RIDGE 1e-2

/* Solves a symmetric positive definite system in place, by Cholesky's method. */
static void solve(double a[HUANG_FEATURES][HUANG_FEATURES], double *b) {
  for (int i = 0; i < HUANG_FEATURES; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = a[i][j];
      for (int k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j][j];
    }
    for (int k = 0; k < i; k++) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (int i = HUANG_FEATURES; i-- > 0;) {
    for (int k = i + 1; k < HUANG_FEATURES; k++) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
}

void huang_fit(const struct huang_row *rows, size_t count, double *coefficients) {
  double a[HUANG_FEATURES][HUANG_FEATURES] = {{0}};
  memset(coefficients, 0, HUANG_FEATURES * sizeof *coefficients);
  for (size_t r = 0; r < count; r++) {
    const struct huang_terms *t = rows[r].terms;
    double scale = t->mem_ns / rows[r].measured_ns, y = (t->comp_ns + t->mem_ns) / rows[r].measured_ns - 1;
    for (int i = 0; i < HUANG_FEATURES; i++) {
      for (int j = 0; j < HUANG_FEATURES; j++) a[i][j] += scale * t->feature[i] * scale * t->feature[j];
      coefficients[i] += scale * t->feature[i] * y;
    }
  }
  for (int i = 0; i < HUANG_FEATURES; i++) a[i][i] += RIDGE * (count ? (double)count : 1);
  solve(a, coefficients);
}
