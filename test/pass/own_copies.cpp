// A structure of a thread's own that becomes one of two as a whole, itself or another, is copied word by word, and from the other one alone:
// in a reduction, whose variable's address the device runtime knows, and within an iteration.
// RUN: %S/Inputs/device-compile --ir %t.ll %clangxx -O3 -Wno-pass-failed %s -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=NEAREST < %t.ll
// RUN: %FileCheck %s --check-prefix=EXCHANGE < %t.ll
// RUN: %FileCheck %s --check-prefix=PACKED < %t.ll
// REQUIRES: plugin, cuda
extern "C" int omp_get_thread_num(void);
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

// What two elements change places by is copied and nothing else.
// EXCHANGE-LABEL: define {{.*}}_Z8exchange{{.*}}_place_base(
// EXCHANGE: alloca
// EXCHANGE: @llvm.memcpy.
// EXCHANGE-LABEL: define {{.*}}_Z8exchange{{.*}}_place_natural_apart(
// EXCHANGE-NOT: alloca
// EXCHANGE-NOT: @llvm.memcpy.
// EXCHANGE: ret void
void exchange(Place *in, const int *pairs, int n) {
#pragma omp target teams distribute parallel for map(tofrom : in[0 : 2 * n]) map(to : pairs[0 : 2 * n])
  for (int i = 0; i < n; i++) {
    int a = pairs[2 * i], b = pairs[2 * i + 1];
    if (in[a] < in[b]) {
      Place kept = in[a];
      in[a] = in[b];
      in[b] = kept;
    }
  }
}

// A packed structure's type says nothing of how it lies, but an array of the team's begins at a multiple of 16.
struct __attribute__((packed)) Four {
  float x, y, z, w;
};
// PACKED-LABEL: define {{.*}}_Z6turned{{.*}}_place_plain(
// PACKED-NOT: alloca
// PACKED-NOT: @llvm.memcpy.
// PACKED: store <4 x float> {{.*}}, align 16
// PACKED: load <2 x i64>, {{.*}}, align 16
// PACKED-NOT: align 1{{$|,}}
// PACKED: ret void
void turned(float *out, int teams) {
#pragma omp target teams num_teams(teams) thread_limit(64) map(from : out[0 : 64 * teams])
  {
    Four all[128];
#pragma omp parallel
    {
      int t = omp_get_thread_num();
      all[t] = {float(t), float(t + 1), float(t + 2), float(t + 3)};
      all[t + 64] = {float(t + 4), 0, 0, 0};
#pragma omp barrier
      for (int j = 0; j < 100; j++) {
        Four kept = all[t];
        all[t] = all[t + 64];
        all[t + 64] = kept;
#pragma omp barrier
      }
      out[t] = all[t].x + all[t + 64].w;
    }
  }
}
