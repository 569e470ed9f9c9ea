/* Moves of a plan. Loops go over all paths and spaces that there may be: their number is then known to the compiler. */
#include "solve_move.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9

/* ---- classes ---- */

static void multiply_by(struct move_classes *c, const struct solve_class *class, uint64_t bytes) {
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) c->scale[s] *= class->scale[s];
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) c->path_scale[p] *= class->path_scale[p];
  c->added += class->fixed_ns + class->ns_per_byte * (double)bytes;
}

static void no_classes(struct move_classes *c) {
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) c->scale[s] = 1;
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) c->path_scale[p] = 1;
  c->added = 0;
}

/* The bytes of the spaces after the moves; true if all classes stay. */
static bool move_bytes(const struct move_sums *sums, const struct move *moves, unsigned count, uint64_t *bytes) {
  const struct solve_problem *problem = sums->problem;
  bool stay = sums->fits;
  memcpy(bytes, sums->bytes, sizeof sums->bytes);
  for (unsigned i = 0; i < count; i++) {
    unsigned a = moves[i].array, from = sums->space[a];
    bytes[from] -= problem->bytes[a][from];
    bytes[moves[i].to] += problem->bytes[a][moves[i].to];
  }
  for (unsigned i = 0; i < count; i++) {
    unsigned from = sums->space[moves[i].array], to = moves[i].to;
    stay &= bytes[from] >= sums->least[from] && bytes[from] <= sums->most[from];
    stay &= bytes[to] >= sums->least[to] && bytes[to] <= sums->most[to];
  }
  return stay;
}

/* False if a space is overfull. */
static bool find_classes(const struct move_sums *sums, const uint64_t *bytes, struct move_classes *classes) {
  const struct solve_problem *problem = sums->problem;
  no_classes(classes);
  for (unsigned s = 0; s < problem->spaces; s++) {
    if (!problem->space[s].class_count) continue;
    bool stays = bytes[s] >= sums->least[s] && bytes[s] <= sums->most[s];
    int c = stays ? sums->class[s] : solve_class_of(&problem->space[s], bytes[s]);
    if (c < 0) return false;
    multiply_by(classes, &problem->space[s].classes[c], bytes[s]);
  }
  return true;
}

static void add_scaled(double *to, double scale, const double *ns) {
  for (unsigned p = 0; p < SOLVE_MAX_PATHS; p++) to[p] += scale * ns[p];
}

static void sum_spaces(const struct move_sums *sums, const struct move_classes *classes, double *path) {
  memset(path, 0, SOLVE_MAX_PATHS * sizeof *path);
  for (unsigned s = 0; s < sums->problem->spaces; s++) add_scaled(path, classes->scale[s], sums->path[s]);
}

/* ---- a plan ---- */

static void find_limits(struct move_sums *sums) {
  for (unsigned s = 0; s < sums->problem->spaces; s++) {
    const struct solve_space *space = &sums->problem->space[s];
    int c = sums->class[s] = solve_class_of(space, sums->bytes[s]);
    sums->least[s] = space->class_count && c < 0 ? UINT64_MAX : c > 0 ? space->classes[c - 1].max_bytes + 1 : 0;
    sums->most[s] = space->class_count && c >= 0 ? space->classes[c].max_bytes : UINT64_MAX;
  }
}

void move_from(struct move_sums *sums, const struct solve_problem *problem, const uint8_t *space) {
  sums->problem = problem;
  memset(sums->bytes, 0, sizeof sums->bytes);
  memset(sums->path, 0, problem->spaces * sizeof sums->path[0]);
  memcpy(sums->space, space, problem->arrays);
  memcpy(sums->path[0], problem->base_ns, sizeof sums->path[0]);
  for (unsigned g = 0; g < problem->shares; g++) {
    sums->users[g] = problem->share[g].fixed;
    for (unsigned k = 0; k <= 2 * MOVE_MOST; k++) sums->share[g][k].made = false;
  }
  for (unsigned a = 0; a < problem->arrays; a++) {
    unsigned s = space[a];
    sums->bytes[s] += problem->bytes[a][s];
    add_scaled(sums->path[s], 1, problem->cost_ns[a][s]);
    for (unsigned g = 0; g < problem->shares; g++) sums->users[g] += problem->share[g].spaces >> s & 1;
  }
  find_limits(sums);
  sums->fits = find_classes(sums, sums->bytes, &sums->classes);
  if (sums->fits) sum_spaces(sums, &sums->classes, sums->scaled);
}

/* ---- shared caches ---- */

