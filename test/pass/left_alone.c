// Compiles that cannot have versions say so: once, where flags take the device runtime away unawares; in the report at -O0.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -S --offload-device-only %s -o %t.s 2>&1 | %FileCheck --check-prefixes=WARNED,NO-RUNTIME %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -nogpulib -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=WARNED,NO-RUNTIME %s
// RUN: %clang -O0 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=QUIET,O0 %s
// RUN: %clang -O0 -g -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=QUIET,O0 %s
// The original device code is as plain clang makes it, but for the table.
// RUN: %clang -O3 -S --offload-device-only %s -o %t.plain.s
// RUN: %python %S/Inputs/same-kernels.py %t.plain.s %t.s
// The program's report gives the reason.
// RUN: %clang -O0 -fplugin=%plugin %s -o %t.0 && grep -a "kind no-version compiled without optimisation" %t.0
// RUN: %clang -O3 -nogpulib -fplugin=%plugin -c %s -o %t.bare && grep -a "kind no-version compiled without the device runtime" %t.bare
// With the device runtime nothing is said, also with host LTO, where it joins later (link_time.c), and without a target region.
// RUN: %clang -O3 -fopenmp-target-jit -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=SILENT --allow-empty %s
// RUN: %clang -O3 -flto -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=SILENT --allow-empty %s
// RUN: %clang -O3 -foffload-lto -fplugin=%plugin -c %S/Inputs/nothing.c -o %t.o 2>&1 | %FileCheck --check-prefix=SILENT --allow-empty %s
// RUN: %clang -O0 -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=SILENT --allow-empty %s
// REQUIRES: plugin, cuda

// WARNED: warning: place: target regions are compiled as without place: the device runtime is not part of this step; -S, -emit-llvm and -nogpulib leave it out
// WARNED-NOT: place:
// QUIET-NOT: warning: place
// SILENT-NOT: place:
// NO-RUNTIME: at [[#@LINE+6]] scale {{.*}}left_alone.c
// NO-RUNTIME-NEXT: kind no-version compiled without the device runtime{{$}}
// O0: at [[#@LINE+4]] scale {{.*}}left_alone.c
// O0-NEXT: kind no-version compiled without optimisation (-O0)
void scale(int n, const float *a, const float *w, float *o) {
#pragma place constant(w)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
}
// NO-RUNTIME: kind no-version
// NO-RUNTIME-NOT: version
// O0: kind no-version
// O0-NOT: version
int main(void) {
  float a[8] = {0}, o[8];
#pragma omp target teams distribute parallel for map(to : a) map(from : o)
  for (int i = 0; i < 8; i++)
    o[i] = a[i];
  return (int)o[0];
}
