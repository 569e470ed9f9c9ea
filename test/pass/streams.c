// Inner loops that go along arrays and only read: with one iteration a thread, and arrays that the launch shows to be apart, many loads
// stand together, four in the loop for what is left, and one in the last.
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -Wno-pass-failed
// RUN: awk '/\.entry/ { print "entry", $NF; n = 0 } /^\$L|\tbra|@%%p.*bra/ { if (n) print "loads", n; n = 0 } /ld\.global/ { n++ }' %t.s | %FileCheck %s
// RUN: %FileCheck --check-prefix=FLAT %s < %t.s
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin
// REQUIRES: plugin, cuda

// A switch that LLVM makes of comparisons becomes selections: the three loops, and what is in front of and behind them, have no more branches.
// CHECK: entry {{.*}}_tally_l{{[0-9]+}}_place_natural_apart(
// CHECK-DAG: loads 16
// CHECK-DAG: loads 4
// CHECK-DAG: loads 1
// CHECK: entry
// FLAT: .entry {{.*}}_tally_l{{[0-9]+}}_place_natural_apart(
// FLAT: ld.global{{.*}}u8
// FLAT-NOT: bra.uni
// FLAT-COUNT-16: selp
// FLAT: .entry
void tally(const unsigned char *a, int *counts, int rows, int columns) {
#pragma omp target teams distribute parallel for map(to : a[ : rows * columns]) map(from : counts[ : columns])
  for (int i = 0; i < columns; i++) {
    int zeros = 0, ones = 1;
    for (int n = 0; n < rows; n++) {
      unsigned char y = a[(long)n * columns + i];
      if (y == '0') zeros++;
      else if (y == '1') ones *= 3;
    }
    counts[i] = zeros + ones;
  }
}

// What is loaded on a condition stays there.
// CHECK: entry {{.*}}_decided_l{{[0-9]+}}_place_natural_apart(
// CHECK-DAG: loads 8
// CHECK-DAG: loads 4
// CHECK: entry
void decided(const int *a, const float *b, float *sums, int rows, int columns) {
#pragma omp target teams distribute parallel for map(to : a[ : rows * columns], b[ : rows * columns]) map(from : sums[ : columns])
  for (int i = 0; i < columns; i++) {
    float sum = 0;
    for (int n = 0; n < rows; n++)
      if (a[n * columns + i] > n)
        sum += b[n * columns + i];
    sums[i] = sum;
  }
}

// Elements found by others: so many of the latter as LLVM has in a loop whose length only the launch knows.
// CHECK: entry {{.*}}_some_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: loads 8
// CHECK: loads 4
// CHECK: entry
void some(const int *a, const int *b, int *sums, int rows, int columns) {
#pragma omp target teams distribute parallel for map(to : a[ : rows * columns], b[ : rows * columns]) map(from : sums[ : columns])
  for (int i = 0; i < columns; i++) {
    int sum = 0;
    for (int n = 0; n < rows; n++)
      if (a[n * columns + i] > sum)
        sum += b[a[n * columns + i]];
    sums[i] = sum;
  }
}

// A loop that writes is left as it is.
// CHECK: entry {{.*}}_running_l{{[0-9]+}}_place_natural_apart(
// CHECK-NOT: loads 16
// CHECK: entry
void running(const int *a, int *sums, int rows, int columns) {
#pragma omp target teams distribute parallel for map(to : a[ : rows * columns]) map(from : sums[ : rows * columns])
  for (int i = 0; i < columns; i++) {
    int sum = 0;
    for (int n = 0; n < rows; n++)
      sums[n * columns + i] = sum += a[n * columns + i];
  }
}
