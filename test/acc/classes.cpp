// C++: member functions, templates, lambdas, references, macros.
// RUN: %acc_run_cxx %s %t
#include <openacc.h>
#include <vector>
#include "check.h"

template <typename T> class Vector {
public:
  explicit Vector(int n) : data(new T[n]), n(n) {
#pragma acc enter data copyin(this[0:1]) create(data[0:n])
  }
  ~Vector() {
#pragma acc exit data delete (data[0:n], this[0:1])
    delete[] data;
  }
  void fill(T v) {
    T *q = data;
    int m = n;
#pragma acc parallel loop present(q[0:m])
    for (int i = 0; i < m; i++)
      q[i] = v + i;
  }
  T sum() const {
    T s = 0, last, *q = data;
    int m = n;
#pragma acc parallel loop reduction(+ : s) present(q)
    for (int i = 0; i < m; ++i) {
      last = q[i];
      s += last;
    }
    return s;
  }

private:
  T *data;
  int n;
};

struct Inline {
  static int f(int *x, int n) {
    int k = 3, total = 0;
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : total)
    for (int i = 0; i < n; i++) {
      k = x[i];
      total += k;
    }
    return total + k;
  }
  int scaled(const double *x, int n) const {
    double s = 0;
#pragma acc data copyin(x[0:n])
    {
      double t = 5;
#pragma acc parallel loop reduction(+ : s)
      for (int i = 0; i < n; i++) {
        t = x[i] * factor;
        s += t;
      }
      s += t;
    }
    return int(s);
  }
  int factor;
};

template <class T, int N> T generic(T (&x)[N]) {
  T k = 3, total = 0;
#pragma acc kernels loop independent reduction(+ : total) copyin(x)
  for (int i = 0; i < N; i++) {
    k = x[i];
    total += k;
  }
  return total + k;
}

static void add(int &to, int what) { to += what; }

#define DIRECTIVE(x) _Pragma(#x)
#define ACC(...) DIRECTIVE(acc __VA_ARGS__)
#define SCALE(op, by) _Pragma("acc parallel loop copy(a[0:10])") for (int i = 0; i < 10; i++) a[i] op by;

// A name that means another thing behind a block that has ended.
static int scopes(int *x, int n) {
  double t = 0.5;
  int r = 0;
  for (int t = 0; t < n; t++)
    x[t] = t;
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : r)
  for (int i = 0; i < n; i++)
    r += x[i] * 2 * t;
  return r;
}

// A name that stands for several functions.
inline int twice(int x) { return 2 * x; }
inline double twice(double x) { return 2 * x; }
#pragma acc routine(twice) seq
static void overloaded() {
  double found[1] = {0};
#pragma acc parallel copy(found)
  { found[0] = twice(1) + twice(0.5); }
  CHECK(found[0] == 3);
}

// An enumerator that is passed on is no variable that a region could need a copy of.
enum Kind { First, Second };
inline int next(Kind k) { return k + 1; }
static void enumerators() {
  int found[1] = {0};
#pragma acc parallel copy(found)
  { found[0] = next(Second) + acc_on_device(acc_device_host); }
  CHECK(found[0] >= 2);
}

int main() {
  enumerators();
  overloaded();
  Vector<double> v(1000);
  v.fill(1);
  CHECK(v.sum() == 1000 + 999 * 500.0);
  std::vector<int> x(100, 2);
  int *d = x.data();
  auto lambda = [&](int by) {
#pragma acc parallel loop copy(d[0:100]) if (by > 0)
    for (int i = 0; i < 100; i++)
      d[i] += by;
    return d[99];
  };
  CHECK(lambda(5) == 7 && Inline::f(d, 100) == 703);
  double y[4] = {1, 2, 3, 4};
  CHECK((Inline{2}.scaled(y, 4)) == 25);
  CHECK(generic(y) == 13);
  int a[10] = {};
  SCALE(+=, 3)
  SCALE(*=, 4)
  ACC(parallel loop copy(a[0:10]))
  for (int i = 0; i < 10; i++)
    a[i]++;
  CHECK(a[9] == 13);
  int passed[8] = {}, t = 0;
#pragma acc parallel loop copyout(passed)
  for (int i = 0; i < 8; i++) {
    t = i;
    add(t, 1);
    passed[i] = t;
  }
  CHECK(passed[7] == 8 && t == 0);
  std::vector<int> z(50);
  CHECK(scopes(z.data(), 50) == 49 * 25);
  return RESULT();
}
