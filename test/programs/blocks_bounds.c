/* Collapsed loops in blocks whose indices run downwards, in steps, to an end that is included, from negative beginnings, and
 * are of all integer types; private arrays, conditions, early `continue`, calls and mathematics in the body; rows of variable
 * length. */
// RUN: %check_program %s %t
#include "check.h"

#include <math.h>
#include <stddef.h>

enum { PITCH = 140, ROWS = 140, ALL = PITCH * ROWS };
static float in[ALL], out[ALL], want[ALL];
static double taps[16];
static int seed;

static void fill(void) {
  for (int i = 0; i < ALL; i++)
    in[i] = value(i, seed), out[i] = want[i] = -1;
  for (int i = 0; i < 16; i++)
    taps[i] = value(i, seed + 1);
}

/* The loops on the device and on the host. */
#define SPACE(WHAT, Y_LOOP, X_LOOP, ...)                                                                                     \
  do {                                                                                                                       \
    fill();                                                                                                                  \
    _Pragma("omp target teams distribute parallel for collapse(2) map(to : in, taps) map(tofrom : out)") Y_LOOP X_LOOP {     \
      float *o = out;                                                                                                        \
      __VA_ARGS__                                                                                                            \
    }                                                                                                                        \
    Y_LOOP X_LOOP {                                                                                                          \
      float *o = want;                                                                                                       \
      __VA_ARGS__                                                                                                            \
    }                                                                                                                        \
    expect_bytes(WHAT, out, want, sizeof out);                                                                               \
  } while (0)
/* A transposition and a sum of neighbours. */
#define TURN(TYPE) o[(TYPE)x * PITCH + (TYPE)y] = in[(TYPE)y * PITCH + (TYPE)x] * 2 - (float)x;

static void directions(int ny, int nx) {
  SPACE("down", for (int y = ny - 1; y >= 0; y--), for (int x = nx - 1; x >= 0; --x), TURN(int));
  SPACE("down by two", for (int y = ny; y > 0; y -= 2), for (int x = nx - 1; x >= 0; x -= 3), TURN(int));
  SPACE("up by three", for (int y = 2; y < ny; y += 3), for (int x = 1; x <= nx; x += 2), TURN(int));
  SPACE("included", for (int y = 1; y <= ny; y++), for (int x = 0; x <= nx; ++x), TURN(int));
  SPACE("negative", for (int y = -ny; y < 0; y++), for (int x = -nx; x <= -1; x++),
        o[(x + nx) * PITCH - y] = in[(y + ny) * PITCH + x + nx] + y;);
  SPACE("unequal", for (int y = 0; y != ny; y++), for (int x = nx; x != 0; x--), TURN(int));
  SPACE("mixed", for (int y = ny; y >= 1; y--), for (int x = 0; x < nx; x++),
        o[y * PITCH + x] = in[(ny - y) * PITCH + nx - 1 - x] + in[x * PITCH + y];);
}

