// A compile that has the plugin, but makes no device code, says so once, at the first construct or hint, with the remedy. Nothing where
// there is no target construct, where device code is made, and where nothing but simd directives is asked for.
// RUN: %cc1 -O2 -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=PLAIN %s
// RUN: %cc1 -O2 -DHINT -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=HINT %s
// RUN: %cc1 -O2 -fopenmp -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=HOST %s
// RUN: %cc1 -O2 -fopenmp -DNONE -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %cc1 -O2 -DNONE -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %cc1 -O2 -fopenmp-simd -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %cc1 -O2 -fopenmp -Wno-backend-plugin -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %clang -O2 -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// REQUIRES: plugin, cuda
// PLAIN-NOT: warning: place
// PLAIN: no_device_code.c:[[#@LINE+15]]:{{[0-9]+}}: warning: place: compiled without OpenMP, {{.*}}; add -fopenmp and --offload-arch=sm_90, or what the GPU is, or -Wno-backend-plugin if that is meant [-Wbackend-plugin]
// PLAIN-NOT: warning: place
// HINT-NOT: warning: place
// HINT: no_device_code.c:[[#@LINE+10]]:{{[0-9]+}}: warning: place: compiled without OpenMP, {{.*}} [-Wbackend-plugin]
// HINT-NOT: warning: place
// HOST-NOT: warning: place
// HOST: no_device_code.c:[[#@LINE+9]]:{{[0-9]+}}: warning: place: target regions are compiled for the host alone, {{.*}} [-Wbackend-plugin]
// HOST-NOT: warning: place
// QUIET-NOT: warning: place
void scale(float *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) x[i] *= 3;
#ifdef HINT
#pragma place readonly(x)
#elif !defined(NONE)
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) x[i] *= 2;
#pragma omp target map(tofrom : x[ : n])
  x[0]++;
#endif
}
