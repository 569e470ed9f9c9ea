/* Constructs that map a pointer and what it points to, where the kernel knows the pointer by name: such launches bring more
 * arguments than the kernel has. */
// RUN: %check_program %s %t
#include "check.h"

#pragma omp declare target
int *table, *counts;
#pragma omp end declare target

enum { COUNT = 1000 };

static void scale(int n, const int *a, int *b) {
#pragma omp target teams distribute parallel for map(table, table[:n]) map(to : a[:n]) map(from : b[:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i] * table[n - 1 - i];
}

/* No argument but the bound. */
static void count(int n) {
#pragma omp target teams distribute parallel for map(counts, counts[:n])
  for (int i = 0; i < n; i++)
    counts[i] += i;
}

/* None at all. */
static void fixed(void) {
#pragma omp target teams distribute parallel for map(counts, counts[:COUNT])
  for (int i = 0; i < COUNT; i++)
    counts[i] += 1;
}

static void both(int n, int *b) {
#pragma omp target teams distribute parallel for map(table, table[:n]) map(tofrom : b[:n]) map(counts, counts[:n])
  for (int i = 0; i < n; i++)
    b[i] += table[i] + counts[i];
}

int main(void) {
  static int a[COUNT], b[COUNT], want[COUNT];
  table = malloc(sizeof *table * COUNT);
  counts = calloc(COUNT, sizeof *counts);
  for (int i = 0; i < COUNT; i++)
    a[i] = value(i, 1), table[i] = value(i, 2);
  for (int r = 0, count_so_far = 0; r < rounds(); r++) {
    int n = COUNT - r % 3;
    scale(n, a, b);
    count(COUNT);
    fixed();
    count_so_far++;
    both(n, b);
    for (int i = 0; i < n; i++)
      want[i] = a[i] * table[n - 1 - i] + table[i] + count_so_far * (i + 1);
    expect_bytes("sums", b, want, sizeof *b * (size_t)n);
  }
  return check_done("surplus");
}