#define TYPED(TYPE, ny, nx)                                                                                                  \
  SPACE(#TYPE, for (TYPE y = 0; y < (TYPE)(ny); y++), for (TYPE x = 0; x < (TYPE)(nx); x++), TURN(TYPE));                    \
  SPACE(#TYPE " from 3", for (TYPE y = 3; y <= (TYPE)(ny); y += 2), for (TYPE x = 1; x <= (TYPE)(nx); x++), TURN(TYPE))

static void types(int ny, int nx) {
  TYPED(unsigned, ny, nx);
  TYPED(size_t, ny, nx);
  TYPED(long, ny, nx);
  TYPED(int64_t, ny, nx);
  TYPED(ptrdiff_t, ny, nx);
  SPACE("short", for (short y = 0; y < (short)ny; y++), for (short x = 0; x < (short)nx; x++), TURN(int));
  SPACE("unsigned char", for (unsigned char y = 0; y < (unsigned char)ny; y++),
        for (unsigned short x = 0; x < (unsigned short)nx; x++), TURN(unsigned));
  SPACE("two types", for (long y = 0; y < ny; y++), for (unsigned x = 0; x < (unsigned)nx; x++), TURN(int));
  SPACE("three types", for (unsigned y = 0; y < (unsigned)ny; y++), for (int64_t x = nx - 1; x >= 0; x--), TURN(long));
}

static float __attribute__((noinline)) scaled(float a, int b) { return a * 3 + (float)b; }

static void bodies(int ny, int nx) {
  SPACE("continue", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    if ((x + y) % 3 == 0)
      continue;
    o[x * PITCH + y] = in[y * PITCH + x];
  });
  SPACE("row condition", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    float v = in[x * PITCH + y];
    if (taps[y & 15] > 40)
      v += in[y * PITCH + x];
    else if (y > 5)
      v -= in[y * PITCH];
    o[x * PITCH + y] = v;
  });
  SPACE("column condition", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    float v = in[x * PITCH + y];
    if (taps[x & 15] > 40)
      for (int k = 0; k < 5; k++)
        v += in[y * PITCH + k];
    o[x * PITCH + y] = v;
  });
  SPACE("ternary", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++),
        o[y * PITCH + x] = x > y    ? in[x * PITCH + y]
                           : x == y ? 0
                                    : -in[y * PITCH + x];);
  SPACE("switch", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    float v = in[x * PITCH + y];
    switch (x & 3) {
    case 0:
      v += 1;
      break;
    case 1:
      v *= in[y * PITCH];
      break;
    case 2:
      for (int k = 0; k < y % 4; k++)
        v += (float)taps[k];
      break;
    default:
      v = in[y * PITCH + x];
    }
    o[y * PITCH + x] = v;
  });
  SPACE("call", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), o[x * PITCH + y] = scaled(in[y * PITCH + x], x););
  SPACE("mathematics", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++),
        o[x * PITCH + y] = fabsf(floorf(in[y * PITCH + x] / 4)) + fmaxf((float)x, (float)y););
  SPACE("private array", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    float mine[8];
    for (int k = 0; k < 8; k++)
      mine[k] = in[(y + k) % ROWS * PITCH + x];
    float sum = 0;
    for (int k = 0; k < 8; k++)
      sum += mine[((int)mine[k] + k) & 7];
    o[y * PITCH + x] = sum;
  });
  SPACE("two stores", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++), {
    o[x * PITCH + y] = in[y * PITCH + x];
    for (int k = 0; k < 16; k++)
      if (taps[k] > x)
        o[x * PITCH + y] = (float)taps[k];
  });
  SPACE("halves", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++),
        o[y * PITCH + x] = in[(y / 2) * PITCH + x / 2] + in[(y >> 1) * PITCH + x % 2];);
  SPACE("narrowed", for (int y = 0; y < ny; y++), for (int x = 0; x < nx; x++),
        o[y * PITCH + x] = in[(unsigned char)(x * 5) + (signed char)(y * 3) + 128] + (float)(short)(x * 700););
}

static void rows(int ny, int nx) {
  double(*a)[nx + 1] = malloc(sizeof(double[ny + 1][nx + 1])), (*o)[ny + 1] = calloc((size_t)nx + 1, sizeof *o);
  double(*w)[ny + 1] = calloc((size_t)nx + 1, sizeof *w);
  for (int y = 0; y <= ny; y++)
    for (int x = 0; x <= nx; x++)
      a[y][x] = value(y * 7 + x, seed);
#pragma omp target teams distribute parallel for collapse(2) map(to : a [0:ny + 1]) map(tofrom : o [0:nx + 1])
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      o[x][y] = a[y][x] + a[y + 1][x] - a[y][x + 1];
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      w[x][y] = a[y][x] + a[y + 1][x] - a[y][x + 1];
  expect_bytes("rows", o, w, ((size_t)nx + 1) * sizeof *o);
  free(a), free(o), free(w);
}

