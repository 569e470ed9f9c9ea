// Which construct a hint belongs to: the one that follows with nothing but comments and other pragmas between, also in macros,
// templates and classes; to none if anything else follows.
// RUN: %clangxx -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: grep -E "^array [0-9]+ [0-9]+ [ab] " %t.err | %FileCheck --check-prefix=TABLE %s
// RUN: %clangxx -O3 -fplugin=%plugin -fno-openmp -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=SERIAL %s
// RUN: grep -c "followed by no target construct" %t.err | %FileCheck --check-prefix=TWO %s
// TWO: {{^}}2{{$}}
// RUN: %not grep "does not use" %t.err
// REQUIRES: plugin, cuda
// SERIAL-NOT: warning: {{'#pragma|place}}
// SERIAL: warning: place: compiled without OpenMP
// SERIAL-NOT: warning: {{'#pragma|place}}

#define HINTED(name, space)                                                                                                      \
  void name(int n, const float *a, float *o) {                                                                                   \
    _Pragma(space) _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++) o[i] = a[i & 7];              \
  }
HINTED(one, "place constant(a)") HINTED(two, "place shared(a)") HINTED(three, "")
// TABLE: a 4 r 0 {{.*}} constant -
// TABLE-NEXT: a 4 r 0 {{.*}} shared -
// TABLE-NEXT: a 4 r 0 {{[a-z,]+}} - -

void pragmas(int n, const float *a, const float *b, float *o) {
#pragma place readonly(a) shared(b)
  /* A comment of many lines.








   */
#pragma clang diagnostic push
#pragma place readonly(b) shared(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i & 7] * b[i];
}
// TABLE-NEXT: a 4 r 0 {{.*}} shared -
// TABLE-NEXT: b 4 r 1 {{.*}} readonly -

// CHECK-DAG: hints_where.cpp:[[#@LINE+2]]:{{.*}}'#pragma place' is followed by no target construct
void statement(int n, const float *a, float *o) {
#pragma place shared(a)
  n--;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i & 7];
}
// TABLE-NEXT: a 4 r 0 {{[a-z,]+}} - -

// CHECK-DAG: hints_where.cpp:[[#@LINE+2]]:{{.*}}'#pragma place' is followed by no target construct
void data(int n, const float *a, float *o) {
#pragma place shared(a)
#pragma omp target data map(to : a[:n]) map(from : o[:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      o[i] = a[i & 7];
  }
}
// TABLE-NEXT: a 4 r 0 {{[a-z,]+}} - -

struct Inline {
  template <typename T> static void body(int n, const T *a, T *o) {
#pragma place constant(a)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      o[i] = a[i & 7];
  }
  static void lambda(int n, const float *a, float *o) {
    auto run = [=](int m) {
#pragma place shared(a)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < m; i++)
        o[i] = a[i & 7];
    };
    run(n);
  }
};
void both(const float *a, float *o, const int *b, int *p) {
  Inline::body(9, a, o);
  Inline::body(9, b, p);
  Inline::lambda(9, a, o);
}
// TABLE-NEXT: a 4 r 0 {{.*}} constant -
// TABLE-NEXT: a 4 r 0 {{.*}} constant -
// TABLE-NEXT: a 4 r 0 {{.*}} shared -

template <typename T> void unused(int n, const T *a, T *o) {
#pragma place constant(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i & 7];
}
#define LOOP(hint, a, o)                                                                                                         \
  _Pragma(hint) _Pragma("omp target teams distribute parallel for") for (int i = 0; i < 64; i++) o[i] = a[i & 7];
void line(const float *a, float *o, const double *b, double *p) {
  LOOP("place shared(a)", a, o) LOOP("place constant(b)", b, p) LOOP("place readonly(a)", a, o)
}
// TABLE-NEXT: a 4 r 0 {{.*}} shared -
// TABLE-NEXT: b 8 r 0 {{.*}} constant -
// TABLE-NEXT: a 4 r 0 {{.*}} readonly -
// TABLE-NOT: {{.}}