static const struct move_share *share_with(struct move_sums *sums, unsigned g, int more) {
  const struct solve_problem *problem = sums->problem;
  struct move_share *made = &sums->share[g][more + MOVE_MOST];
  if (made->made) return made;
  unsigned class = solve_share_class(&problem->share[g], sums->users[g] + (unsigned)more);
  const double *row = solve_share_ns(problem, &problem->share[g], class, 0, 0);
  made->made = true;
  made->row = row;
  memset(made->sum, 0, problem->spaces * sizeof made->sum[0]);
  for (unsigned a = 0; a <= problem->arrays; a++, row += 2 * problem->spaces) {
    unsigned s = a < problem->arrays ? sums->space[a] : 0;
    made->sum[s][0] += row[2 * s];
    made->sum[s][1] += row[2 * s + 1];
  }
  return made;
}

static void add_pair(struct move_paths *paths, const uint8_t *path, double scale, const double *ns) {
  for (unsigned k = 0; k < 2; k++) {
    double all = scale * ns[k];
    if (all >= 0) paths->plus[path[k]] += all;
    else paths->minus[path[k]] -= all;
  }
}

static void add_share(struct move_sums *sums, unsigned g, const struct move *moves, unsigned count, const double *scale,
                      struct move_paths *paths) {
  const struct solve_problem *problem = sums->problem;
  const struct solve_share *share = &problem->share[g];
  int more = 0;
  for (unsigned i = 0; i < count; i++)
    more += (int)(share->spaces >> moves[i].to & 1) - (int)(share->spaces >> sums->space[moves[i].array] & 1);
  const struct move_share *with = share_with(sums, g, more);
  for (unsigned s = 0; s < problem->spaces; s++)
    if (share->spaces >> s & 1) add_pair(paths, share->path[s], scale[s], with->sum[s]);
  for (unsigned i = 0; i < count; i++) {
    unsigned from = sums->space[moves[i].array], to = moves[i].to;
    const double *own = with->row + 2 * problem->spaces * moves[i].array;
    if (share->spaces >> from & 1) add_pair(paths, share->path[from], -scale[from], &own[2 * from]);
    if (share->spaces >> to & 1) add_pair(paths, share->path[to], scale[to], &own[2 * to]);
  }
}

/* ---- moves ---- */

static double total_of(const struct solve_problem *problem, const struct move_classes *classes,
                       const struct move_paths *paths) {
  double most = 0, sum = 0, gross = 0;
  for (unsigned p = 0; p < problem->paths; p++) {
    double path = (paths->plus[p] - paths->minus[p]) * classes->path_scale[p];
    if (path > most) most = path;
    sum += path;
    gross += (paths->plus[p] + paths->minus[p]) * classes->path_scale[p];
  }
  return most + problem->overlap_loss * (sum - most) + classes->added - ROUNDING * (gross + classes->added);
}

double move_least(struct move_sums *sums, const struct move *moves, unsigned count) {
  const struct solve_problem *problem = sums->problem;
  uint64_t bytes[SOLVE_MAX_SPACES];
  struct move_classes other, *classes = &sums->classes;
  struct move_paths paths;
  bool stay = move_bytes(sums, moves, count, bytes);
  if (!stay && !find_classes(sums, bytes, classes = &other)) return INFINITY;
  bool scaled = stay || (sums->fits && !memcmp(classes->scale, sums->classes.scale, problem->spaces * sizeof *classes->scale));
  if (scaled) memcpy(paths.plus, sums->scaled, sizeof paths.plus);
  else sum_spaces(sums, classes, paths.plus);
  memset(paths.minus, 0, sizeof paths.minus);
  for (unsigned i = 0; i < count; i++) {
    unsigned a = moves[i].array, from = sums->space[a], to = moves[i].to;
    add_scaled(paths.minus, classes->scale[from], problem->cost_ns[a][from]);
    add_scaled(paths.plus, classes->scale[to], problem->cost_ns[a][to]);
  }
  for (unsigned g = 0; g < problem->shares; g++)
    if (problem->share[g].class_count) add_share(sums, g, moves, count, classes->scale, &paths);
  double least = total_of(problem, classes, &paths);
  for (unsigned s = 0; s < problem->spaces && stay; s++) /* the classes stay, their bytes do not */
    if (bytes[s] != sums->bytes[s] && problem->space[s].class_count)
      least += problem->space[s].classes[sums->class[s]].ns_per_byte * ((double)bytes[s] - (double)sums->bytes[s]);
  return least;
}
