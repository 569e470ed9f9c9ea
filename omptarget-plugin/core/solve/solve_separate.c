/* Problems whose arrays do not touch each other. */
#include "solve.h"

static bool is_neutral(const struct solve_class *class, unsigned paths) {
  bool neutral = class->fixed_ns == 0 && class->ns_per_byte == 0;
  for (unsigned s = 0; s < SOLVE_MAX_SPACES; s++) neutral &= class->scale[s] == 1;
  for (unsigned p = 0; p < paths; p++) neutral &= class->path_scale[p] == 1;
  return neutral;
}

static bool is_separate(const struct solve_problem *problem) {
  if (problem->paths != 1) return false;
  for (unsigned g = 0; g < problem->shares; g++)
    if (problem->share[g].class_count) return false;
  for (unsigned s = 0; s < problem->spaces; s++)
    for (unsigned c = 0; c < problem->space[s].class_count; c++)
      if (!is_neutral(&problem->space[s].classes[c], problem->paths)) return false;
  return true;
}

bool solve_separate(const struct solve_problem *problem, struct solve_result *result) {
  uint64_t bytes[SOLVE_MAX_SPACES] = {0};
  if (!is_separate(problem)) return false;
  for (unsigned a = 0; a < problem->arrays; a++) {
    unsigned best = 0;
    for (unsigned s = 1; s < problem->spaces; s++)
      if (problem->allowed[a] >> s & 1 && problem->cost_ns[a][s][0] < problem->cost_ns[a][best][0]) best = s;
    result->space[a] = (uint8_t)best;
    bytes[best] += problem->bytes[a][best];
  }
  for (unsigned s = 0; s < problem->spaces; s++)
    if (problem->space[s].class_count && solve_class_of(&problem->space[s], bytes[s]) < 0) return false;
  result->cost_ns = solve_cost(problem, result->space);
  result->unproven = false;
  return true;
}
