// What a version is called says nothing: a function of the program may be named as versions are, and its regions have versions of their own.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-dump=table 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: %FileCheck --check-prefix=IR %s < %t.ll
// REQUIRES: plugin, cuda

void scale_l7_place_base(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for map(to : a[:n]) map(from : o[:n])
  for (int i = 0; i < n; i++)
    o[i] = 2 * a[i];
}

// TABLE: region [[KERNEL:.*_scale_l7_place_base_l8]]
// TABLE: version [[KERNEL]]_place_base role=base
// TABLE: version [[KERNEL]]_place_natural_apart role=plan loop=natural

// IR: define {{.*}}_scale_l7_place_base_l8({{.*}} #[[ORIGINAL:[0-9]+]] {
// IR: define {{.*}}_scale_l7_place_base_l8_place_base({{.*}} #[[BASE:[0-9]+]] {
// IR: define {{.*}}_scale_l7_place_base_l8_place_natural_apart({{.*}} #[[NATURAL:[0-9]+]] {
// IR-NOT: "place-version"
// IR: attributes #[[BASE]] = {{{.*}}"place-version"
// IR: attributes #[[NATURAL]] = {{{.*}}"place-version"
