// Blocks in C++: templates, lambdas, references, methods, and bodies that are hard to take apart.
// RUN: %check_program %s %t
#include "check.h"

namespace {

enum { SIDE = 97, ALL = SIDE * SIDE };
int seed;

template <typename T> struct Matrix {
  T *data;
  int rows, columns;
  T &at(int y, int x) const { return data[y * columns + x]; }
};

template <typename T, typename F> void fill_blocks(const T *in, T *out, int rows, int columns, F f) {
#pragma omp target teams distribute parallel for collapse(2) map(to                                                          \
                                                                 : in [0:rows * columns], f) map(tofrom                      \
                                                                                                 : out [0:rows * columns])
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      out[x * rows + y] = f(in[y * columns + x], y, x);
}

template <typename T> void filled(const char *what) {
  static T a[ALL], o[ALL], want[ALL];
  for (int i = 0; i < ALL; i++)
    a[i] = T(value(i, seed)), o[i] = want[i] = 0;
  int bias = seed + 3;
  auto f = [bias](T v, int y, int x) { return T(v * 2 + T(y - x + bias)); };
  fill_blocks(a, o, SIDE, SIDE, f);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      want[x * SIDE + y] = f(a[y * SIDE + x], y, x);
  expect_bytes(what, o, want, sizeof o);
}

template <int RADIUS> void stencil() {
  static double a[ALL], o[ALL], want[ALL];
  for (int i = 0; i < ALL; i++)
    a[i] = value(i, seed), o[i] = want[i] = 0;
  Matrix<double> in{a, SIDE, SIDE}, out{o, SIDE, SIDE};
  const double *from = in.data;
  double *to = out.data;
#pragma omp target teams distribute parallel for collapse(2) map(to : from [0:ALL]) map(tofrom : to [0:ALL])
  for (int y = RADIUS; y < SIDE - RADIUS; y++)
    for (int x = RADIUS; x < SIDE - RADIUS; x++) {
      Matrix<const double> m{from, SIDE, SIDE};
      double sum = 0;
      for (int j = -RADIUS; j <= RADIUS; j++)
        for (int i = -RADIUS; i <= RADIUS; i++)
          sum += m.at(y + j, x + i);
      to[y * SIDE + x] = sum;
    }
  for (int y = RADIUS; y < SIDE - RADIUS; y++)
    for (int x = RADIUS; x < SIDE - RADIUS; x++)
      for (int j = -RADIUS; j <= RADIUS; j++)
        for (int i = -RADIUS; i <= RADIUS; i++)
          want[y * SIDE + x] += a[(y + j) * SIDE + x + i];
  expect_bytes("stencil", o, want, sizeof o);
}

// Sums by element type and index type; the loop's end is a reference's value.
template <typename T, typename I> void product(I n) {
  static T a[ALL], b[ALL], c[ALL], want[ALL];
  for (int i = 0; i < ALL; i++)
    a[i] = T(value(i, seed) % 7), b[i] = T(value(i, seed + 1) % 5), c[i] = want[i] = 0;
  const I &end = n;
#pragma omp target teams distribute parallel for collapse(2) map(to : a, b) map(tofrom : c)
  for (I y = 0; y < end; y++)
    for (I x = 0; x < end; x++) {
      T sum = 0;
      for (I k = 0; k < end; k++)
        sum += a[y * end + k] * b[k * end + x];
      c[y * end + x] = sum;
    }
  for (I y = 0; y < n; y++)
    for (I x = 0; x < n; x++)
      for (I k = 0; k < n; k++)
        want[y * n + x] += a[y * n + k] * b[k * n + x];
  expect_bytes("product", c, want, sizeof c);
}

struct Grid {
  int width, height;
  int *cells, *next;
  void step() {
    int *from = cells, *to = next, w = width, h = height;
#pragma omp target teams distribute parallel for collapse(2) map(to : from [0:w * h]) map(tofrom : to [0:w * h])
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        auto alive = [&](int dy, int dx) {
          int yy = y + dy, xx = x + dx;
          return yy >= 0 && yy < h && xx >= 0 && xx < w ? from[yy * w + xx] : 0;
        };
        int n = alive(-1, -1) + alive(-1, 0) + alive(-1, 1) + alive(0, -1) + alive(0, 1) + alive(1, -1) + alive(1, 0) +
                alive(1, 1);
        to[y * w + x] = n == 3 || (n == 2 && from[y * w + x]);
      }
  }
  void step_on_host() {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int n = 0;
        for (int i = 0; i < 9; i++) {
          int yy = y + i / 3 - 1, xx = x + i % 3 - 1;
          n += i != 4 && yy >= 0 && yy < height && xx >= 0 && xx < width ? cells[yy * width + xx] : 0;
        }
        next[y * width + x] = n == 3 || (n == 2 && cells[y * width + x]);
      }
  }
};

void life() {
  static int a[ALL], o[ALL], want[ALL];
  for (int i = 0; i < ALL; i++)
    a[i] = value(i, seed) % 3 == 0, o[i] = want[i] = -1;
  Grid{SIDE, SIDE, a, o}.step();
  Grid{SIDE, SIDE, a, want}.step_on_host();
  expect_bytes("life", o, want, sizeof o);
}

} // namespace

int main() {
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    filled<float>("filled: float");
    filled<double>("filled: double");
    filled<short>("filled: short");
    filled<long>("filled: long");
    stencil<1>();
    stencil<2>();
    product<float, int>(67);
    product<double, long>(65);
    product<int, unsigned>(64);
    life();
  }
  return check_done("blocks_classes");
}
