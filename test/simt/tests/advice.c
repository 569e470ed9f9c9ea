// Advice on duplication: an array that all items read and mark, by one name and by two, and one whose elements are each an
// iteration's own. With the copies that are advised, the program is right as before, and nothing is advised any more.
// RUN: mkdir -p %t.d
// RUN: %simt_cc -O3 -gline-tables-only -fplugin=%plugin %s -o %t
// RUN: env PLACE_MACHINE=%place_source/msl/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 %t > %t.d/text 2>&1
// RUN: grep -A9 ^mark_one, %t.d/text | %FileCheck %s --check-prefix=ONE
// RUN: grep -A9 ^mark_two, %t.d/text | %FileCheck %s --check-prefix=TWO
// RUN: %FileCheck %s < %t.d/text
// RUN: env PLACE_MACHINE=%place_source/msl/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=%t.d/report.json %t
// RUN: %python %S/Inputs/advice.py %t.d/report.json
// RUN: %simt_cc -O3 -gline-tables-only -DCOPY -fplugin=%plugin %s -o %t
// RUN: env PLACE_MACHINE=%place_source/msl/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off PLACE_REPORT=1 %t 2>&1 | %FileCheck %s --check-prefix=COPY
// Without a report nothing of it is worked out.
// RUN: env PLACE_MACHINE=%place_source/msl/machines/h200.msl PLACE_PATIENCE=0 PLACE_STORE=off %t 2>&1 | %FileCheck %s --check-prefix=NONE
// REQUIRES: plugin, runtime
// CHECK: wrong: 0
// CHECK: next: a copy of mark may make mark_one (advice.c:[[#]]) faster: see its advice below
// CHECK-COUNT-2: advice: duplicate
// CHECK-NOT: advice:
// ONE: mark_one, advice.c:[[#%u,LINE:]]: 3 launches
// ONE: advice: duplicate mark (read in line [[#LINE+6]], written in line [[#LINE+9]]) before each launch, and read the copy, in shared memory:
// ONE-NEXT: predicted {{[0-9.]+}} us -> {{[0-9.]+}} us a launch ({{1\.[0-9]+}}x faster), {{[0-9.]+}} us of it for making the copy;
// ONE-NEXT: right only where no iteration needs what others of the same launch write
// TWO: mark_two, advice.c:[[#%u,LINE:]]: 3 launches
// TWO-NEXT: as compiled: seen: overlaps an array that the region writes
// TWO: advice: duplicate seen (read in line [[#LINE+6]]) before each launch, and read the copy, in shared memory:
// COPY: wrong: 0
// COPY-NOT: advice:
// NONE: wrong: 0
// NONE-NOT: advice
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 2048, ITEMS = 1 << 18, TRIES = 64 };

static unsigned next(unsigned random) { return random * 1664525 + 1013904223; }

/* Items mark the slots that they come by, all with the same value, as long as they meet none that is marked: a race that does
 * no harm. */
static void mark_one(int *mark, int *met) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < ITEMS; i++) {
    unsigned random = (unsigned)i;
    int marked = 0;
    for (int k = 0; k < TRIES; k++) {
      random = next(random);
      marked += mark[(random >> 8) % SLOTS];
    }
    if (!marked)
      mark[(random >> 8) % SLOTS] = 1;
    met[i] = marked >= 0;
  }
}

static void mark_two(const int *seen, int *mark, int *met) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < ITEMS; i++) {
    unsigned random = (unsigned)i;
    int marked = 0;
    for (int k = 0; k < TRIES; k++) {
      random = next(random);
      marked += seen[(random >> 8) % SLOTS];
    }
    if (!marked)
      mark[(random >> 8) % SLOTS] = 1;
    met[i] = marked >= 0;
  }
}

static void add(const int *slot, int *sum) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < SLOTS; i++)
    sum[i] = sum[i] + slot[i];
}

static void copy(const int *from, int *to) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < SLOTS; i++)
    to[i] = from[i];
}

int main(void) {
  int *slot = malloc(SLOTS * sizeof *slot), *mark = calloc(SLOTS, sizeof *mark), *met = malloc(ITEMS * sizeof *met);
  int *sum = calloc(SLOTS, sizeof *sum), *before = calloc(SLOTS, sizeof *before), wrong = 0;
  for (int i = 0; i < SLOTS; i++)
    slot[i] = i;
#pragma omp target data map(to : slot[0 : SLOTS]) map(tofrom : mark[0 : SLOTS], sum[0 : SLOTS]) \
    map(from : met[0 : ITEMS]) map(alloc : before[0 : SLOTS])
  for (int turn = 0; turn < 3; turn++) {
#ifdef COPY
    copy(mark, before);
    mark_two(before, mark, met);
#else
    mark_one(mark, met);
    mark_two(mark, mark, met);
#endif
    add(slot, sum);
  }
  for (int i = 0; i < SLOTS; i++)
    wrong += sum[i] != 3 * i || mark[i] < 0 || mark[i] > 1;
  for (int i = 0; i < ITEMS; i++)
    wrong += met[i] != 1;
  printf("wrong: %d\n", wrong);
  fflush(stdout);
  return 0;
}
