// A structure of a thread's own that becomes one of two as a whole, itself or another, is copied word by word, and from the other one alone:
// in a reduction, whose variable's address the device runtime knows, and within an iteration.
// RUN: %S/Inputs/device-compile --ir %t.ll %clangxx -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=NEAREST < %t.ll
// REQUIRES: plugin, cuda
struct Place {
  double value;
  long at;
  int of[2];
  bool operator<(const Place &other) const { return value < other.value || (value == other.value && at > other.at); }
};
static const Place &greater(const Place &a, const Place &b) { return a < b ? b : a; }
#pragma omp declare reduction(max : Place : omp_out = greater(omp_out, omp_in)) initializer(omp_priv = omp_orig)

// CHECK-LABEL: define {{.*}}_Z8greatest{{.*}}_place_base(
// CHECK: select i1 {{.*}}, ptr
// CHECK: @llvm.memcpy.
// CHECK-LABEL: define {{.*}}_Z8greatest{{.*}}_place_{{plain|g}}(
// CHECK-NOT: @llvm.memcpy.
// CHECK: phi double
// CHECK-NOT: @llvm.memcpy.
// CHECK: ret void
Place greatest(const Place *in, int n) {
  Place most = in[0];
#pragma omp target teams distribute parallel for reduction(max : most) map(to : in[0 : n]) map(tofrom : most)
  for (int i = 0; i < n; i++)
    most = greater(most, in[i]);
  return most;
}

// NEAREST-LABEL: define {{.*}}_Z7nearest{{.*}}_place_natural_apart(
// NEAREST-NOT: alloca
// NEAREST-NOT: @llvm.memcpy.
// NEAREST: ret void
void nearest(Place *out, const Place *in, const int *around, int n, int tries) {
#pragma omp target teams distribute parallel for map(to : in[0 : n], around[0 : tries]) map(from : out[0 : n])
  for (int i = 0; i < n; i++) {
    Place best = in[i];
    for (int j = 0; j < tries; j++)
      best = greater(best, in[around[j]]);
    out[i] = best;
  }
}
