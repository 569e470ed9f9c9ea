// A reduction whose iterations also update arrays: several of them are carried out together, and their indices go along with the counter. So
// many iterations that each thread has some, and ends with fewer than are carried out together.
// RUN: %simt_cc -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -Wno-pass-failed %s -o %t 2> %t.table
// RUN: %FileCheck --check-prefix=TABLE %s < %t.table
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=strided' %t | %FileCheck %s
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=strided2' %t | %FileCheck %s
// RUN: env PLACE_STORE=off PLACE_FORCE='*:version=strided3' %t | %FileCheck %s
// REQUIRES: simt, plugin, runtime
// TABLE: loop=strided {{.*}}needs={{.*}}apart
// TABLE: loop=strided {{.*}}needs={{.*}}apart
// TABLE: loop=strided {{.*}}needs={{.*}}apart
// CHECK: PASS updated_sums
#include <stdio.h>
#include <stdlib.h>
enum { ROWS = 1103, COLUMNS = 1301, HALO = 2, ALL = ROWS * COLUMNS, MEMBERS = 3 };

int main(void) {
  int failures = 0;
  int *u = malloc(sizeof(int[ALL])), *r = malloc(sizeof(int[ALL])), *p = malloc(sizeof(int[ALL])), *next = malloc(sizeof(int[ALL]));
  for (int round = 0; round < 3; round++) {
    int rows = ROWS - round, columns = COLUMNS - 7 * round;
    long sum = 0, want = 0, members = 0, in_all = 0;
    for (int i = 0; i < ALL; i++) u[i] = i % 101, r[i] = i % 89, p[i] = i % 7, next[i] = (i * 7 + 3) % ALL;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum) map(tofrom : u[ : ALL], r[ : ALL]) map(to : p[ : ALL])
    for (int j = HALO; j < rows - HALO; j++)
      for (int k = HALO; k < columns - HALO; k++) {
        int at = j * columns + k;
        u[at] += 3 * p[at];
        r[at] -= p[at - columns] + p[at + 1];
        sum += (long)r[at] * u[at];
      }
    for (int j = 0; j < ROWS; j++)
      for (int k = 0; k < COLUMNS; k++) {
        int at = j * columns + k, inside = j >= HALO && j < rows - HALO && k >= HALO && k < columns - HALO;
        if (j >= rows || k >= columns) continue;
        int wanted_u = at % 101 + (inside ? 3 * (at % 7) : 0);
        int wanted_r = at % 89 - (inside ? (at - columns) % 7 + (at + 1) % 7 : 0);
        failures += u[at] != wanted_u || r[at] != wanted_r;
        want += inside ? (long)wanted_r * wanted_u : 0;
      }
    failures += sum != want;
    // An element that the iteration has just written, by another index.
#pragma omp target teams distribute parallel for reduction(+ : members) reduction(max : in_all) map(tofrom : u[ : ALL], r[ : ALL]) map(to : next[ : ALL])
    for (int i = 0; i < ALL / MEMBERS; i++) {
      int of = MEMBERS * i + next[i] % MEMBERS;
      u[of] = i;
      r[MEMBERS * i] = u[MEMBERS * i + next[i] % MEMBERS] + u[MEMBERS * i + 1];
      members += r[MEMBERS * i];
      in_all = r[MEMBERS * i] > in_all ? r[MEMBERS * i] : in_all;
    }
    long wanted = 0, most = 0;
    for (int i = 0; i < ALL / MEMBERS; i++) {
      failures += u[MEMBERS * i + next[i] % MEMBERS] != i || r[MEMBERS * i] != i + u[MEMBERS * i + 1];
      wanted += i + u[MEMBERS * i + 1];
      most = i + u[MEMBERS * i + 1] > most ? i + u[MEMBERS * i + 1] : most;
    }
    failures += members != wanted || in_all != most;
    // The program's own divisions of its counter, by numbers of either sign and by more than the counter reaches.
    const int divisors[] = {7, -9, ALL + 5};
    int by = divisors[round];
    unsigned great = round ? 4000000000u : 11;
    long digits = 0, digits_wanted = 0;
#pragma omp target teams distribute parallel for reduction(+ : digits) map(tofrom : u[ : ALL])
    for (int i = 0; i < ALL; i++) {
      u[i] = i / by + i % by;
      digits += 3 * (i / by) - i % by + (long)((unsigned)i / great) + (unsigned)i % great;
    }
    for (int i = 0; i < ALL; i++) {
      failures += u[i] != i / by + i % by;
      digits_wanted += 3 * (i / by) - i % by + (long)((unsigned)i / great) + (unsigned)i % great;
    }
    failures += digits != digits_wanted;
  }
  printf("%s updated_sums %016x\n", failures ? "FAIL" : "PASS", failures);
  return failures != 0;
}
