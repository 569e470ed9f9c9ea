/* Elements of more than 1 MiB, in one file with a region of ordinary ones: both have versions. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 140000, SMALL = 500 };

static struct field {
  double v[N];
  int n;
} field;
static int in[SMALL], out[SMALL];

int main(void) {
  for (int r = 0; r < 3; r++) {
    struct field *p = &field;
    for (int i = 0; i < SMALL; i++)
      in[i] = value(i, r);
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 1])
    for (int i = 0; i < N; i += 50)
      p->v[i] += i * 0.5 + r;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
    for (int i = 0; i < SMALL; i++)
      out[i] = 2 * in[i] + 1;
    for (int i = 0; i < SMALL; i++)
      expect_long("small", out[i], 2 * in[i] + 1);
  }
  for (int i = 0; i < N; i += 50)
    expect_long("large", (long)(2 * field.v[i]), 3L * i + 6);
  return check_done("large_elements");
}
