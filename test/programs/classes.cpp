// C++: templates over type and size, member arrays and pointers, methods with regions, lambdas, references, std::vector
// and std::array, virtual-free inheritance, regions in constructors, exceptions around a region.
// RUN: %check_program %s %t
#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "check.h"

namespace {

template <typename T, int Taps> void convolve(const T *in, const T *taps, T *out, int n) {
#pragma omp target teams distribute parallel for map(to : in[0 : n + Taps], taps[0 : Taps]) map(from : out[0 : n])
  for (int i = 0; i < n; i++) {
    T sum{};
    for (int j = 0; j < Taps; j++)
      sum += in[i + j] * taps[j];
    out[i] = sum;
  }
}

template <typename T, int Taps> void test_convolve(int round) {
  const int n = 700;
  std::vector<T> in(n + Taps), taps(Taps), out(n), want(n);
  for (int i = 0; i < n + Taps; i++)
    in[i] = static_cast<T>(value(i, round) % 10);
  for (int i = 0; i < Taps; i++)
    taps[i] = static_cast<T>(value(i, round + 1) % 3);
  convolve<T, Taps>(in.data(), taps.data(), out.data(), n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < Taps; j++)
      want[i] += in[i + j] * taps[j];
  expect_bytes("template", out.data(), want.data(), n * sizeof(T));
}

class Filter {
public:
  static constexpr int size = 16;
  explicit Filter(int seed) : scale(seed % 5 + 1) {
    for (int i = 0; i < size; i++)
      weights[i] = value(i, seed);
  }
  // A member array: `this` is what is mapped.
  void apply(const int *in, int *out, int n) const {
#pragma omp target teams distribute parallel for map(to : in[0 : n]) map(from : out[0 : n])
    for (int i = 0; i < n; i++) {
      int sum = 0;
      for (int j = 0; j < size; j++)
        sum += weights[j] * in[(i + j) % n];
      out[i] = sum * scale;
    }
  }
  int operator()(const int *in, int i, int n) const {
    int sum = 0;
    for (int j = 0; j < size; j++)
      sum += weights[j] * in[(i + j) % n];
    return sum * scale;
  }

private:
  int weights[size];
  int scale;
};

class Table {
public:
  explicit Table(int entries, int seed) : count(entries), data(new double[entries]) {
    for (int i = 0; i < entries; i++)
      data[i] = value(i, seed);
#pragma omp target enter data map(to : this[0 : 1], data[0 : count])
  }
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;
  ~Table() {
#pragma omp target exit data map(delete : data[0 : count], this[0 : 1])
    delete[] data;
  }
  void look_up(const int *at, double *out, int n) const {
#pragma omp target teams distribute parallel for map(to : at[0 : n]) map(from : out[0 : n])
    for (int i = 0; i < n; i++)
      out[i] = data[at[i] % count] + data[0];
  }
  double operator[](int i) const { return data[i]; }

private:
  int count;
  double *data;
};

struct Base {
  std::array<short, 12> steps;
};
struct Derived : Base {
  void walk(int *out, int n) {
#pragma omp target teams distribute parallel for map(from : out[0 : n])
    for (int i = 0; i < n; i++)
      out[i] = steps[i % 12] * 2 + steps[0];
  }
};

template <typename Function> void for_each(int n, int *out, Function function) {
#pragma omp target teams distribute parallel for map(from : out[0 : n])
  for (int i = 0; i < n; i++)
    out[i] = function(i);
}

void test_classes(int round) {
  const int n = 450;
  std::vector<int> in(n), out(n), want(n);
  for (int i = 0; i < n; i++)
    in[i] = value(i, round);
  Filter filter(round);
  filter.apply(in.data(), out.data(), n);
  for (int i = 0; i < n; i++)
    want[i] = filter(in.data(), i, n);
  expect_bytes("member array", out.data(), want.data(), n * sizeof(int));

  Table table(300, round);
  std::vector<double> found(n), expected(n);
  table.look_up(in.data(), found.data(), n);
  for (int i = 0; i < n; i++)
    expected[i] = table[in[i] % 300] + table[0];
  expect_bytes("member pointer", found.data(), expected.data(), n * sizeof(double));

  Derived derived;
  for (int i = 0; i < 12; i++)
    derived.steps[i] = static_cast<short>(value(i, round + 2));
  derived.walk(out.data(), n);
  for (int i = 0; i < n; i++)
    want[i] = derived.steps[i % 12] * 2 + derived.steps[0];
  expect_bytes("inherited array", out.data(), want.data(), n * sizeof(int));

  int small[4] = {round, 2, 3, 4};
  for_each(n, out.data(), [small](int i) { return small[i & 3] * i; });
  for (int i = 0; i < n; i++)
    want[i] = small[i & 3] * i;
  expect_bytes("lambda", out.data(), want.data(), n * sizeof(int));
}

void test_references(int round) {
  int storage[64], out[128], want[128];
  int(&table)[64] = storage;
  for (int i = 0; i < 64; i++)
    table[i] = value(i, round);
#pragma omp target teams distribute parallel for map(to : table) map(from : out)
  for (int i = 0; i < 128; i++)
    out[i] = table[i / 2] + table[63];
  for (int i = 0; i < 128; i++)
    want[i] = storage[i / 2] + storage[63];
  expect_bytes("reference", out, want, sizeof out);
  try {
    Filter(3).apply(storage, out, 64);
    throw std::runtime_error("after a region");
  } catch (const std::runtime_error &) {
    Filter same(3);
    for (int i = 0; i < 64; i++)
      want[i] = same(storage, i, 64);
    expect_bytes("exception", out, want, 64 * sizeof(int));
  }
}

} // namespace

int main() {
  for (int r = 0; r < rounds(); r++) {
    test_convolve<float, 5>(r);
    test_convolve<double, 17>(r);
    test_convolve<int, 64>(r);
    test_convolve<short, 3>(r);
    test_classes(r);
    test_references(r);
  }
  return check_done("classes");
}
