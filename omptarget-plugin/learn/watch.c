#include "watch.h"

#include <math.h>
#include <string.h>

static void note_ahead(struct watch *w, double base_ns, double chosen_ns) {
  bool far = chosen_ns > 0 && base_ns > WATCH_AHEAD * chosen_ns;
  w->ahead = far ? base_ns / chosen_ns : 0;
  w->certain_ns = far ? base_ns / WATCH_AHEAD : 0;
}

bool watch_start(struct watch *w, const struct watch_trial *trial) {
  memset(w, 0, sizeof *w);
  w->period_launches = trial->period_launches ? trial->period_launches : 1;
  w->noise = trial->noise;
  note_ahead(w, trial->base_ns, trial->base_ns - trial->gain_ns);
  double earned = trial->gain_ns > 0 ? WATCH_EARNED * 2 * w->period_launches * trial->measure_ns / trial->gain_ns : INFINITY;
  bool worth = earned <= WATCH_MOST;
  w->least = worth ? (uint64_t)earned : WATCH_MOST;
  w->clear = trial->clear;
  if (w->clear) w->least += WATCH_EARNED * w->period_launches; /* a pair costs what a period gains */
  return worth;
}

static bool is_under_way(const struct watch *w) { return w->period_done[WATCH_BASE] + w->period_done[WATCH_CHOSEN] > 0; }

static uint64_t interval(const struct watch *w) {
  uint64_t periods = w->launches / w->period_launches / WATCH_SHARE, least = WATCH_LEAST;
  if (1u << (w->pairs < 8 ? w->pairs : 8) < WATCH_LEAST) least = 1u << w->pairs;
  uint64_t launches = (periods > least ? periods : least) * w->period_launches;
  if ((w->pairs || w->clear) && launches < w->least) launches = w->least;
  uint64_t rare = (uint64_t)(WATCH_PART * w->ahead * w->period_launches);
  if (launches < rare) launches = rare;
  return launches + (w->pairs * 0x9e3779b97f4a7c15u >> 32) % (launches / 4 + 1); /* in no rhythm that launches could have */
}

bool watch_is_due(const struct watch *w) { return w->urgent || is_under_way(w) || w->waited >= interval(w); }

enum watch_side watch_next(struct watch *w) {
  w->missed = false;
  enum watch_side first = w->pairs % 2 ? WATCH_CHOSEN : WATCH_BASE;
  enum watch_side second = first == WATCH_BASE ? WATCH_CHOSEN : WATCH_BASE;
  return w->period_done[first] < w->period_launches ? first : second;
}

/* What the original took, as a fraction of the base. */
static double original_of(const struct watch *w) { return w->original > 0 ? w->original : 1; }

/* The n-th last ratio, from 0: log(chosen / original). */
static double ratio(const struct watch *w, unsigned n) {
  return w->ratio[(w->pairs - 1 - n) % WATCH_WINDOW] - log(original_of(w));
}

/* The last n ratios: mean, and the standard error of it. */
static double mean_of_last(const struct watch *w, unsigned n, double *error) {
  double sum = 0, squares = 0;
  for (unsigned i = 0; i < n; i++) sum += ratio(w, i);
  double mean = sum / n;
  for (unsigned i = 0; i < n; i++) {
    double d = ratio(w, i) - mean;
    squares += d * d;
  }
  *error = n > 1 ? sqrt(squares / (n - 1) / n) : 0;
  return mean;
}

static double least_of_last(const struct watch *w, unsigned n) {
  double least = INFINITY;
  for (unsigned i = 0; i < n; i++) least = fmin(least, ratio(w, i));
  return least;
}

/* What won so often, or so clearly, that one lost pair may be another program's doing: the next one, which follows at once, tells. */
static bool is_proven(const struct watch *w) { return w->clear || w->pairs - w->lost >= WATCH_PROVEN; }

static bool loses(const struct watch *w) {
  double error;
  double far = log1p(fmax(WATCH_FAR, 2 * w->noise));
  if (w->doubted && !is_proven(w) && least_of_last(w, 1) > far) return true;
  if (w->pairs >= 2 && least_of_last(w, 2) > far) return true;
  if (w->pairs >= 4 && least_of_last(w, 4) > 0 && mean_of_last(w, 4, &error) > error / 2) return true;
  return w->pairs >= WATCH_WINDOW && mean_of_last(w, WATCH_WINDOW, &error) > 0;
}

static void clear_pair(struct watch *w) {
  for (int side = 0; side < 2; side++) w->period_ns[side] = w->period_done[side] = 0;
}

static bool end_pair(struct watch *w) {
  double base = w->period_ns[WATCH_BASE], chosen = w->period_ns[WATCH_CHOSEN];
  double original = base * original_of(w);
  bool lost = chosen > original;
  w->ratio[w->pairs++ % WATCH_WINDOW] = log(chosen / base);
  w->lost += lost;
  w->base_ns = base / w->period_launches;
  w->worse_ns = (chosen - original) / w->period_launches;
  note_ahead(w, w->base_ns, chosen / w->period_launches);
  w->urgent = lost && ++w->streak < WATCH_STREAK;
  if (!w->urgent) w->streak = 0;
  if (!lost) w->since = 0;
  w->waited = 0;
  w->usual_ns = 0;
  w->slow = 0;
  w->breaks = 0;
  clear_pair(w);
  bool given_up = loses(w);
  w->doubted = false;
  return given_up;
}

bool watch_record(struct watch *w, enum watch_side side, double kernel_ns) {
  if (w->missed) return false;
  if (!(kernel_ns > 0)) return watch_break(w), false;
  w->period_ns[side] += kernel_ns;
  w->period_done[side]++;
  w->launches += side == WATCH_CHOSEN;
  bool ended = w->period_done[WATCH_BASE] == w->period_launches && w->period_done[WATCH_CHOSEN] == w->period_launches;
  return ended && end_pair(w);
}

void watch_break(struct watch *w) {
  clear_pair(w);
  w->urgent = false;
  w->waited = 0;
}

void watch_skip(struct watch *w) {
  if (w->period_launches <= 1) return;
  watch_break(w);
  w->missed = true;
  if (++w->breaks > WATCH_BREAKS) w->period_launches = 1;
}

void watch_pass(struct watch *w, double wall_ns) {
  w->launches++, w->since++, w->waited++;
  if (!(wall_ns > 0)) return;
  double most = fmax(WATCH_SLOW * w->usual_ns + WATCH_VARIES * w->varies_ns, w->certain_ns);
  w->slow = w->usual_ns > 0 && wall_ns > most ? w->slow + 1 : 0;
  if (w->usual_ns > 0) w->varies_ns += (fabs(wall_ns - w->usual_ns) - w->varies_ns) / 8;
  if (w->slow >= (wall_ns >= WATCH_LONG_NS ? 1u : 2u)) w->urgent = w->doubted = true, w->since = w->slow;
  else if (!w->slow) w->usual_ns = w->usual_ns > 0 ? w->usual_ns + (wall_ns - w->usual_ns) / 8 : wall_ns;
}

void watch_doubt(struct watch *w) { w->urgent = w->doubted = true; }

double watch_unseen_loss(const struct watch *w) { return w->worse_ns > 0 ? w->worse_ns * (double)w->since : 0; }
