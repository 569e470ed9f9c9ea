/* Guards of the space's borders: conditions on one and on two indices, ternaries, ranges written as one unsigned comparison,
 * nested, of loops of one, two and three indices; guesses that are wrong everywhere; sizes below a block. */
// RUN: %check_program --simt %s %t
#include "check.h"

enum { W = 131, H = 90, N = W * H };
static int a[N], o[N], p[N], ho[N], hp[N];

#define CROSS                                                                                                                              \
  if (x > 0 && x < w - 1 && y >= 1 && y < h - 1)                                                                                           \
    o[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w] - 4 * a[i];                                                                           \
  else                                                                                                                                     \
    o[i] = p[i];

#define ZEROS o[i] = 5 * a[i] + ((x < w - 1) ? a[i + 1] : 0) + ((x > 0) ? a[i - 1] : 0) + ((y != h - 1) ? a[i + w] : 0) + ((y > 0) ? a[i - w] : 7);

#define RANGE                                                                                                                              \
  if ((unsigned)(x - 2) < (unsigned)(w - 4) && y > 2) {                                                                                    \
    p[i] += a[i + 2] - a[i - 2];                                                                                                           \
    if (y + 3 < h)                                                                                                                         \
      p[i] += a[i + 3 * w] * 2;                                                                                                            \
  }                                                                                                                                        \
  o[i] = p[i] - a[i];

#define WRONG /* most of the space is on the other side */                                                                                 \
  if (x > 3 && y < h / 8)                                                                                                                  \
    o[i] = a[i - 3] * 2;                                                                                                                   \
  else if (x + y < w)                                                                                                                      \
    o[i] = a[i] + y;                                                                                                                       \
  if (x == 17)                                                                                                                             \
    o[i] -= p[i];

#define DATA                                                                                                                               \
  if (x > 0 && a[i] > 40)                                                                                                                  \
    o[i] = a[i - 1];

#define LINE                                                                                                                               \
  if (i >= 2 && i < n - 2)                                                                                                                 \
    o[i] = a[i - 2] + a[i + 2];                                                                                                            \
  else                                                                                                                                     \
    p[i] += a[i];

#define REGION(name, body)                                                                                                                 \
  static void name(const int *a, int *o, int *p, int w, int h) {                                                                           \
    _Pragma("omp target teams distribute parallel for collapse(2)") for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {              \
      int i = y * w + x;                                                                                                                   \
      body                                                                                                                                 \
    }                                                                                                                                      \
  }                                                                                                                                        \
  static void name##_host(int *o, int *p, int w, int h) {                                                                                  \
    for (int y = 0; y < h; y++)                                                                                                            \
      for (int x = 0; x < w; x++) {                                                                                                        \
        int i = y * w + x;                                                                                                                 \
        body                                                                                                                               \
      }                                                                                                                                    \
  }
REGION(cross, CROSS)
REGION(zeros, ZEROS)
REGION(range, RANGE)
REGION(wrong, WRONG)
REGION(data, DATA)

static void line(const int *a, int *o, int *p, int w, int h) {
  int n = w * h;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    LINE
  }
}

static void line_host(int *o, int *p, int w, int h) {
  int n = w * h;
  for (int i = 0; i < n; i++) {
    LINE
  }
}

static void space(const int *a, int *o, int *p, int w, int h) {
  int d = h / 6, b = 6;
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < d; z++)
    for (int y = 0; y < b; y++)
      for (int x = 0; x < w; x++)
        if (z > 0 && z < d - 1 && y > 0 && y < b - 1 && x > 0 && x < w - 1)
          o[(z * b + y) * w + x] = a[((z - 1) * b + y) * w + x] + a[((z + 1) * b + y) * w + x] - a[(z * b + y) * w + x - 1];
}

static void space_host(int *o, int *p, int w, int h) {
  int d = h / 6, b = 6;
  for (int z = 1; z < d - 1; z++)
    for (int y = 1; y < b - 1; y++)
      for (int x = 1; x < w - 1; x++)
        o[(z * b + y) * w + x] = a[((z - 1) * b + y) * w + x] + a[((z + 1) * b + y) * w + x] - a[(z * b + y) * w + x - 1];
}

typedef void region(const int *a, int *o, int *p, int w, int h);
typedef void host(int *o, int *p, int w, int h);

static void check(const char *what, region *device, host *reference, int w, int h) {
#pragma omp target data map(to : a) map(tofrom : o, p)
  device(a, o, p, w, h);
  reference(ho, hp, w, h);
  expect_bytes(what, o, ho, sizeof o);
  expect_bytes(what, p, hp, sizeof p);
}

int main(void) {
  static const int sizes[][2] = {{W, H}, {64, 64}, {3, 2}, {33, 7}};
  for (int r = 0; r < rounds(); r++)
    for (int k = 0; k < 4; k++) {
      int w = sizes[k][0], h = sizes[k][1];
      for (int i = 0; i < N; i++)
        a[i] = value(i, r), o[i] = ho[i] = -i, p[i] = hp[i] = i % 50;
      check("cross", cross, cross_host, w, h);
      check("zeros", zeros, zeros_host, w, h);
      check("range", range, range_host, w, h);
      check("wrong", wrong, wrong_host, w, h);
      check("data", data, data_host, w, h);
      check("line", line, line_host, w, h);
      check("space", space, space_host, w, h);
    }
  return check_done("blocks_interior");
}
