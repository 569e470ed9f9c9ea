/* Members of structures that are loaded at once where arrays are aligned: sections that begin at any element, some of them at no multiple of
 * 16 bytes; three members of four, of elements at the end of an array, too. */
// RUN: %check_program %s %t
#include "check.h"

#include <stddef.h>

typedef struct { float x, y, z, w; } quad;
typedef struct { int a, b; } pair;
typedef struct { double e[3]; } three;
typedef struct { double e[2][3]; } matrix;

enum { ALL = 3000 };
static quad quads[ALL];
static pair pairs[ALL];
static three threes[ALL];
static matrix matrices[ALL];
static double out[ALL], want[ALL];
static int from[ALL];

static double of(const quad *q, const pair *p, const three *t, const matrix *m, int i, int at) {
  return (double)(q[at].x + q[at].y * q[at].z) + p[i].a * p[i].b + t[at].e[0] + t[at].e[1] - t[at].e[2] + m[i].e[0][0] * m[i].e[0][1] +
         m[i].e[1][1] * m[i].e[1][2];
}

static void run(int begin, int n) {
  const quad *q = quads;
  const pair *p = pairs;
  const three *t = threes;
  const matrix *m = matrices;
  memset(out, 0, sizeof out), memset(want, 0, sizeof want);
#pragma omp target teams distribute parallel for map(to : q[begin : n], p[begin : n], t[begin : n], m[begin : n], from) map(tofrom : out)
  for (int i = begin; i < begin + n; i++) out[i] = of(q, p, t, m, i, begin + from[i] % n);
  for (int i = begin; i < begin + n; i++) want[i] = of(q, p, t, m, i, begin + from[i] % n);
  expect_bytes("out", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < ALL; i++) {
      quads[i] = (quad){(float)value(i, r), (float)value(i, r + 1), (float)value(i, r + 2), (float)value(i, r + 3)};
      pairs[i] = (pair){value(i, r + 4), value(i, r + 5)};
      for (int j = 0; j < 3; j++) threes[i].e[j] = value(i, r + j), matrices[i].e[0][j] = value(i, r + j + 7), matrices[i].e[1][j] = value(i, r + j + 9);
      from[i] = value(i, r) * 31 + i;
    }
    run(0, ALL - r % 5);
    run(r % 4, ALL - 4);
    run(1, 1 + r % 3);
  }
  return check_done("reads_aligned");
}
