// Arrays of as many sums as threads share the inner loop: several at a time, of several types, maxima by std::max; two loops, one after the
// other. No array of a thread's own is left; else it is as it was.
// RUN: %S/Inputs/device-compile %t.s %clangxx -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed > %t.table 2>&1
// RUN: %FileCheck %s < %t.s
// Versions alone: with the kernels as clang makes them ptxas takes two minutes.
// RUN: %ptxas -arch=sm_90 $(sed -nE 's/.*\.entry (\w*_place_(g|r|plain)+)\(.*/-e \1/p' %t.s) %t.s -o %t.cubin
// RUN: %FileCheck %s --check-prefix=TABLE < %t.table
// REQUIRES: plugin, cuda
#include <algorithm>

// Teams of 512 threads, which fill the GPU.
// TABLE: region {{.*}}several
// TABLE: version {{.*}}_place_g {{.*}}loop=strided {{.*}}threads=512 short=32 fill=2048
// CHECK-LABEL: .entry {{.*}}several{{.*}}_place_g(
// CHECK-NOT: .local
// CHECK: .shared {{.*}}lane_elements[12288]
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: End function
void several(double *sums, float *most, const double *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 16]) reduction(max : most[0 : 16]) map(to : a[0 : 16 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 16; j++) {
      sums[j] += a[i * 16 + j];
      most[j] = std::max(most[j], (float)a[i * 16 + j]);
    }
}

// A scalar among them: each thread has its array.
// CHECK-LABEL: .entry {{.*}}with_scalar{{.*}}_place_plain(
// CHECK: .local
// CHECK-NOT: lane_elements
// CHECK: End function
long with_scalar(long *sums, const long *a, long n) {
  long all = 0;
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32], all) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[j] += a[i * 32 + j], all ^= a[i * 32 + j];
  return all;
}

// An element of another number.
// CHECK-LABEL: .entry {{.*}}turned{{.*}}_place_plain(
// CHECK: .local
// CHECK-NOT: lane_elements
// CHECK: End function
void turned(int *sums, const int *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[31 - j] += a[i * 32 + j];
}

// Without the device runtime, in few teams that are large, with four loads at a time.
// TABLE: region {{.*}}one_after_the_other
// TABLE: version {{.*}}_place_g {{.*}}loop=straight {{.*}}threads=512 fill=1024
// CHECK-LABEL: .entry {{.*}}one_after_the_other{{.*}}_place_g(
// CHECK-NOT: .local
// CHECK: Inner Loop Header: Depth=2
// CHECK-COUNT-4: ld.global.f64
// CHECK: bra
// CHECK: Inner Loop Header: Depth=2
// CHECK-COUNT-4: ld.global.f64
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: atom.global.add.u32
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: End function
void one_after_the_other(double *sums, double *most, const double *a, unsigned long n) {
#pragma omp target map(tofrom : sums[0 : 32], most[0 : 32]) map(to : a[0 : 32 * n])
#pragma omp teams reduction(+ : sums[0 : 32]) reduction(max : most[0 : 32])
  {
#pragma omp distribute parallel for reduction(+ : sums[0 : 32])
    for (unsigned long i = 0; i < n; i++)
      for (unsigned j = 0; j < 32; j++)
        sums[j] += a[i * 32 + j];
#pragma omp distribute parallel for reduction(max : most[0 : 32])
    for (unsigned long i = 0; i < n; i++)
      for (unsigned j = 0; j < 32; j++)
        most[j] = std::max(most[j], a[i * 32 + j]);
  }
}

// Beside a large variable of the team there is room for the elements of 256 threads at a time; beside a larger one for too few.
// CHECK-LABEL: .entry {{.*}}beside_much{{.*}}_place_{{g+}}(
// CHECK: .shared {{.*}}lane_elements{{[0-9]*}}[4096]
// CHECK: End function
void beside_much(double *sums, double *most, const double *a, long n) {
#pragma omp target map(tofrom : sums[0 : 32], most[0 : 32]) map(to : a[0 : 32 * n])
#pragma omp teams reduction(+ : sums[0 : 32]) reduction(max : most[0 : 32]) thread_limit(1024)
  {
    double factor[5000];
#pragma omp parallel for
    for (int i = 0; i < 5000; i++)
      factor[i] = i % 7;
#pragma omp distribute parallel for reduction(+ : sums[0 : 32]) reduction(max : most[0 : 32])
    for (long i = 0; i < n; i++)
      for (int j = 0; j < 32; j++) {
        sums[j] += a[i * 32 + j] * factor[j];
        most[j] = std::max(most[j], a[i * 32 + j]);
      }
  }
}

// CHECK-LABEL: .entry {{.*}}beside_all{{.*}}_place_{{g+}}(
// CHECK-NOT: lane_elements
// CHECK: End function
void beside_all(double *sums, const double *a, long n) {
#pragma omp target map(tofrom : sums[0 : 32]) map(to : a[0 : 32 * n])
#pragma omp teams reduction(+ : sums[0 : 32]) thread_limit(1024)
  {
    double factor[5900];
#pragma omp parallel for
    for (int i = 0; i < 5900; i++)
      factor[i] = i % 7;
#pragma omp distribute parallel for reduction(+ : sums[0 : 32])
    for (long i = 0; i < n; i++)
      for (int j = 0; j < 32; j++)
        sums[j] += a[i * 32 + j] * factor[j];
  }
}

// Of a class, whose operators are calls.
struct Three {
  double v[3];
  Three() : v{0, 0, 0} {}
  Three &operator+=(const Three &o) {
    for (int i = 0; i < 3; i++)
      add(v[i], o.v[i]);
    return *this;
  }
  static void add(double &to, const double &from) { to += from; }
  bool operator<(const Three &o) const { return v[0] < o.v[0]; }
};
#pragma omp declare reduction(max : Three : omp_out = std::max(omp_out, omp_in)) initializer(omp_priv(omp_orig))

// CHECK-LABEL: .entry {{.*}}of_a_class{{.*}}_place_g(
// CHECK-NOT: .local
// CHECK: lane_elements
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: End function
void of_a_class(Three *sums, const Three *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[j] += a[i * 32 + j];
}

// CHECK-LABEL: .entry {{.*}}greatest_of_a_class{{.*}}_place_g(
// CHECK-NOT: .local
// CHECK: lane_elements
// CHECK-NOT: {{(ld|st)}}.local
// CHECK: End function
void greatest_of_a_class(Three *most, const Three *a, long n) {
#pragma omp target teams distribute parallel for reduction(max : most[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      most[j] = std::max(most[j], a[i * 32 + j]);
}

// An operator that keeps an address, and one that reads farther than its object.
struct Kept {
  double v = 0;
  const Kept *self = nullptr;
  Kept &operator+=(const Kept &o) {
    self = this;
    v += o.v;
    return *this;
  }
};

// CHECK-LABEL: .entry {{.*}}keeps{{.*}}_place_plain(
// CHECK: .local
// CHECK-NOT: lane_elements
// CHECK: End function
void keeps(Kept *sums, const Kept *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[j] += a[i * 32 + j];
}

struct Far {
  double v = 0;
  Far &operator+=(const Far &o) {
    v += o.v + 0 * (this + 1)->v;
    return *this;
  }
};

// CHECK-LABEL: .entry {{.*}}far{{.*}}_place_plain(
// CHECK: .local
// CHECK-NOT: lane_elements
// CHECK: End function
void far(Far *sums, const Far *a, long n) {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 32]) map(to : a[0 : 32 * n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 32; j++)
      sums[j] += a[i * 32 + j];
}
