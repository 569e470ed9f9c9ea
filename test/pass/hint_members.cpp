// Hints that name members: an array within a structure stands for the structure, which is what can be moved; no other member does.
// RUN: %clangxx -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck --check-prefix=TABLE %s < %t.err
// RUN: %FileCheck %s < %t.err
// RUN: grep -c "cpp:.*warning: " %t.err | %FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}5{{$}}
// REQUIRES: plugin, cuda

struct Inner { float deep[8]; };
struct Taps { float w[16]; float *far; Inner inner; int count; };

// TABLE: at {{[0-9]+}} value
// TABLE: array {{[0-9]}} {{[0-9]}} t {{.*}} global,readonly,constant,shared constant -
void value(int n, Taps t, float *o) {
#pragma place constant(t.w)
#pragma omp target teams distribute parallel for map(to : t) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = t.w[i & 15];
}

// TABLE: at {{[0-9]+}} pointed
// TABLE: array {{[0-9]}} {{[0-9]}} t {{.*}} global,readonly,constant,shared shared -
void pointed(int n, const Taps *t, float *o) {
#pragma place shared(t->inner.deep[0 : 8])
#pragma omp target teams distribute parallel for map(to : t[ : 1]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = t->inner.deep[i & 7];
}

// A pointer, a number, and what there is none of.
// CHECK-DAG: hint_members.cpp:[[#@LINE+5]]:24: warning: '#pragma place' names 't->far', which is no array within a structure
// CHECK-DAG: hint_members.cpp:[[#@LINE+4]]:39: warning: '#pragma place' names 't->count'
// CHECK-DAG: hint_members.cpp:[[#@LINE+3]]:58: warning: '#pragma place' names 'q.w'
// TABLE: at {{[0-9]+}} refused
void refused(int n, const Taps *t, float *o) {
#pragma place constant(t->far) shared(t->count) readonly(q.w)
#pragma omp target teams distribute parallel for map(to : t[ : 1]) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = t->w[i & 15] + float(t->count);
}

// Two parts of one structure go together.
// CHECK-DAG: hint_members.cpp:[[#@LINE+4]]:45: warning: '#pragma place' asks for parts of 't' in shared and in constant memory; it is one structure, and the former counts
// CHECK-DAG: hint_members.cpp:[[#@LINE+3]]:22: warning: '#pragma place' asks for 't' in constant and in shared memory; the latter counts
void parts(int n, Taps t, float *o) {
#pragma place constant(t.w)
#pragma place shared(t.inner.deep) constant(t.w)
#pragma omp target teams distribute parallel for map(to : t) map(from : o[ : n])
  for (int i = 0; i < n; i++)
    o[i] = t.w[i & 15] + t.inner.deep[i & 7];
}
