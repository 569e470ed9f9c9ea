/* Rank correlation and regret. */
#include "score.h"

#include <math.h>

/* Rank of value i, from 1; ties share the mean of theirs. */
static double rank_of(const double *values, size_t count, size_t i) {
  double below = 0, same = 0;
  for (size_t k = 0; k < count; k++) {
    below += values[k] < values[i];
    same += values[k] == values[i];
  }
  return below + (same + 1) / 2;
}

double score_spearman(const double *a, const double *b, size_t count) {
  double middle = ((double)count + 1) / 2, ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < count; i++) {
    double x = rank_of(a, count, i) - middle, y = rank_of(b, count, i) - middle;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

double score_regret(const double *predicted, const double *measured, size_t count) {
  double least = INFINITY, best = INFINITY, sum = 0, n = 0;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, predicted[i]);
    best = fmin(best, measured[i]);
  }
  for (size_t i = 0; i < count; i++)
    if (predicted[i] == least) sum += measured[i], n++;
  return n > 0 && best > 0 ? sum / n / best - 1 : NAN;
}

void score_tie(double *values, size_t count, double fraction) {
  for (double least = -INFINITY, next; ; least = next) {
    next = INFINITY;
    for (size_t i = 0; i < count; i++)
      if (values[i] > least) next = fmin(next, values[i]);
    if (!isfinite(next)) return;
    for (size_t i = 0; i < count; i++)
      if (values[i] > next && values[i] <= next * (1 + fraction)) values[i] = next;
  }
}
