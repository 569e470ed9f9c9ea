/* Addresses that come from memory: index arrays, indices of indices, pointers loaded from mapped structures, linked cells. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1300, ROWS = 260, CELLS = 64 };

static int index_of[N], order[N], table[N], out[N], want[N];

struct holder {
  int count;
  int *data;
  const int *scale;
};

static void indices(int r) {
#pragma omp target teams distribute parallel for map(to : index_of, order, table) map(from : out)
  for (int i = 0; i < N; i++)
    out[i] = table[index_of[i]] + table[index_of[order[i]]] * 2 + table[r];
  for (int i = 0; i < N; i++)
    want[i] = table[index_of[i]] + table[index_of[order[i]]] * 2 + table[r];
  expect_bytes("indices", out, want, sizeof out);
}

static void rows(void) {
  static int start[ROWS + 1];
  for (int i = 0; i <= ROWS; i++)
    start[i] = i * 5;
#pragma omp target teams distribute parallel for map(to : start, index_of, table) map(tofrom : out)
  for (int i = 0; i < ROWS; i++) {
    int sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += table[index_of[k]] * k;
    out[i] = sum;
  }
  for (int i = 0; i < ROWS; i++) {
    want[i] = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      want[i] += table[index_of[k]] * k;
  }
  expect_bytes("rows", out, want, sizeof out);
}

static void loaded_pointers(int r) {
  int data[CELLS], scale[CELLS];
  struct holder h = {CELLS, data, scale};
  for (int i = 0; i < CELLS; i++)
    data[i] = value(i, r), scale[i] = value(i, r + 1);
#pragma omp target teams distribute parallel for map(to : h, h.data[0 : CELLS], h.scale[0 : CELLS]) map(tofrom : out)
  for (int i = 0; i < N; i++)
    out[i] = h.data[i % h.count] * h.scale[(i / 2) % h.count];
  for (int i = 0; i < N; i++)
    want[i] = data[i % CELLS] * scale[(i / 2) % CELLS];
  expect_bytes("loaded pointers", out, want, sizeof out);
}

static void chains(void) {
  static int next[CELLS];
  for (int i = 0; i < CELLS; i++)
    next[i] = (i * 13 + 5) % CELLS;
#pragma omp target teams distribute parallel for map(to : next, table) map(tofrom : out)
  for (int i = 0; i < N; i++) {
    int at = i % CELLS, sum = 0;
    for (int step = 0; step < 10; step++) {
      sum += table[at];
      at = next[at];
    }
    out[i] = sum;
  }
  for (int i = 0; i < N; i++) {
    int at = i % CELLS;
    want[i] = 0;
    for (int step = 0; step < 10; step++, at = next[at])
      want[i] += table[at];
  }
  expect_bytes("chains", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++) {
      index_of[i] = (i * 37 + r) % N;
      order[i] = N - 1 - i;
      table[i] = value(i, r);
    }
    indices(r);
    rows();
    loaded_pointers(r);
    chains();
  }
  return check_done("indirect");
}
