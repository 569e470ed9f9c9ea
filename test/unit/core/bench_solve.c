/* How long the solvers take, on random problems and on problems that look like a model's: medians and worst, us of
 * processor time, of each problem the least of three, so that what else the machine does is not counted.
 *   bench_solve [INSTANCES]     default 1000 of each kind; status 1 if a solver fails */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <time.h>

#include "random_problem.h"

typedef int solver(const struct solve_problem *, struct solve_result *, struct place_diag *);

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What a model makes: 11 classes of constant bytes of rising price, 16 of staged bytes that cost occupancy, one cache that
 * arrays in the first two spaces share, with other costs for every number of users. */
static void model_like_problem(struct solve_problem *p, unsigned arrays, unsigned spaces) {
  memset(p, 0, sizeof *p);
  p->arrays = arrays, p->spaces = spaces, p->paths = 4, p->constant_space = 2, p->overlap_loss = 0.2;
  for (unsigned a = 0; a < arrays; a++) {
    double traffic = 10 + random_real(1000);
    p->allowed[a] = (1u << spaces) - 1;
    uint64_t bytes = UINT64_C(64) << random_below(9);
    for (unsigned s = 0; s < spaces; s++) {
      p->bytes[a][s] = s == 2 || s == 3 ? bytes : 0;
      p->cost_ns[a][s][s == 2 ? 1 : s == 4 ? 3 : 0] = traffic * (0.3 + random_real(1));
      p->cost_ns[a][s][2] = traffic * (0.1 + random_real(0.2));
    }
  }
  p->base_ns[0] = 500;
  p->space[2].class_count = 11, p->space[3].class_count = 16;
  for (unsigned s = 2; s < 4; s++)
    for (unsigned c = 0; c < p->space[s].class_count; c++) {
      struct solve_class *class = &p->space[s].classes[c];
      *class = (struct solve_class){.max_bytes = s == 2 ? UINT64_C(256) << c : c * 3200, .ns_per_byte = s == 3 ? 0.01 : 0};
      for (unsigned k = 0; k < SOLVE_MAX_SPACES; k++) class->scale[k] = s == 2 && k == 2 ? 1 + 2.0 * (double)c : 1;
      for (unsigned k = 0; k < SOLVE_MAX_PATHS; k++) class->path_scale[k] = s == 3 && k == 2 ? 1 + 0.1 * (double)c : 1;
    }
  struct solve_share *share = &p->share[p->shares++];
  share->spaces = 3, share->fixed = 1, share->class_count = arrays + 1;
  for (unsigned s = 0; s < spaces; s++) share->path[s][1] = 2;
  share->ns = calloc((size_t)(arrays + 1) * (arrays + 1) * spaces * 2, sizeof *share->ns);
  for (unsigned c = 0; c <= arrays; c++) {
    share->most[c] = 1 + c;
    for (unsigned a = 0; a < arrays; a++)
      for (unsigned s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++) solve_share_ns(p, share, c, a, s)[k] = p->cost_ns[a][s][0] * (1 - 1.0 / (1.0 + (double)c));
  }
}

static int time_solver(const char *name, solver *solve, bool model_like, unsigned arrays, unsigned spaces, unsigned instances) {
  struct solve_problem *p = malloc(sizeof *p);
  double *us = malloc(instances * sizeof *us);
  struct solve_result r;
  int rc = p && us ? 0 : -1;
  for (unsigned i = 0; rc == 0 && i < instances; i++) {
    if (model_like) model_like_problem(p, arrays, spaces);
    else random_problem_of(p, arrays, spaces);
    us[i] = INFINITY;
    for (int turn = 0; turn < 3; turn++) {
      double from = now_us();
      rc |= solve(p, &r, NULL);
      us[i] = fmin(us[i], now_us() - from);
    }
    solve_problem_free(p);
  }
  if (rc == 0) {
    qsort(us, instances, sizeof *us, ascending);
    printf("%-8s %-10s %2u arrays x %u spaces: median %9.1f us, worst of %u %9.1f us\n", name,
           model_like ? "model-like" : "random", arrays, spaces, us[instances / 2], instances, us[instances - 1]);
  }
  free(us);
  free(p);
  return rc;
}

int main(int argc, char **argv) {
  unsigned instances = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
  int rc = 0;
  for (int model_like = 0; model_like < 2; model_like++) {
    rc |= time_solver("exact", solve_exact, model_like, 8, 5, instances);
    rc |= time_solver("exact", solve_exact, model_like, 16, 5, instances);
    rc |= time_solver("greedy", solve_greedy, model_like, 16, 5, instances);
    rc |= time_solver("greedy", solve_greedy, model_like, 64, 5, instances);
  }
  return rc ? 1 : 0;
}
