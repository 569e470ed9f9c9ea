/* Paper 000, Procedure 1. One deviation: an array enters constant memory only if that does not raise the cost of the plan
 * so far; the paper fills it until full, and a constant cache outgrown is ten times slower on recent GPUs.
 *
 * Its choices are then improved by local search, which the paper does not do: single arrays are moved, and pairs exchange
 * their spaces once (SWAP_ARRAYS or fewer), as long as that lowers the cost and for MAX_ROUNDS rounds at most. It begins with
 * the better of Procedure 1's plan and of what moving single arrays makes of everything in space 0, since a plan that
 * stages too much is left only by moving several arrays at once. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "solve_move.h"

enum { MAX_ROUNDS = 3, SWAP_ARRAYS = 24 };

/* What caches cost the array in a space, with no other array of the problem there. */
static double share_cost(const struct solve_problem *problem, unsigned array, unsigned space, const double *path_scale) {
  double sum = 0;
  for (unsigned g = 0; g < problem->shares; g++) {
    const struct solve_share *share = &problem->share[g];
    if (!share->class_count || !(share->spaces >> space & 1)) continue;
    const double *ns = solve_share_ns(problem, share, solve_share_class(share, share->fixed + 1), array, space);
    for (int k = 0; k < 2; k++) sum += ns[k] * (path_scale ? path_scale[share->path[space][k]] : 1);
  }
  return sum;
}

/* An array's own cost in a space, alone there: the sum over its paths. */
static double own_cost(const struct solve_problem *problem, unsigned array, unsigned space) {
  double sum = 0, scale = 1, added = 0;
  const double *path_scale = NULL;
  const struct solve_space *s = &problem->space[space];
  if (s->class_count) {
    int c = solve_class_of(s, problem->bytes[array][space]);
    if (c < 0) return INFINITY;
    scale = s->classes[c].scale[space];
    path_scale = s->classes[c].path_scale;
    added = s->classes[c].fixed_ns + s->classes[c].ns_per_byte * (double)problem->bytes[array][space];
  }
  for (unsigned p = 0; p < problem->paths; p++) sum += problem->cost_ns[array][space][p] * (path_scale ? path_scale[p] : 1);
  return scale * (sum + share_cost(problem, array, space, path_scale)) + added;
}

/* What the array gains in that space against space 0, where it costs `own`: the paper's delta. */
static double gain(const struct solve_problem *problem, unsigned array, unsigned space, double own) {
  return problem->allowed[array] & PLACE_SPACE_BIT(space) ? own - own_cost(problem, array, space) : -INFINITY;
}

static double potential(const struct solve_problem *problem, unsigned array) {
  double most = -INFINITY, own = own_cost(problem, array, 0);
  for (unsigned s = 1; s < problem->spaces; s++)
    if ((int)s != problem->constant_space) most = fmax(most, gain(problem, array, s, own));
  return most;
}

/* The array of greatest key among those not done; -1: none has a key above -INFINITY. */
static int pick(const struct solve_problem *problem, const double *key, const uint8_t *done) {
  int best = -1;
  for (unsigned a = 0; a < problem->arrays; a++)
    if (!done[a] && key[a] > -INFINITY && (best < 0 || key[a] > key[best])) best = (int)a;
  return best;
}

/* Procedure 1's plan so far. */
struct progress {
  uint8_t *space;
  double cost_ns;
  struct move_sums sums;
};

static void fill_constant(const struct solve_problem *problem, struct progress *p, uint8_t *placed) {
  double key[SOLVE_MAX_ARRAYS];
  uint8_t seen[SOLVE_MAX_ARRAYS] = {0}, constant = (uint8_t)problem->constant_space;
  for (unsigned a = 0; a < problem->arrays; a++) key[a] = gain(problem, a, constant, own_cost(problem, a, 0));
  for (int a; (a = pick(problem, key, seen)) >= 0 && key[a] > 0;) {
    seen[a] = 1;
    if (move_least(&p->sums, &(struct move){(unsigned)a, constant}, 1) > p->cost_ns) continue;
    p->space[a] = constant;
    double cost = solve_cost(problem, p->space);
    placed[a] = cost <= p->cost_ns;
    if (placed[a]) p->cost_ns = cost, move_from(&p->sums, problem, p->space);
    else p->space[a] = 0;
  }
}

