/* Rows in two levels whose iterations decide on what they load, and write it: loads of later iterations go before decisions of earlier ones, but not
 * before what these write. In place, with elements of all sizes; along a row by one thread, each element from one to three before it; and a remainder, which
 * CUDA computes by assembly. */
// RUN: %check_program %s %t
#include "check.h"

#include <math.h>

static int seed;

/* What an iteration decides; both ways are longer than a choice. */
#define DECIDED(TYPE, T, U) ((TYPE)(fmodf((float)(T), 7) > 3 ? fmodf((float)(T) * 3 + (float)(U), 31) : (float)(T) + fmodf((float)(U) + 5, 11)))

#define ROWS(NAME, TYPE, BODY)                                                                                                \
  static void NAME(int h, int w) {                                                                                            \
    size_t all = (size_t)h * (size_t)w, bytes = all * sizeof(TYPE);                                                           \
    TYPE *a = malloc(bytes + 1), *want = malloc(bytes + 1), *b = malloc((size_t)w * sizeof *b + 1);                           \
    for (size_t i = 0; i < all; i++) a[i] = want[i] = (TYPE)value((long)i, seed);                                             \
    for (int i = 0; i < w; i++) b[i] = (TYPE)(value(i, seed + 1) % 13);                                                       \
    _Pragma("omp target teams distribute map(tofrom : a[:all]) map(to : b[:w])")                                              \
    for (int x = 0; x < h; x++) {                                                                                             \
      _Pragma("omp parallel for")                                                                                             \
      for (int y = 0; y < w; y++) BODY                                                                                        \
    }                                                                                                                         \
    TYPE *device = a;                                                                                                         \
    a = want;                                                                                                                 \
    for (int x = 0; x < h; x++)                                                                                               \
      for (int y = 0; y < w; y++) BODY                                                                                        \
    expect_bytes(#NAME, device, want, bytes);                                                                                 \
    free(device), free(want), free(b);                                                                                        \
  }

#define IN_PLACE(TYPE) { a[x * w + y] = DECIDED(TYPE, a[x * w + y], b[y]); }
ROWS(floats, float, IN_PLACE(float))
ROWS(doubles, double, IN_PLACE(double))
ROWS(halves, _Float16, IN_PLACE(_Float16))
ROWS(shorts, short, IN_PLACE(short))
ROWS(bytes, signed char, IN_PLACE(signed char))

/* The other half of the row, which no iteration writes. */
ROWS(halfway, short, {
  if (2 * y < w)
    a[x * w + y] = DECIDED(short, a[x * w + y], a[x * w + w / 2 + (w + 1) / 2 - 1 - y / 2]);
})

/* One thread goes along a row: what it writes it reads again, an iteration or two later. */
#define ALONG(NAME, STEP)                                                                                                     \
  ROWS(NAME, short, {                                                                                                         \
    if (y == 0)                                                                                                               \
      _Pragma("unroll 2")                                                                                                     \
      for (int k = STEP + 1; k < w; k++) {                                                                                    \
        short t = a[x * w + k - STEP - b[k] % 2];                                                                             \
        if (t > b[k])                                                                                                         \
          a[x * w + k] = (short)((a[x * w + k] + t * 3) % 101);                                                               \
        else                                                                                                                  \
          a[x * w + k] = (short)(a[x * w + k] % 7 - t);                                                                       \
      }                                                                                                                       \
  })
ALONG(from_last, 1)
ALONG(from_last_but_one, 2)

int main(void) {
  static const int sizes[][2] = {{1, 1}, {7, 333}, {40, 64}, {3, 1000}, {130, 31}};
  for (int r = 0; r < rounds(); r++) {
    const int *of = sizes[r < 60 ? 1 + r % 2 : r % 5];
    seed = r;
    floats(of[0], of[1]), doubles(of[0], of[1]), halves(of[0], of[1]), shorts(of[0], of[1]), bytes(of[0], of[1]);
    halfway(of[0], of[1]), from_last(of[0], of[1]), from_last_but_one(of[0], of[1]);
  }
  return check_done("decided_rows");
}
