// With -foffload-lto versions are made in the compile, from what the kernel is with the device runtime, and are in the linked program.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -DALONE -c %s -o %t.o -Wno-unused-command-line-argument 2> %t.usual
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -DALONE -foffload-lto -c %s -o %t.o -Wno-unused-command-line-argument 2> %t.later
// RUN: diff %t.usual %t.later
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -DALONE -foffload-lto=thin -c %s -o %t.o -Wno-unused-command-line-argument 2> %t.thin
// RUN: diff %t.usual %t.thin
//
// A region that calls what another file defines is left alone; with the other file linked to it, there are versions of the others.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -foffload-lto -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: rm -rf %t.plain %t.place && mkdir %t.plain %t.place
// RUN: cd %t.plain && %clang -O3 -foffload-lto %s %S/Inputs/link_time_other.c -Xlinker --save-temps -o program
// RUN: cd %t.place && %clang -O3 -foffload-lto -fplugin=%plugin %s %S/Inputs/link_time_other.c -Xlinker --save-temps -o program
// RUN: cat %t.plain/*.s > %t.plain.s && cat %t.place/*.s > %t.place.s
// RUN: %FileCheck --check-prefix=PTX %s < %t.place.s
// The originals are as plain clang makes them.
// RUN: %python %S/Inputs/same-kernels.py %t.plain.s %t.place.s
// REQUIRES: plugin, cuda

// CHECK-NOT: place:
// CHECK: at {{[0-9]+}} other
// CHECK-NEXT: kind no-version it calls elsewhere, which is joined to it at link time only (-foffload-lto)
// CHECK: at {{[0-9]+}} scale
// CHECK-NEXT: kind spmd
// CHECK: version {{.*}}scale{{.*}} role=plan {{.*}}loop=natural
// PTX-DAG: .entry __omp_offloading_{{.*}}_scale_l{{[0-9]+}}(
// PTX-DAG: .entry __omp_offloading_{{.*}}_scale_l{{[0-9]+}}_place_{{.*}}(
// PTX-DAG: .entry __omp_offloading_{{.*}}_other_l{{[0-9]+}}(
// PTX-NOT: .entry __omp_offloading_{{.*}}_other_l{{[0-9]+}}_place
static double seen;
#pragma omp declare target(seen)

void scale(int n, const float *a, const float *w, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
#pragma omp target
  seen += n;
}

#ifndef ALONE
#pragma omp declare target
float elsewhere(float);
#pragma omp end declare target

void other(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = elsewhere(a[i]);
}

int main(void) {
  float a[8] = {1}, o[8];
#pragma omp target data map(to : a) map(from : o)
  scale(8, a, a, o), other(8, a, o);
  return o[0] != 1;
}
#endif
