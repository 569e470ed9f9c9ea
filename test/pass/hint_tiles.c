// #pragma place shared(tile(a)): the region's versions are those whose blocks have tiles of the array in shared memory.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %FileCheck --check-prefix=SAID %s < %t.err
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o steps.o 2> steps.err
// RUN: grep -A60 ^place-table %t.err > whole.table && grep -A60 ^place-table steps.err | diff whole.table -
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-blocks=0 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=NONE %s
// NONE: #pragma place shared(tile(a)) ignored: no versions with blocks are made (max-blocks=0)
// REQUIRES: plugin, cuda

// CHECK: at {{[0-9]+}} product
// CHECK: launch 128 open - - open-threads blocks
// CHECK: array {{[0-9]}} {{[0-9]}} a 4 r {{.*}} - -
// CHECK: version {{.*}}_base role=base
// CHECK-NEXT: version {{.*}} loop=block {{.*}} tiles=0,1
// CHECK-NOT: loop={{original|natural|straight}}
// CHECK: region
void product(int n, const float *a, const float *b, float *c) {
#pragma place shared(tile(a, b[0 : n * n]))
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }
}

// Beside tiles, another array where it is asked for: in the same versions.
// CHECK: at {{[0-9]+}} filter
// CHECK: launch {{.*}} blocks
// CHECK: array {{[0-9]}} {{[0-9]}} w 4 r {{.*}} - -
// CHECK: version {{.*}}_base role=base
// CHECK-NEXT: version {{.*}} loop=block space=g,c,- {{.*}} tiles=
// CHECK-NOT: space=g,g
// CHECK: region
void filter(int n, int taps, const float *a, const float *w, float *o) {
#pragma place shared(tile(a)) constant(w)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < taps; j++)
      sum += a[i + j] * w[j];
    o[i] = sum;
  }
}

// Without a hint there are other versions, too; an array may be called tile.
// CHECK: at {{[0-9]+}} named
// CHECK: array {{[0-9]}} {{[0-9]}} tile 4 r {{.*}} shared -
// CHECK: version {{.*}} loop=natural
void named(int n, const float *tile, float *o) {
#pragma place shared(tile)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = tile[i & 7];
}

// SAID-DAG: hint_tiles.c:[[#@LINE+2]]:{{[0-9]+}}: warning: #pragma place shared(tile(o)) ignored: written by the region
void written(int n, const float *a, float *o) {
#pragma place shared(tile(o))
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// SAID-DAG: hint_tiles.c:[[#@LINE+2]]:{{[0-9]+}}: warning: #pragma place shared(tile(a)) ignored: no sequential loop in the body
void simple(int n, const float *a, float *o) {
#pragma place shared(tile(a))
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// SAID-DAG: hint_tiles.c:[[#@LINE+7]]:40: warning: '#pragma place' asks for 'a' in constant memory and for tiles of it; the latter counts
// SAID-DAG: hint_tiles.c:[[#@LINE+7]]:23: warning: '#pragma place' asks for 'a' in global memory and for tiles of it; the latter counts
// SAID-DAG: hint_tiles.c:[[#@LINE+7]]:27: warning: '#pragma place' names 'q', which the target construct does not use
// SAID-DAG: hint_tiles.c:[[#@LINE+6]]:30: warning: '#pragma place' names 'n', which is no array
// SAID-DAG: hint_tiles.c:[[#@LINE+6]]:27: warning: '#pragma place': expected the name of an array; the rest
// SAID-DAG: hint_tiles.c:[[#@LINE+6]]:28: warning: '#pragma place': expected ',' or ')'; the rest
void wrong(int n, const float *a, float *o) {
#pragma place constant(a)  shared(tile(a))
#pragma place global( a)
#pragma place shared(tile(q, n))
#pragma place shared(tile())
#pragma place shared(tile(a]))
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i & 3];
}
