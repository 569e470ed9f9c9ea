// #pragma place assume(noalias): the promise is in the region table, as a word of the launch; said where nothing can be made of it.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %FileCheck --check-prefix=SAID %s < %t.err
// RUN: grep -c "has no effect" %t.err | %FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}3{{$}}
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o steps.o 2> steps.err
// RUN: grep -A40 ^place-table %t.err > whole.table && grep -A40 ^place-table steps.err | diff whole.table -
// REQUIRES: plugin, cuda

// CHECK: at {{[0-9]+}} promised
// CHECK: launch 128 open - - open-threads apart parameters {{[0-9]+$}}
// CHECK: loop=natural {{.*}},apart
void promised(int n, const float *a, float *o) {
#pragma place assume(noalias)
#pragma omp target teams distribute parallel for is_device_ptr(a, o)
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK: at {{[0-9]+}} plain
// CHECK: launch 128 open - - open-threads parameters {{[0-9]+$}}
void plain(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK: at {{[0-9]+}} both
// CHECK: launch 64 open - - open-threads set-threads apart parameters {{[0-9]+$}}
void both(int n, const float *a, float *o) {
#pragma place team(64) assume(noalias)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// It is a promise about arrays of the region.
// SAID-DAG: hint_noalias.c:[[#@LINE+3]]:{{[0-9]+}}: warning: #pragma place assume(noalias) has no effect: no version needs it: it writes through a pointer that it finds in h
struct holder { float *values; };
void elsewhere(int n, const struct holder *h) {
#pragma place assume(noalias)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    h->values[i] = i;
}

// SAID-DAG: hint_noalias.c:[[#@LINE+2]]:{{.*}} has no effect: no version needs it: its #pragma place says noplace
void nothing(int n, const float *a, float *o) {
#pragma place assume(noalias) noplace
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// SAID-DAG: hint_noalias.c:[[#@LINE+2]]:{{.*}} has no effect: no version needs it: it reads memory that is not one of its arrays
void read(int n, const struct holder *h, float *o) {
#pragma place assume(noalias) keep(threads)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = h->values[i];
}

// SAID-DAG: hint_noalias.c:[[#@LINE+5]]:22: warning: '#pragma place': unknown promise 'noalas': did you mean 'noalias'?; known: noalias; the rest
// SAID-DAG: hint_noalias.c:[[#@LINE+5]]:22: warning: '#pragma place': expected 'noalias'; the rest
// SAID-DAG: hint_noalias.c:[[#@LINE+5]]:30: warning: '#pragma place': expected ',' or ')'; the rest
// SAID-DAG: hint_noalias.c:[[#@LINE+5]]:15: warning: '#pragma place': unknown memory space 'asume': did you mean 'assume'?
void wrong(int n, const float *a, float *o) {
#pragma place assume(noalas)
#pragma place assume(1)
#pragma place assume(noalias a)
#pragma place asume(noalias)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
