#include "budget.h"

/* Ranking took 90 us with one access, 140 with two, 330 with thirty (on the host of an H100). */
double budget_patience(double most_ns, size_t accesses) {
  const double least_share = 0.3, share_of_access = 0.02;
  double share = least_share + share_of_access * (double)accesses;
  return share < 1 ? share * most_ns : most_ns;
}

void budget_ran(struct budget *b, double ns) {
  if (ns > 0) b->ran_ns += ns;
}

void budget_gained(struct budget *b, double ns) {
  if (ns > 0) b->gained_ns += ns;
}

void budget_charge(struct budget *b, double ns) {
  b->spent_ns += ns;
  if (b->spent_ns < 0) b->spent_ns = 0;
  if (b->spent_ns > b->most_spent_ns) b->most_spent_ns = b->spent_ns;
}

double budget_allowed(const struct budget *b) { return b->grant_ns + BUDGET_SHARE * b->ran_ns + BUDGET_SHARE_OF_GAIN * b->gained_ns; }

double budget_left(const struct budget *b) { return budget_allowed(b) - b->spent_ns; }

bool budget_covers(const struct budget *b, double ns) { return ns <= budget_left(b); }
