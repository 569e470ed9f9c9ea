// What is wrong is said at its column, and every directive is read to its end.
// RUN: %not %clang_cpu -fsyntax-only -fplugin=%plugin -ferror-limit=0 %s 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %clang_cpu -fsyntax-only -fplugin=%plugin -DGOOD %s 2>&1 | %FileCheck --check-prefix=WARN %s

void f(int n, double *a, double *b) {
#ifndef GOOD
// CHECK: errors.c:[[#@LINE+1]]:13: error: unknown OpenACC directive 'paralel'
#pragma acc paralel loop
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:27: error: unknown OpenACC clause 'gangs'
#pragma acc parallel loop gangs(4)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:22: error: 'collapse' is no clause of 'parallel'
#pragma acc parallel collapse(2)
  a[0] = 1;
// CHECK: errors.c:[[#@LINE+1]]:25: error: expected '(' after 'copyin'
#pragma acc data copyin copyout(b[0:n])
  a[0] = 1;
// CHECK: errors.c:[[#@LINE+1]]:35: error: expected ')' to end the arguments of 'copyin'
#pragma acc parallel copyin(a[0:n]
  a[0] = 1;
// CHECK: errors.c:[[#@LINE+1]]:37: error: expected a reduction operator
#pragma acc parallel loop reduction(/ : n)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:31: error: 'gang' contradicts 'seq'
#pragma acc parallel loop seq gang
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:33: error: 'if' appears twice
#pragma acc parallel loop if(n) if(n)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:35: error: expected expression
#pragma acc parallel num_gangs(4 +)
  a[0] = 1;
// CHECK: errors.c:[[#@LINE+1]]:35: error: expected expression
#pragma acc parallel loop async(4 5)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:25: error: 'update' needs one of 'self', 'device'
#pragma acc update if(n)
// CHECK: errors.c:[[#@LINE+1]]:31: error: 'lazy' is no modifier of 'create'
#pragma acc enter data create(lazy: a[0:n])
// CHECK: errors.c:[[#@LINE+2]]:3: error: expected a for loop after 'loop'
#pragma acc parallel loop
  while (n--)
    a[n] = 0;
// CHECK: errors.c:[[#@LINE+3]]:13: error: 'data' may not stand inside a compute construct
#pragma acc parallel
  {
#pragma acc data copy(a[0:n])
    a[0] = 1;
  }
// CHECK: errors.c:[[#@LINE+1]]:45: error: default(none): 'b' is used and in no data clause
#pragma acc parallel loop copyout(a[0:n])   default(none)
  for (int i = 0; i < n; i++)
    a[i] = b[i];
// Clang's own errors point at the program's tokens.
// CHECK: errors.c:[[#@LINE+1]]:34: error: use of undeclared identifier 'm'
#pragma acc parallel loop copy(a[m:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:45: error: use of undeclared identifier 'zz'
#pragma acc parallel loop copy(a[0:n]) copy(zz)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:41: error: use of undeclared identifier 'queue'
#pragma acc parallel loop wait(1) async(queue)
  for (int i = 0; i < n; i++)
    a[i] = 0;
// CHECK: errors.c:[[#@LINE+1]]:26: error: expected a statement after 'parallel'
#pragma acc parallel     
}
void last(int n, double *a, double *b) {
#endif
// WARN: errors.c:[[#@LINE+1]]:39: warning: unknown device type 'abacus'; what follows it is ignored
#pragma acc parallel loop device_type(abacus) seq
  for (int i = 0; i < n; i++)
    a[i] = 0;
// WARN: errors.c:[[#@LINE+2]]:13: warning: the statement has an OpenMP directive, too; this OpenACC one is ignored
#pragma omp target teams distribute parallel for
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    a[i] = 0;
// WARN: errors.c:[[#@LINE+1]]:13: warning: the statement has an OpenMP directive, too; this OpenACC one is ignored
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    a[i] = 0;
// WARN: errors.c:[[#@LINE+1]]:13: warning: 'loop' outside of compute constructs and of routines
#pragma acc loop gang
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
// WARN: errors.c:[[#@LINE+1]]:13: warning: 'routine' says none of gang, worker, vector and seq; seq is assumed
#pragma acc routine
void g(void);
