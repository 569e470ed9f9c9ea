// #pragma place team(N): the versions of a region have teams of N threads; where they cannot, a warning says why.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: %FileCheck --check-prefix=SAID %s < %t.err
// The original stays as it was, and what the hint asks for reaches the step that optimises where that is another process.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang -O3 -save-temps -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o steps.o 2> steps.err
// RUN: grep -A40 ^place-table %t.err > whole.table && grep -A40 ^place-table steps.err | diff whole.table -
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 %s -fplugin=%plugin
// RUN: %FileCheck --check-prefix=IR %s < %t.ll
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-no-isolate -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=INPLACE %s
// REQUIRES: plugin, cuda

// One iteration a thread, and every other version: 256 threads, and the program's number of them is a wish for the original.
// CHECK: at {{[0-9]+}} wide
// CHECK: launch 256 open - - open-threads set-threads
// CHECK: access {{.*}} 256*team
// CHECK-NOT: threads=128
// CHECK-NOT: needs=threads:
// CHECK: version {{.*}}_base role=base loop=original space=g,g,-{{$}}
// CHECK: version {{.*}}_wide_{{.*}}_natural_apart role=plan loop=natural space=g,g,- threads=256 each=1 short={{[0-9]+}} needs=open-threads,trips-most:{{[0-9]+}},apart
// CHECK: version {{.*}}_gc role=plan loop=straight space=g,c,- threads=256 needs=open-threads,aligned:16
// IR: @{{.*}}_wide_l[[#%u,WIDE:]]_kernel_environment = {{.*}}i32 1, i32 128,
// IR: @{{.*}}_wide_l[[#WIDE]]_place_natural_apart_kernel_environment = {{.*}}i32 256, i32 256,
void wide(int n, const float *a, const float *w, float *o) {
#pragma place team(256)
#pragma omp target teams distribute parallel for num_threads(128)
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < 16; j++)
      sum += a[i + j] * w[j];
    o[i] = sum;
  }
}

// Fewer than the compiler's usual 128; a macro; the hint says it of a kernel without the device runtime, too.
// CHECK: at {{[0-9]+}} narrow
// CHECK: launch 96 open - - open-threads set-threads
// CHECK: loop=natural {{.*}}threads=96
#define THREADS 96
void narrow(int n, const float *a, float *o) {
#pragma place team(THREADS)
#pragma omp target teams distribute parallel for schedule(static, 4)
  for (int i = 0; i < n; i++)
    o[i] = a[i] + a[i & 31];
}

// Sums over teams: a grid-stride loop.
// CHECK: at {{[0-9]+}} sum
// CHECK: loop=strided {{.*}}threads=64 {{.*}}fill=2048 needs=open-threads
double sum(int n, const double *a) {
  double s = 0;
#pragma place team(64)
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// The region may look at its threads: the hint is not followed, and the program is as it was.
// CHECK: at {{[0-9]+}} looks
// CHECK: launch 128 {{[a-z]+ - [a-z-]+}} parameters {{[0-9]+$}}
// SAID-DAG: hint_team.c:[[#@LINE+3]]:{{[0-9]+}}: warning: #pragma place team(256) ignored: it looks at the number of its threads
int omp_get_num_threads(void);
void looks(int n, const float *a, float *o) {
#pragma place team(256)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i] + (float)omp_get_num_threads();
}

// What cannot be: the remedy, at the number. What contradicts: the latter counts.
// CHECK: at {{[0-9]+}} wrong
// CHECK: launch 512 open - - open-threads set-threads
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: '#pragma place' asks for teams of 100 threads, but a team has 32 to 1024 of them, in warps of 32: write team(96); ignored
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: {{.*}} 1025 threads, {{.*}}: write team(1024); ignored
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: {{.*}} 0 threads, {{.*}}: write team(32); ignored
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: '#pragma place': expected a number of threads, as in team(256); the rest
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: '#pragma place': expected a number of threads, as in team(256); the rest
// SAID-DAG: hint_team.c:[[#@LINE+12]]:20: warning: '#pragma place': expected a number of threads, as in team(256); the rest
// SAID-DAG: hint_team.c:[[#@LINE+12]]:19: warning: '#pragma place': expected '(' after 'team'; the rest
// SAID-DAG: hint_team.c:[[#@LINE+12]]:15: warning: '#pragma place': unknown memory space 'tean': did you mean 'team'?
// SAID-DAG: hint_team.c:[[#@LINE+12]]:25: warning: '#pragma place' asks for teams of 64 threads and of 128 threads; the latter counts
// SAID-DAG: hint_team.c:[[#@LINE+12]]:1: warning: '#pragma place' asks for teams of 128 threads and of as many threads as the program asks for (keep(threads)); the latter counts
// SAID-DAG: hint_team.c:[[#@LINE+12]]:1: warning: '#pragma place' asks for teams of as many threads as the program asks for (keep(threads)) and of 512 threads; the latter counts
void wrong(int n, const float *a, float *o) {
#pragma place team(100)
#pragma place team(1025)
#pragma place team(0)
#pragma place team(n)
#pragma place team()
#pragma place team(6x)
#pragma place team
#pragma place tean(32)
#pragma place team(64)  team(128)
#pragma place keep(threads)
#pragma place team(512)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
// INPLACE: #pragma place team(256) ignored: its versions would have to be optimised alone (no-isolate)