/* The array is in space 0. */
static void place_best(const struct solve_problem *problem, unsigned array, struct progress *p) {
  uint8_t best = 0;
  for (unsigned s = 1; s < problem->spaces; s++) {
    if (!(problem->allowed[array] & PLACE_SPACE_BIT(s))) continue;
    if (move_least(&p->sums, &(struct move){array, (uint8_t)s}, 1) >= p->cost_ns) continue;
    p->space[array] = (uint8_t)s;
    double cost = solve_cost(problem, p->space);
    if (cost < p->cost_ns) p->cost_ns = cost, best = (uint8_t)s;
  }
  p->space[array] = best;
  if (best) move_from(&p->sums, problem, p->space);
}

int solve_procedure1(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag) {
  double key[SOLVE_MAX_ARRAYS];
  uint8_t placed[SOLVE_MAX_ARRAYS] = {0};
  struct progress p;
  p.space = memset(result->space, 0, sizeof result->space);
  p.cost_ns = solve_cost(problem, result->space);
  move_from(&p.sums, problem, result->space);
  if (problem->constant_space >= 0) fill_constant(problem, &p, placed);
  for (unsigned a = 0; a < problem->arrays; a++) key[a] = potential(problem, a);
  for (int a; (a = pick(problem, key, placed)) >= 0;) {
    place_best(problem, (unsigned)a, &p);
    placed[a] = 1;
  }
  result->cost_ns = p.cost_ns;
  result->unproven = false;
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}

/* ---- local search ---- */

/* Each array in turn, up to `*last`, the one that moved last in a pass before (after it, nothing has changed since that pass
 * looked there); in *last the one that moves last now. */
static int move_arrays(const struct solve_problem *problem, struct solve_result *r, unsigned *last) {
  unsigned end = *last;
  int moved = 0;
  struct move_sums sums;
  move_from(&sums, problem, r->space);
  for (unsigned a = 0; a < problem->arrays && (moved || a <= end); a++) {
    uint8_t before = r->space[a], best = before;
    for (unsigned s = 0; s < problem->spaces; s++) {
      if (s == before || !(problem->allowed[a] & PLACE_SPACE_BIT(s))) continue;
      if (move_least(&sums, &(struct move){a, (uint8_t)s}, 1) >= r->cost_ns) continue;
      r->space[a] = (uint8_t)s;
      double cost = solve_cost(problem, r->space);
      if (cost < r->cost_ns) r->cost_ns = cost, best = (uint8_t)s;
    }
    r->space[a] = best;
    if (best == before) continue;
    moved = 1, *last = a;
    move_from(&sums, problem, r->space);
  }
  return moved;
}

static void exchange(uint8_t *space, unsigned a, unsigned b) {
  uint8_t t = space[a];
  space[a] = space[b];
  space[b] = t;
}

static int swap_arrays(const struct solve_problem *problem, struct solve_result *r) {
  int moved = 0;
  struct move_sums sums;
  move_from(&sums, problem, r->space);
  for (unsigned a = 0; a < problem->arrays && problem->arrays <= SWAP_ARRAYS; a++)
    for (unsigned b = 0; b < a; b++) {
      bool fits = problem->allowed[a] >> r->space[b] & problem->allowed[b] >> r->space[a] & 1;
      if (!fits || r->space[a] == r->space[b]) continue;
      if (move_least(&sums, (struct move[]){{a, r->space[b]}, {b, r->space[a]}}, 2) >= r->cost_ns) continue;
      exchange(r->space, a, b);
      double cost = solve_cost(problem, r->space);
      if (cost < r->cost_ns) r->cost_ns = cost, moved = 1, move_from(&sums, problem, r->space);
      else exchange(r->space, a, b);
    }
  return moved;
}

static void improve(const struct solve_problem *problem, struct solve_result *r) {
  unsigned last = problem->arrays;
  for (int round = 0, swapped = 0; round < MAX_ROUNDS; round++) {
    if (move_arrays(problem, r, &last)) continue;
    if (swapped++ || !swap_arrays(problem, r)) break;
    last = problem->arrays;
  }
}

/* From everything in space 0: each array in turn where it lowers the cost most. */
static void from_global(const struct solve_problem *problem, struct solve_result *r) {
  memset(r->space, 0, sizeof r->space);
  r->cost_ns = solve_cost(problem, r->space);
  unsigned last = problem->arrays;
  if (move_arrays(problem, r, &last) && problem->arrays <= SWAP_ARRAYS / 2) move_arrays(problem, r, &last);
}

int solve_greedy(const struct solve_problem *problem, struct solve_result *result, struct place_diag *diag) {
  struct solve_result other = {.unproven = false};
  if (solve_procedure1(problem, result, NULL)) result->cost_ns = INFINITY;
  from_global(problem, &other);
  if (other.cost_ns < result->cost_ns) *result = other;
  improve(problem, result);
  return isfinite(result->cost_ns) ? 0 : place_diag_set(diag, "no plan is feasible");
}
