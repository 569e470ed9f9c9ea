// Ranges of neighbouring iterations that lie one behind the other are read by whole teams, a part at a time, by way of shared memory.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// TABLE: region {{.*}}_multiply_l
// TABLE: version {{.*}}_ranges_apart role=plan loop=ranges space=g,g,g,g,- threads=128 each=1 {{.*}}needs=open-threads,trips-most:{{[0-9]+}},apart
// PTX: .entry {{.*}}_multiply_l{{[0-9]+}}_place_ranges_apart(
// PTX: .reqntid 128
// Two floats for each of eight elements a thread, 33 for 32.
// PTX-COUNT-2: .shared .align 16 .b8 {{.*}}_ranges{{[0-9]+}}[4224];
// Where ranges begin and end; whether all do as they should.
// PTX: ld.global.nc.u32
// PTX: bar.sync
// PTX: bar.red.and.pred
// All loads of one kind side by side; all are written to shared memory in front of a barrier.
// PTX-COUNT-8: ld.global.nc.f32
// PTX-COUNT-8: ld.global.nc.u32
// PTX-COUNT-8: ld.global.nc.f32
// PTX-COUNT-16: st.shared.f32
// PTX: bar.sync
// What a thread does with its own range reads that alone.
// PTX: Inner Loop
// PTX-NOT: ld.global
// PTX: ld.shared.f32
// PTX-NOT: ld.global
// PTX: ld.shared.f32
// PTX-NOT: ld.global
// PTX: fma.rn.f32
// PTX: End function
void multiply(const int *start, const int *column, const float *value, const float *x, float *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

// A computed range, of 64 bits; threads that the program asks for.
// TABLE: region {{.*}}_computed_l
// TABLE: loop=ranges {{.*}}threads=256
void computed(const double *a, double *y, long rows, long length) {
#pragma omp target teams distribute parallel for num_threads(256)
  for (int i = 0; i < rows; i++) {
    double most = 0;
    for (long k = i * length; k < (i + 1) * length; k++)
      most = a[k] > most ? a[k] : most;
    y[i] = most;
  }
}

// What an iteration writes before it comes to its range is its own.
// TABLE: region {{.*}}_before_l
// TABLE: loop=ranges
void before(const int *start, const int *column, int *y, int *z, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    z[i] = 1;
    int sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += column[k];
    y[i] = sum;
  }
}

// Two loops, one after the other, by way of the same memory.
// TABLE: region {{.*}}_normalised_l
// TABLE: loop=ranges
// PTX: .entry {{.*}}_normalised_l{{[0-9]+}}_place_ranges_apart(
// PTX-COUNT-2: .shared
// PTX-NOT: .shared .align
// PTX: bar.red.and.pred
// PTX: max.f32
// PTX: bar.red.and.pred
// PTX: End function
void normalised(const int *start, const float *a, float *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    float most = 0, sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      most = __builtin_fmaxf(most, a[k]);
    y[i] = most;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += a[k] / most;
    y[rows + i] = sum;
  }
}

// None of the following has such a version. What is walked along is written.
// TABLE: region {{.*}}_written_l
// TABLE-NOT: loop=ranges
void written(const int *start, float *a, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      a[k] += 1;
}

// The loop may end early.
void searched(const int *start, const int *column, int *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    int found = -1;
    for (int k = start[i]; k < start[i + 1]; k++)
      if (column[k] == i) {
        found = k;
        break;
      }
    y[i] = found;
  }
}

// Some iterations do not come to the loop.
void some(const int *start, const int *column, int *y, int rows) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++)
    if (y[i] > 0) {
      int sum = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
        sum += column[k];
      y[i] = sum;
    }
}

// All iterations have the same range.
void same(const int *column, int *y, int rows, int length) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < rows; i++) {
    int sum = 0;
    for (int k = 3; k < length; k++)
      sum = sum * 3 + column[k];
    y[i] = sum;
  }
}
