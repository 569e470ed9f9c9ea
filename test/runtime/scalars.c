/* Launches that differ by a scalar are the same to the runtime where nothing that it decides depends on it: not where only arrays
 * that stay in global memory are reached elsewhere, but where a copy would have to be of another part. */
// RUN: %simt_cc -O2 -fplugin=%plugin %s -o %t
// RUN: env PLACE_STORE=off PLACE_PATIENCE=0 PLACE_REPORT=%t.json %t
// RUN: %python -c "import json; print(*(str(r['line']) + ' ' + str(r['launches_seen_before']) for r in json.load(open('%t.json'))['regions']), sep='\n')" | sort | %FileCheck %s
// REQUIRES: simt, plugin
#include <stdio.h>

enum { NODES = 64, LAUNCHES = 64, PART = 16 };
static unsigned path[NODES * NODES], want[NODES * NODES];
static float table[LAUNCHES * PART], sum[NODES];

static unsigned shorter(const unsigned *p, unsigned x, unsigned y, unsigned k) {
  unsigned way = p[y * NODES + k] + p[k * NODES + x], now = p[y * NODES + x];
  return way < now ? way : now;
}

int main(void) {
  int wrong = 0;
  for (unsigned i = 0; i < NODES * NODES; i++)
    path[i] = want[i] = i * 7919 % 1000;
  for (int i = 0; i < LAUNCHES * PART; i++)
    table[i] = (float)(i % 13);
#pragma omp target data map(tofrom : path) map(to : table) map(from : sum)
  for (unsigned k = 0; k < LAUNCHES; k++) {
#pragma omp target teams distribute parallel for collapse(2)
    for (unsigned y = 0; y < NODES; y++)
      for (unsigned x = 0; x < NODES; x++) {
        unsigned way = path[y * NODES + k] + path[k * NODES + x];
        if (way < path[y * NODES + x])
          path[y * NODES + x] = way;
      }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < NODES; i++) {
      float s = 0;
      for (int j = 0; j < PART; j++)
        s += table[k * PART + j];
      sum[i] = s;
    }
#pragma omp target update from(sum)
    float all = 0;
    for (int j = 0; j < PART; j++)
      all += table[k * PART + j];
    wrong += sum[0] != all || sum[NODES - 1] != all;
  }
  for (unsigned k = 0; k < LAUNCHES; k++)
    for (unsigned y = 0; y < NODES; y++)
      for (unsigned x = 0; x < NODES; x++)
        want[y * NODES + x] = shorter(want, x, y, k);
  for (unsigned i = 0; i < NODES * NODES; i++)
    wrong += path[i] != want[i];
  if (wrong)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
// CHECK: 26 63
// CHECK: 33 0
