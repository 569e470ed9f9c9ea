// Loops that the source keeps to one team, or to one thread of each, over the whole grid; where a program knows that iterations follow each
// other, they do.
// RUN: %simt_cc -O3 -fsimt-check -fplugin=%plugin %s -o %t
// RUN: env SIMT_TRACE=1 PLACE_FORCE='*:version=strided1' %t 2>&1 | %FileCheck --check-prefixes=BOTH,SPREAD %s
// RUN: env PLACE=off %t 2>&1 | %FileCheck %s --check-prefix=BOTH
// REQUIRES: plugin, runtime
// SPREAD-DAG: one_team{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: backwards{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: in_two_lines{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: each_team ({{.*}}) runs its original kernel: each of its teams carries out all iterations
// SPREAD-DAG: rows{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: lanes{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: cells{{.*}}_spread: {{.*}} teams of 128 threads
// SPREAD-DAG: chain ({{.*}}) runs its original kernel: the program asks for one team, whose iterations follow each other
// SPREAD-DAG: alone ({{.*}}) runs its original kernel: launched with 1 threads a team, made for at least 2
// BOTH: {{^}}0 wrong
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void expect(int right) { wrong += !right; }

static void one_team(int *a, const int *b, int n) {
#pragma omp target parallel for map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i];
}

static void backwards(int *a, const int *b, long n) {
#pragma omp target parallel for simd schedule(static) map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (long i = n - 1; i >= 0; i -= 3)
    a[i] += b[i];
}

static void in_two_lines(int *a, const int *b, unsigned n) {
#pragma omp target parallel map(tofrom : a[0 : n]) map(to : b[0 : n])
#pragma omp for
  for (unsigned i = 0; i < n; i++)
    a[i] -= b[i];
}

static void behind(int *a, const int *b, int n) {
#pragma omp target map(tofrom : a[0 : n]) map(to : b[0 : n])
  {
    int last = n - 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] += b[i] + b[last - i] - last;
  }
}

static void rows(int *a, const int *b, int n, int m) {
#pragma omp target teams distribute map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n / m; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += b[i * m + j];
}

static void lanes(int *a, const int *b, int n) {
#pragma omp target teams distribute simd map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

static void cells(int *cell, const int *b, int n, int m) {
#pragma omp target parallel for collapse(2) map(tofrom : cell[0 : 7]) map(to : b[0 : n])
  for (int i = 0; i < n / m; i++)
    for (int j = 0; j < m; j++)
#pragma omp atomic
      cell[b[i * m + j] % 7]++;
}

static void each_team(int *cell, int n) {
#pragma omp target teams num_teams(3) map(tofrom : cell[0 : 7])
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic
    cell[i % 7]++;
}

static void chain(int *a, int n) {
#pragma omp target teams distribute num_teams(1) map(tofrom : a[0 : n])
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
}

static void alone(int *a, int n) {
#pragma omp target parallel for num_threads(1) map(tofrom : a[0 : n])
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 2;
}

static void all(int n, int m) {
  int *a = malloc(sizeof *a * (unsigned)n), *b = malloc(sizeof *b * (unsigned)n), cell[7] = {0}, sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = -1, b[i] = i;
  one_team(a, b, n);
  backwards(a, b, n);
  in_two_lines(a, b, (unsigned)n);
  behind(a, b, n);
  rows(a, b, n, m);
  lanes(a, b, n);
  for (int i = 0; i < n; i++)
    expect(a[i] == 2 * i + ((n - 1 - i) % 3 ? 0 : i) + (i < n / m * m ? i : 0));
  cells(cell, b, n, m);
  for (int c = 0; c < 7; c++)
    sum += cell[c];
  expect(sum == n / m * m);
  for (int c = 0; c < 7; c++)
    cell[c] = 0;
  each_team(cell, n);
  for (int c = 0; c < 7; c++)
    expect(cell[c] == 3 * ((n - c + 6) / 7));
  chain(a, n);
  for (int i = 1; i < n; i++)
    expect(a[i] == a[0] + i);
  alone(a, n);
  for (int i = 1; i < n; i++)
    expect(a[i] == a[0] + 2 * i);
  free(a);
  free(b);
}

int main(void) {
  all(1, 1);
  all(30, 7);
  all(300000, 60); // several iterations a thread
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
