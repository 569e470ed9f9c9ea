// C++: templates, lambdas that capture, virtual functions, members reached through this, the standard library's containers.
// RUN: %simt_cxx -O3 -g -fsimt-check %s -o %t && %t | %FileCheck %s
// RUN: %simt_cxx -O0 %s -o %t.0 && %t.0 | %FileCheck %s
// CHECK: {{^}}0 wrong
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <vector>

#pragma omp begin declare target
template <typename T, int N> struct Vector {
  T v[N];
  T dot(const Vector &other) const {
    T sum{};
    for (int i = 0; i < N; i++)
      sum += v[i] * other.v[i];
    return sum;
  }
};
struct Shape {
  virtual double area() const { return 0; }
  virtual ~Shape() {}
};
struct Circle : Shape {
  double radius;
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3 * radius * radius; }
};
namespace {
constexpr int Table[4] = {7, 5, 3, 1};
inline int pick(int i) { return Table[i & 3]; }
} // namespace
#pragma omp end declare target

template <typename F> static void apply(double *p, int n, F f) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++)
    p[i] = f(p[i], i);
}

struct Grid {
  int nx, ny;
  double *data;
  double &at(int x, int y) { return data[y * nx + x]; }
};

static int wrong;
static constexpr int N = 1000;

static void lambdas() {
  std::vector<double> a(N, 1.0);
  double scale = 2.5;
  int offset = 3;
  apply(a.data(), N, [=](double x, int i) { return x * scale + i + offset; });
  for (int i = 0; i < N; i++)
    wrong += a[i] != 2.5 + i + 3;
}

static void complexNumbers() {
  std::vector<std::complex<double>> z(N);
  auto *p = z.data();
#pragma omp target teams distribute parallel for map(from : p[0 : N])
  for (int i = 0; i < N; i++) {
    std::complex<double> c(i, 1);
    p[i] = c * c + std::conj(c);
  }
  for (int i = 0; i < N; i++)
    wrong += z[i] != std::complex<double>(i * i - 1 + i, 2 * i - 1);
}

static void templates() {
  std::vector<Vector<float, 4>> vectors(N);
  std::vector<float> dots(N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 4; j++)
      vectors[i].v[j] = static_cast<float>(i % 10 + j);
  auto *from = vectors.data();
  auto *to = dots.data();
#pragma omp target teams distribute parallel for map(to : from[0 : N]) map(from : to[0 : N])
  for (int i = 0; i < N; i++)
    to[i] = from[i].dot(from[(i + 1) % N]);
  for (int i = 0; i < N; i++)
    wrong += dots[i] != vectors[i].dot(vectors[(i + 1) % N]);
}

static void members() {
  double area = 0;
#pragma omp target map(tofrom : area)
  {
    Circle circle(2);
    const Shape *shape = &circle;
    area = shape->area() + pick(1);
  }
  wrong += area != 17;
  auto data = std::make_unique<double[]>(64 * 32);
  Grid grid{64, 32, data.get()};
#pragma omp target teams distribute parallel for collapse(2) map(to : grid) map(from : grid.data[0 : 64 * 32])
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 64; x++)
      grid.at(x, y) = x * 100 + y;
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 64; x++)
      wrong += data[y * 64 + x] != x * 100 + y;
}

static void containers() {
  std::array<int, 16> squares{};
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : squares)
  for (int i = 0; i < 16; i++) {
    squares[i] = i * i;
    sum += squares[i];
  }
  wrong += sum != 1240 || squares[15] != 225;
}

int main() {
  lambdas();
  complexNumbers();
  templates();
  members();
  containers();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
