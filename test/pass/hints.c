// Hints: what is understood goes into the table; what is not is one warning, and the rest of the program is as it was.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %FileCheck --check-prefix=TABLE %s < %t.err
// RUN: %clang -O3 -Wno-unknown-pragmas -DPLAIN -c %s -o %t.plain.o
// The warnings are clang's group for plugins: they can be switched off, and be made errors.
// RUN: %clang -O3 -fplugin=%plugin -Wno-backend-plugin -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// QUIET-NOT: pragma place
// RUN: %not %clang -O3 -fplugin=%plugin -Werror=backend-plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=ERROR %s
// ERROR: error: '#pragma place': unknown memory space 'hbm'
// REQUIRES: plugin, cuda

// A program can ask whether there is a plugin that reads hints.
#if !defined(__PLACE__) != defined(PLAIN)
#error __PLACE__
#endif
int printf(const char *, ...);

void f(int n, const float *a, const float *w, float *o) {
#pragma place shared(w) readonly(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] * w[i & 7];
}
// TABLE-DAG: array {{[0-9]}} {{[0-9]}} a 4 r {{[0-9]}} global,readonly,constant,shared readonly -
// TABLE-DAG: array {{[0-9]}} {{[0-9]}} w 4 r {{[0-9]}} global,readonly,constant,shared shared -
// TABLE: version {{.*}}_f_l{{[0-9]+}}_place_{{rs|sr}} role=plan loop=straight space=-,{{r,s|s,r}} threads=128 needs=threads:128,aligned:16

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place': unknown memory space 'hbm'; known: global, readonly, constant, shared, shared(tile), texture, keep(threads), team(N), assume(noalias), noplace, and routes of loads such as cg; {{.*}}[-Wbackend-plugin]
void g(int n, const float *a, float *o) {
#pragma place hbm(a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place' names 'b', which the target construct does not use
void h(int n, const float *a, float *o) {
#pragma place shared(b)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{[0-9]+}}: warning: #pragma place constant(o) ignored: the array stays in global memory: written by the region
void written(int n, const float *a, float *o) {
#pragma place constant(o)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// TABLE: kind no-version its #pragma place says noplace
void nothing(int n, const float *a, float *o) {
#pragma place noplace
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// CHECK-DAG: hints.c:[[#@LINE+1]]:{{.*}}'#pragma place' is followed by no target construct
#pragma place shared(a)
int unrelated;

// Two spaces for one array, in one pragma and in two; a name and a space that are nearly right; nothing at all.
// CHECK-DAG: hints.c:[[#@LINE+4]]:34: warning: '#pragma place' asks for 'w' in constant and in shared memory; the latter counts
// CHECK-DAG: hints.c:[[#@LINE+4]]:{{.*}}'#pragma place' asks for 'table' in shared and in constant memory; the latter counts
// CHECK-DAG: hints.c:[[#@LINE+4]]:{{.*}}names 'tabel', which the target construct does not use: did you mean 'table'?
void twice(int n, const float *table, const float *w, float *o) {
#pragma place constant(w) shared(w) shared(table[0 : n])
#pragma place constant(table)
#pragma place shared(tabel)
// CHECK-DAG: hints.c:[[#@LINE+1]]:15: warning: '#pragma place': unknown memory space 'sharde': did you mean 'shared'?; known
#pragma place sharde(w)
// CHECK-DAG: hints.c:[[#@LINE+1]]:1: warning: '#pragma place' is empty, and has no effect; known: global
#pragma place
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = table[i & 7] + w[i & 7];
}

// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place' names 'n', which is no array
void number(int n, const float *w, float *o) {
#pragma place constant(n)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = w[i & 7];
}

// A hint is for what comes next, and for that only.
void elsewhere(int n, const float *w, float *o) {
// CHECK-DAG: hints.c:[[#@LINE+2]]:1: warning: '#pragma place' is followed by no target construct, and has no effect
// CHECK-DAG: hints.c:[[#@LINE+2]]:3: note: this follows
#pragma place shared(w)
  printf("printed\n");
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = w[i & 7];
}
// TABLE: at {{[0-9]+}} elsewhere
// TABLE: w 4 r {{[0-9]}} global,readonly,constant,shared - -

// The member's address is in memory.
struct holder { float *values; };
// CHECK-DAG: hints.c:[[#@LINE+2]]:22: warning: '#pragma place' names 'h->values', which is no array within a structure {{.*}}: copy the pointer to a local variable
void member(int n, const struct holder *h, float *o) {
#pragma place shared(h->values)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = h->values[i & 7];
}

// Versions keep the shape: no other number of teams or threads.
// TABLE: at {{[0-9]+}} kept
// TABLE: launch 128 observed - - parameters {{[0-9]+$}}
// TABLE-NOT: loop=natural
// TABLE-NOT: loop=block
// TABLE: version {{.*}}_kept_{{.*}} role=plan
// TABLE-NOT: loop=natural
// TABLE-NOT: loop=block
// TABLE: end
// CHECK-DAG: hints.c:[[#@LINE+2]]:{{.*}}'#pragma place': expected 'threads'; the rest
void kept(int n, const float *w, float *o) {
#pragma place keep(thread)
#pragma place keep(threads)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = w[i & 7];
}
