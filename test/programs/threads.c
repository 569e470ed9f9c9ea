/* Two host threads that launch one region at the same time, each with arrays of its own, and with one table in common. */
// RUN: %check_program %s %t
#include <pthread.h>

#include "check.h"

enum { THREADS = 2, N = 800, TABLE = 32 };

struct work {
  int own[TABLE], out[N], want[N];
  int seed, wrong;
};
static struct work work[THREADS];
static int common[TABLE];
static pthread_barrier_t together;

static void region(const int *own, const int *shared, int *out) {
#pragma omp target teams distribute parallel for map(to : own[0 : TABLE]) map(from : out[0 : N])
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (int j = 0; j < TABLE; j++)
      sum += own[j] * shared[j];
    out[i] = sum + own[i % TABLE];
  }
}

static void *worker(void *argument) {
  struct work *w = argument;
  for (int r = 0; r < rounds() * 4; r++) {
    for (int i = 0; i < TABLE; i++)
      w->own[i] = value(i, w->seed + r);
    memset(w->out, 0, sizeof w->out);
    pthread_barrier_wait(&together);
    region(w->own, common, w->out);
    for (int i = 0; i < N; i++) {
      w->want[i] = w->own[i % TABLE];
      for (int j = 0; j < TABLE; j++)
        w->want[i] += w->own[j] * common[j];
    }
    w->wrong += memcmp(w->out, w->want, sizeof w->out) != 0;
  }
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  for (int i = 0; i < TABLE; i++)
    common[i] = value(i, 3);
  pthread_barrier_init(&together, NULL, THREADS);
#pragma omp target enter data map(to : common)
  for (int t = 0; t < THREADS; t++) {
    work[t].seed = 1000 * t;
    pthread_create(&thread[t], NULL, worker, &work[t]);
  }
  for (int t = 0; t < THREADS; t++) {
    pthread_join(thread[t], NULL);
    expect_long("wrong rounds of a thread", work[t].wrong, 0);
    expect_bytes("last round", work[t].out, work[t].want, sizeof work[t].out);
  }
#pragma omp target exit data map(release : common)
  return check_done("threads");
}
