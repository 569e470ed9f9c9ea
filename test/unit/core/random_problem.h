/* Random placement problems, for tests and timings of the solvers: classes, shared caches, capacities that bind. */
#ifndef PLACE_TEST_RANDOM_PROBLEM_H
#define PLACE_TEST_RANDOM_PROBLEM_H

#include "support.h"

#include "solve.h"

static inline double random_real(double most) {
  return (double)random_below(1000000) / 1e6 * most;
}

static inline void random_classes(struct solve_problem *p, unsigned s, unsigned mean_bytes) {
  struct solve_space *space = &p->space[s];
  uint64_t bytes = 0;
  space->class_count = 1 + (unsigned)random_below(6);
  for (unsigned c = 0; c < space->class_count; c++) {
    struct solve_class *class = &space->classes[c];
    class->max_bytes = c == 0 && random_below(2) ? 0 : bytes + 1 + random_below(mean_bytes);
    bytes = class->max_bytes;
    for (unsigned other = 0; other < p->spaces; other++) class->scale[other] = random_below(2) ? 1 : 0.5 + random_real(3);
    for (unsigned k = 0; k < p->paths; k++) class->path_scale[k] = random_below(2) ? 1 : 0.5 + random_real(3);
    class->fixed_ns = random_below(2) ? 0 : random_real(50);
    class->ns_per_byte = random_below(2) ? 0 : random_real(0.02);
  }
}

/* A cache used by some of the spaces: the more users, the dearer. */
static inline void random_share(struct solve_problem *p) {
  struct solve_share *share = &p->share[p->shares++];
  share->spaces = 1 + (unsigned)random_below((1u << p->spaces) - 1);
  share->fixed = share->spaces & 1 ? (unsigned)random_below(3) : 0;
  share->class_count = 1 + (unsigned)random_below(p->arrays + 1);
  for (unsigned c = 0; c < share->class_count; c++)
    share->most[c] = (c ? share->most[c - 1] : 0) + 1 + (unsigned)random_below(2);
  for (unsigned s = 0; s < p->spaces; s++)
    for (int k = 0; k < 2; k++) share->path[s][k] = (uint8_t)random_below(p->paths);
  share->ns = calloc((size_t)share->class_count * (p->arrays + 1) * p->spaces * 2, sizeof *share->ns);
  for (unsigned a = 0; a <= p->arrays; a++)
    for (unsigned s = 0; s < p->spaces; s++)
      for (int k = 0; k < 2; k++) {
        double ns = 0;
        for (unsigned c = 0; c < share->class_count; c++) {
          ns += random_below(2) ? random_real(300) : 0;
          if (a < p->arrays || share->fixed) solve_share_ns(p, share, c, a, s)[k] = ns;
        }
      }
}

/* With exactly that many arrays. Release it with solve_problem_free. */
static inline void random_problem_of(struct solve_problem *p, unsigned arrays, unsigned spaces) {
  memset(p, 0, sizeof *p);
  p->arrays = arrays;
  p->spaces = spaces;
  p->paths = 1 + (unsigned)random_below(3);
  p->constant_space = random_below(4) ? 2 : -1;
  p->overlap_loss = random_below(2) ? 0 : random_below(2) ? 0.1 : random_real(1);
  for (unsigned a = 0; a < p->arrays; a++) {
    p->allowed[a] = 1 | (unsigned)random_below(1u << spaces);
    uint64_t bytes = 1 + random_below(4000);
    for (unsigned s = 0; s < spaces; s++) {
      p->bytes[a][s] = bytes;
      for (unsigned k = 0; k < p->paths; k++) p->cost_ns[a][s][k] = random_below(2) ? 0 : random_real(1000);
    }
  }
  for (unsigned k = 0; k < p->paths; k++) p->base_ns[k] = random_below(2) ? 0 : random_real(2000);
  for (unsigned s = 1; s < spaces; s++)
    if (random_below(2)) random_classes(p, s, 4000);
  for (unsigned shares = (unsigned)random_below(3); shares > 0; shares--) random_share(p);
}

static inline void random_problem(struct solve_problem *p, unsigned most_arrays, unsigned spaces) {
  random_problem_of(p, 1 + (unsigned)random_below(most_arrays), spaces);
}

#endif
