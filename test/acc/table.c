// Queues use the same entries of libomptarget's table. LLVM 19 would unlock them once too often in updates of the host and where
// members are attached, which ends a program when it meets another thread there: no thread unlocks a mutex that it has not locked.
// RUN: %acc_run %s %t
// RUN: %if simt %{ %simt_cc -O2 -fplugin=%plugin -I%S/Inputs %s -o %t.simt && env PLACE_STORE=off %t.simt %}
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openacc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "check.h"

enum { QUEUES = 8, N = 64, TIMES = 20 };

/* ---- the libraries' locks, which come by here ---- */

enum { MAX_HELD = 64 };
static _Thread_local pthread_mutex_t *held[MAX_HELD];
static atomic_int locked, not_held;

typedef int (*mutex_call)(pthread_mutex_t *);
static mutex_call next(const char *name) { return (mutex_call)dlsym(RTLD_NEXT, name); }

static pthread_mutex_t **place_of(const pthread_mutex_t *mutex) {
  int i = 0;
  while (i < MAX_HELD && held[i] != mutex)
    i++;
  return i < MAX_HELD ? &held[i] : NULL;
}

static int taken(int failed, pthread_mutex_t *mutex) {
  pthread_mutex_t **place = failed ? NULL : place_of(NULL);
  if (place)
    *place = mutex, locked++;
  return failed;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static mutex_call _Atomic found;
  if (!found)
    found = next("pthread_mutex_lock");
  return taken(found(mutex), mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  static mutex_call _Atomic found;
  if (!found)
    found = next("pthread_mutex_trylock");
  return taken(found(mutex), mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  static mutex_call _Atomic found;
  pthread_mutex_t **place = place_of(mutex);
  if (place)
    *place = NULL;
  else
    not_held++;
  if (!found)
    found = next("pthread_mutex_unlock");
  return found(mutex);
}

/* ---- updates ---- */

static void same_array(void) {
  static int a[QUEUES][N];
#pragma acc enter data create(a)
  for (int t = 1; t <= TIMES; t++)
    for (int q = 0; q < QUEUES; q++) {
#pragma acc parallel loop present(a) async(q)
      for (int i = 0; i < N; i++)
        a[q][i] = t + q + i;
#pragma acc update self(a[q:1][0:N]) async(q)
    }
#pragma acc wait
  for (int q = 0; q < QUEUES; q++)
    CHECK(a[q][0] == TIMES + q && a[q][N - 1] == TIMES + q + N - 1);
#pragma acc exit data delete (a)
  CHECK(!acc_is_present(a, sizeof a));
}

// Neither mapped nor changed by an update, nor kept when its data environment ends.
static void absent(void) {
  int a[N] = {1}, b[N] = {1};
#pragma acc enter data create(b[0:N / 2]) async(1)
#pragma acc wait(1)
#pragma acc update self(a) if_present async(1)
#pragma acc update self(b) if_present async(1)
#pragma acc wait(1)
  CHECK(a[0] == 1 && !acc_is_present(a, 1) && acc_is_present(b, 1) && !acc_is_present(b, sizeof b));
#pragma acc update self(b[0:0]) if_present
#pragma acc exit data delete (b[0:N / 2]) async(1)
#pragma acc wait(1)
  CHECK(!acc_is_present(b, 1));
}

// Pointers in what comes back are the host's.
static void pointers(void) {
  struct { int count, *values; } s = {N, malloc(N * sizeof(int))};
  int *values = s.values, single = 0;
#pragma acc enter data copyin(s) create(s.values[0:N], single)
#pragma acc parallel loop present(s, single) async(2)
  for (int i = 0; i < N; i++) {
    s.values[i] = s.count + i;
    if (!i)
      single = 5;
  }
#pragma acc parallel present(s) num_gangs(1) async(2)
  s.count = 7;
#pragma acc update self(s, single) async(2)
#pragma acc update self(s.values[0:N]) async(2)
#pragma acc wait(2)
  CHECK(s.count == 7 && s.values == values && values[N - 1] == 2 * N - 1 && single == 5);
#pragma acc exit data delete (s.values[0:N], s, single)
  free(values);
}

// Each queue maps what another member of one structure points to.
static void members(void) {
  static struct { int *spare[8], *a, *b, *c; } s;
  s.a = calloc(N, sizeof(int)), s.b = calloc(N, sizeof(int)), s.c = calloc(N, sizeof(int));
#pragma acc enter data copyin(s)
  for (int t = 0; t < TIMES; t++) {
#pragma acc parallel loop copy(s.a[0:N]) async(1)
    for (int i = 0; i < N; i++)
      s.a[i] += i;
#pragma acc parallel loop copy(s.b[0:N]) async(2)
    for (int i = 0; i < N; i++)
      s.b[i] += 2 * i;
#pragma acc data copy(s.c[0:N]) async(3)
    {
#pragma acc parallel loop async(3)
      for (int i = 0; i < N; i++)
        s.c[i] += 3 * i;
    }
  }
#pragma acc wait
  for (int i = 0; i < N; i++)
    CHECK(s.a[i] == TIMES * i && s.b[i] == 2 * TIMES * i && s.c[i] == 3 * TIMES * i);
  CHECK(!acc_is_present(s.a, 1) && !acc_is_present(s.b, 1) && !acc_is_present(s.c, 1));
#pragma acc exit data delete (s)
  free(s.a), free(s.b), free(s.c);
}

int main(void) {
  same_array();
  absent();
  pointers();
  members();
  CHECK(locked > QUEUES * TIMES && !not_held);
  return RESULT();
}
