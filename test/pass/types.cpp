// Every scalar element type goes through every space and assembles; C++ captures keep their names.
// RUN: %S/Inputs/device-compile %t.s %clangxx -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=access 2> %t.summary
// RUN: %FileCheck --check-prefix=NAMES %s < %t.summary
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

template <typename T> void gather(int n, const int *idx, const T *w, T *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = w[idx[i]];
}
template void gather(int, const int *, const signed char *, signed char *);
template void gather(int, const int *, const short *, short *);
template void gather(int, const int *, const long *, long *);
template void gather(int, const int *, const float *, float *);
// NAMES: kernel {{.*}}gatherIa
// NAMES: array w (arg 2, 1 B elements): read
// PTX: .entry {{.*}}gatherIa{{.*}}_place_{{gs|sg}}(
// PTX: ld.shared.u8
// PTX: .entry {{.*}}gatherIa{{.*}}_place_{{gc|cg}}(
// PTX: ld.const.u8

struct Filter {
  float *taps;
  int m;
  void apply(const float *a, float *o, int n) const {
    const float *w = taps;
    int count = m;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n - count; i++) {
      float s = 0;
      for (int j = 0; j < count; j++)
        s += a[i + j] * w[j];
      o[i] = s;
    }
  }
};
void use(Filter &f, const float *a, float *o, int n) { f.apply(a, o, n); }
// NAMES: kernel {{.*}}Filter5apply
// NAMES: array w (arg {{[0-9]}}, 4 B elements): read
