// Cache operators of loads: each route of the list is what its array's loads are in PTX, whatever their type, and ptxas takes it; loops are
// unrolled and neighbouring loads joined to vectors before.
// RUN: for route in $(sed -n 's/^PLACE_ROUTE([A-Z0-9_]*, "\([^"]*\)", "\([^"]*\)".*/\1=\2/p' %place_source/include/place/route.def | grep -v -e '^default' -e '^nc='); do \
// RUN:   bash %S/Inputs/device-compile %t.ptx %clang -O3 -DROUTE=${route%%=*} -fplugin=%plugin %s && \
// RUN:   %python %S/Inputs/loads.py ${route#*=} %t.ptx && \
// RUN:   %ptxas -arch=sm_90 %t.ptx -o %t.cubin || exit 1; done
// What a GPU does not have is not asked of it, nor is anything of an array that is updated atomically.
// RUN: %cc1 -O3 -fopenmp --offload-arch=sm_60 --cuda-path=%place_cuda --offload-device-only -c %s -DROUTE=no_allocate -fplugin=%plugin -fplugin-arg-place-dump=table -o %t.o 2>&1 | grep ^version | %FileCheck --check-prefix=OLD --implicit-check-not=routes= %s
// OLD: role=plan
// RUN: %cc1 -O3 -fopenmp --offload-arch=sm_60 --cuda-path=%place_cuda --offload-device-only -c %s -DROUTE=no_allocate -fplugin=%plugin -o %t.o 2>&1 | %FileCheck --check-prefix=SAID %s
// SAID-DAG: #pragma place no_allocate(c) ignored: no version can have it: the GPU that is compiled for,
// SAID-DAG: #pragma place no_allocate(count) ignored: the array is updated atomically
// That another array's loads have the route helps an array nothing.
// RUN: %clang -O3 -fplugin=%plugin -DROUTE=cg -DBOTH -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=BOTH --implicit-check-not='cg(at)' %s
// BOTH: routes.c:[[#@LINE+50]]:{{[0-9]+}}: warning: #pragma place cg(count) ignored: the array is updated atomically
// Versions by the flag: so many, of the first one with everything in global memory; and none without it.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-routes -fplugin-arg-place-dump=table -DROUTE=global -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=FLAG %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-dump=table -DROUTE=global -c %s -o %t.o 2>&1 | grep ^version | %FileCheck --check-prefix=NONE --implicit-check-not=routes= %s
// NONE: role=plan
// FLAG: at {{[0-9]+}} gather
// FLAG: _routes1 role=plan loop=natural space=-,g,g routes=-,-,no_allocate threads=256
// FLAG: _routes2 role=plan loop=natural space=-,g,g routes=-,cg,cg threads=256
// FLAG: _routes3 role=plan loop=natural space=-,g,g routes=-,evict_last,evict_first threads=256
// FLAG: _routes4 role=plan loop=natural space=-,g,g routes=-,no_allocate,- threads=256
// FLAG-NOT: gather{{.*}}_routes5
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-routes=x -c %s -DROUTE=cg -o %t.o 2>&1 | %FileCheck --check-prefix=BAD %s
// BAD: error: -fplugin-arg-place: routes takes a number from 0 to 64, not 'x'
// Two routes for one array.
// RUN: %clang -O3 -fplugin=%plugin -DROUTE=cg -DTWICE -fsyntax-only %s 2>&1 | %FileCheck --check-prefix=TWICE %s
// TWICE: routes.c:[[#@LINE+26]]:{{.*}}'#pragma place' asks for 'x' by cg and by cs loads; the latter counts
// REQUIRES: plugin, cuda
typedef float v4 __attribute__((ext_vector_type(4)));
typedef double v2 __attribute__((ext_vector_type(2)));
struct pair { // its two reads become one
  float a, b;
} __attribute__((aligned(8)));

// Which reads are through which argument is told by their widths.
void types(int n, const unsigned char *c, const short *s, const int *i, const long *l, const float *f, const double *d, const v4 *v, const v2 *w,
           const struct pair *p, double *out) {
#pragma place ROUTE(c, s, i, l, f, d, v, w, p)
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
    out[k] = c[k] + s[k] + i[k] + (double)l[k] + f[k] + d[k] + v[k].x * v[k].y + v[k].z * v[k].w + w[k].x * w[k].y +
             p[k].a * p[k].b;
}

void gather(int n, const float *table, const int *at, float *out) {
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
    out[k] = table[at[k]];
}

#ifdef TWICE
void twice(int n, const float *x, float *y) {
#pragma place cg(x) cs(x)
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
    y[k] = x[k];
}
#endif

#ifdef BOTH
void both(int n, const int *at, int *count) {
#pragma place cg(at, count)
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
#pragma omp atomic
    count[at[k]]++;
}
#endif

void updated(int n, const int *at, int *count) {
#pragma place ROUTE(count)
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
#pragma omp atomic
    count[at[k]]++;
}
