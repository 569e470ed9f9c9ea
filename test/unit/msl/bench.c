/* How long parsing and checking takes, and evaluating a condition: medians. Status 1 if a machine file takes 1 ms. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "place/machine.h"

enum { RUNS = 201, ACCESSES = 1000 };

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, RUNS, sizeof *values, ascending);
  return values[RUNS / 2];
}

static double time_read(const char *text, size_t len) {
  double us[RUNS];
  for (unsigned i = 0; i < RUNS; i++) {
    double start = now_us();
    struct place_machine *machine = msl_read(text, len, "bench", NULL);
    us[i] = now_us() - start;
    if (!machine)
      exit(2);
    msl_free(machine);
  }
  return median(us);
}

static double time_condition(const struct place_memory *memory, uint64_t stride, unsigned *sum) {
  double us[RUNS];
  uint64_t addresses[32];
  for (unsigned i = 0; i < RUNS; i++) {
    double start = now_us();
    for (unsigned k = 0; k < ACCESSES; k++) {
      for (unsigned lane = 0; lane < 32; lane++)
        addresses[lane] = k * 4 + lane * stride;
      *sum += msl_transactions(memory, addresses, 32);
    }
    us[i] = now_us() - start;
  }
  return median(us) * 1e3 / ACCESSES;
}

int main(int argc, char **argv) {
  char text[1 << 16];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  size_t len = fread(text, 1, sizeof text, file);
  fclose(file);
  double us = time_read(text, len);
  printf("read and check %s: %.1f us\n", argv[1], us);
  struct place_machine *machine = msl_read(text, len, "bench", NULL);
  unsigned sum = 0;
  for (unsigned i = 0; machine && i < machine->memory_count; i++)
    if (machine->memories[i].serial)
      printf("%-12s %6.1f ns a warp access (consecutive), %6.1f ns (stride 132)\n", machine->memories[i].name,
             time_condition(&machine->memories[i], 4, &sum), time_condition(&machine->memories[i], 132, &sum));
  msl_free(machine);
  return us < 1000 ? 0 : 1;
}
