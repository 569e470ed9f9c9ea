/* How long ranking the plans of a launch takes (place_plan_rank with block estimates, as the runtime calls it once for each
 * size class of a region): median and worst, us of processor time, a line each stored launch; the dearest ones last.
 *   bench_rank MACHINE.msl REPETITIONS CASE...     status 1 if a launch cannot be read or ranked */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place/case.h"

enum { MAX_BYTES = 1 << 22, MAX_PLANS = 64 };

struct timing {
  const char *path;
  double median_us, worst_us;
};

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int by_median(const void *a, const void *b) {
  return ascending(&((const struct timing *)a)->median_us, &((const struct timing *)b)->median_us);
}

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "bench_rank: %s%s\n", what, detail);
  return -1;
}

static int open_case(struct place_case *c, const char *path) {
  struct place_diag diag = {""};
  char *text = malloc(MAX_BYTES);
  FILE *file = fopen(path, "rb");
  size_t length = file && text ? fread(text, 1, MAX_BYTES, file) : 0;
  int rc = length ? place_case_read(text, length, c, &diag) : -1;
  if (file) fclose(file);
  free(text);
  return rc ? fail(*diag.text ? diag.text : "cannot read ", path) : 0;
}

static int rank_once(const struct place_case *c, const struct place_machine *machine, struct place_estimate *estimate) {
  static struct place_plan plans[MAX_PLANS];
  const struct place_question question = place_case_question(c, machine, PLACE_MODEL_PLACE);
  struct place_diag diag = {""};
  struct place_array_summary *summary = malloc((c->region->array_count + 1) * sizeof *summary);
  struct place_ranking ranking = {.plans = plans, .capacity = MAX_PLANS, .summary = summary, .estimate = estimate};
  int count = summary ? place_plan_rank(&question, PLACE_SOLVER_AUTO, &ranking, &diag) : -1;
  free(summary);
  return count < 0 ? fail(diag.text, "") : 0;
}

/* us: [repetitions], for the times of single runs. */
static int time_case(const struct place_machine *machine, const char *path, unsigned repetitions, double *us,
                     struct timing *out) {
  struct place_case c = {.region = NULL};
  if (open_case(&c, path)) return -1;
  struct place_estimate *estimate = malloc((c.region->version_count + 1) * sizeof *estimate);
  int rc = estimate ? rank_once(&c, machine, estimate) : -1; /* once for the caches */
  for (unsigned i = 0; rc == 0 && i < repetitions; i++) {
    double from = now_us();
    rc = rank_once(&c, machine, estimate);
    us[i] = now_us() - from;
  }
  qsort(us, repetitions, sizeof *us, ascending);
  *out = (struct timing){path, us[repetitions / 2], us[repetitions - 1]};
  free(estimate);
  place_case_free(&c);
  return rc;
}

int main(int argc, char **argv) {
  static struct msl_diagnostics why;
  unsigned repetitions = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
  size_t count = argc > 3 ? (size_t)(argc - 3) : 0, done = 0;
  if (!repetitions) return fail("usage: bench_rank MACHINE.msl REPETITIONS CASE...", ""), 2;
  struct place_machine *machine = msl_read_file(argv[1], &why);
  struct timing *timing = malloc(count * sizeof *timing);
  double *us = malloc(repetitions * sizeof *us);
  int rc = machine && timing && us ? 0 : fail("cannot read the machine: ", argv[1]);
  while (rc == 0 && done < count) rc = time_case(machine, argv[3 + done], repetitions, us, &timing[done]), done++;
  if (rc == 0) qsort(timing, count, sizeof *timing, by_median);
  for (size_t i = 0; rc == 0 && i < count; i++)
    printf("median %8.1f us, worst of %u %8.1f us  %s\n", timing[i].median_us, repetitions, timing[i].worst_us, timing[i].path);
  free(us);
  free(timing);
  msl_free(machine);
  return rc ? 1 : 0;
}