/* One loop that takes its index apart itself; whose index passes through 16 bits; whose last block reaches back. */
static void apart(int n, int width) {
  int *a = malloc(((size_t)n + 64) * sizeof *a), *o = calloc((size_t)n + 1, sizeof *o), *w = calloc((size_t)n + 1, sizeof *w);
  for (int i = 0; i < n + 64; i++)
    a[i] = value(i, seed);
#define APART(out)                                                                                                           \
  do {                                                                                                                       \
    int y = i / width, x = i % width, s = (unsigned short)i / 7, t = (unsigned short)i % 7;                                  \
    out[i] = a[y * width + x] + a[s * 7 + t] * 2 + a[(short)i / 9 + 3641] + a[(unsigned char)i / 5];                         \
  } while (0)
#pragma omp target teams distribute parallel for map(to : a [0:n + 64]) map(tofrom : o [0:n])
  for (int i = 0; i < n; i++)
    APART(o);
  for (int i = 0; i < n; i++)
    APART(w);
  expect_bytes("apart", o, w, (size_t)n * sizeof *o);
  memset(o, 0, (size_t)n * sizeof *o);
#define NARROW(out) out[i] = a[(unsigned short)i / 448 * 448 + (unsigned short)i % 448] + 1
#pragma omp target teams distribute parallel for map(to : a [0:n + 64]) map(tofrom : o [0:n])
  for (int i = 0; i < n; i++)
    NARROW(o);
  for (int i = 0; i < n; i++)
    NARROW(w);
  expect_bytes("narrow", o, w, (size_t)n * sizeof *o);
  memset(o, 0, (size_t)n * sizeof *o);
  /* A wide counter, divided by less. */
  unsigned part = (unsigned)width * 32;
#define PARTS(out) out[i] = a[(unsigned)i / part * part + (unsigned)i % part] + (int)((unsigned)i / 448)
#pragma omp target teams distribute parallel for map(to : a [0:n + 64]) map(tofrom : o [0:n])
  for (long i = 0; i < (long)n; i++)
    PARTS(o);
  for (long i = 0; i < (long)n; i++)
    PARTS(w);
  expect_bytes("parts", o, w, (size_t)n * sizeof *o);
  free(a), free(o), free(w);
}

/* Unsigned indices that wrap on purpose: 32-bit products beyond 2^32, and offsets that bring them back. */
static void wrapping(unsigned ny, unsigned nx) {
  fill();
  const unsigned far = 0x40000000u;
  const float *shifted = in + 64;
#define WRAP(o)                                                                                                              \
  o[(y * PITCH + x) * 4u / 4u] =                                                                                             \
      shifted[(int)(far * 4u + y * PITCH + x - 64u)] + in[(y * nx + x + 5u) * 0x40000001u % ALL] + in[(far * y * 4u) + x]
#pragma omp target teams distribute parallel for collapse(2) map(to : in, shifted [-64:ALL]) map(tofrom : out)
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP(out);
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP(want);
  expect_bytes("wrapping", out, want, sizeof out);
  fill();
  unsigned stride =
      0x80000000u + PITCH; /* in bytes of a row, twice the sign's weight: y * stride * 2 wraps to y * 2 * PITCH */
#define WRAP_STRIDE(o) o[y * PITCH + x] = in[(y * stride * 2u) / 2u % ALL + x % 7u] + in[(y * stride * 2u >> 1) % ALL]
#pragma omp target teams distribute parallel for collapse(2) map(to : in) map(tofrom : out)
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP_STRIDE(out);
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP_STRIDE(want);
  expect_bytes("wrapping stride", out, want, sizeof out);
  fill();
  /* A base near 2^32 whose sum with the index wraps from the second row on. */
  unsigned base = 0u - PITCH;
#define WRAP_BASE(o) o[y * PITCH + x] = in[(base + y * PITCH + x) + (y ? 0u : PITCH)]
#pragma omp target teams distribute parallel for collapse(2) map(to : in) map(tofrom : out)
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP_BASE(out);
  for (unsigned y = 0; y < ny; y++)
    for (unsigned x = 0; x < nx; x++)
      WRAP_BASE(want);
  expect_bytes("wrapping base", out, want, sizeof out);
}

int main(void) {
  static const int sizes[][2] = {{64, 64},  {65, 97}, {0, 64}, {129, 128}, {33, 127},
                                 {128, 33}, {1, 1},   {64, 0}, {71, 131},  {128, 128}};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  const int turns = rounds() > 16 ? SIZES : 4; /* where the runtime chooses, sizes take turns */
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    for (int i = r % turns; i < SIZES; i += turns) {
      directions(sizes[i][0], sizes[i][1]);
      types(sizes[i][0], sizes[i][1]);
      bodies(sizes[i][0], sizes[i][1]);
      rows(sizes[i][0], sizes[i][1]);
      wrapping((unsigned)sizes[i][0], (unsigned)sizes[i][1]);
    }
    apart(512 * 7 * (r % 3 + 17) + r % 2 * 7, 7);
    apart(448 * 150, 448);
  }
  return check_done("blocks_bounds");
}
