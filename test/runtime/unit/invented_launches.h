/* Sequences of launches whose sizes and times are invented: named ones, of what programs do, and one of random kinds (draw). Each test program
 * has them of its own; included after the scene (launch_scene.h), of which they need the versions BASE, STRAIGHT, ALONE, GC and GS. */
#ifndef PLACE_TEST_INVENTED_LAUNCHES_H
#define PLACE_TEST_INVENTED_LAUNCHES_H

#include <math.h>

#include "budget.h"

static uint64_t seed;
static double uniform(void) { /* 0 to 1 */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 40) / (1 << 24);
}

struct one { /* a launch */
  uint64_t trips;
  unsigned scalar; /* tells it from others */
  double ns;       /* with the original */
  double ratio[VERSIONS];
  bool changed;    /* the small array, since the launch before */
};

struct sequence {
  const char *name;
  unsigned launches;
  void (*make)(unsigned i, struct one *one);
  double over_ns; /* what all may take at any time beyond the original's time and its share */
  double late;    /* what the last quarter of the launches may take at most on the device, times the original */
};

static void all_ratios(struct one *one, double straight, double alone, double gc, double gs) {
  const double ratio[VERSIONS] = {1, straight, alone, gc, gs};
  memcpy(one->ratio, ratio, sizeof ratio);
}

static void of_size(struct one *one, double trips, double ns_each) {
  one->trips = trips < 64 ? 64 : (uint64_t)trips;
  one->ns = 4000 + (double)one->trips * ns_each;
}

static void steady_gain(unsigned i, struct one *one) { (void)i, all_ratios(one, 1.1, 1.0, 0.6, 0.9); }
static void steady_loss(unsigned i, struct one *one) { (void)i, all_ratios(one, 1.1, 1.2, 1.6, 2.5); }
static void hopeless(unsigned i, struct one *one) { (void)i, all_ratios(one, 1.1, 1.2, 1.2, 40); }
static void short_kernel(unsigned i, struct one *one) { (void)i, one->ns = 5000, all_ratios(one, 1.0, 0.97, 1.3, 1.05); }
static void long_gain(unsigned i, struct one *one) { (void)i, one->ns = 390e6, all_ratios(one, 1.15, 0.6, 1.2, 1.2); }
static void long_loss(unsigned i, struct one *one) { (void)i, one->ns = 390e6, all_ratios(one, 1.15, 1.1, 5, 1.2); }

/* The base's timer costs more than versions gain over it. */
static void slow_base(unsigned i, struct one *one) { (void)i, one->ns = 54e6, all_ratios(one, 1.11, 1.09, 1.2, 1.2), one->ratio[BASE] = 1.17; }
/* What is far ahead is tried on what another version, which is ahead, has saved: alone it could lose three launches' time. */
static void far_ahead(unsigned i, struct one *one) { (void)i, one->ns = 7.5e6, all_ratios(one, 0.13, 1.1, 0.012, 1.2); }
static void slow_base_short(unsigned i, struct one *one) { (void)i, one->ns = 60e3, all_ratios(one, 1.06, 1.04, 1.2, 1.2), one->ratio[BASE] = 1.1; }
static void slow_base_gain(unsigned i, struct one *one) { (void)i, one->ns = 1.2e6, all_ratios(one, 1.1, 0.9, 1.2, 1.2), one->ratio[BASE] = 1.19; }
static void fast_base(unsigned i, struct one *one) { (void)i, one->ns = 2e6, all_ratios(one, 1.1, 0.9, 1.2, 1.2), one->ratio[BASE] = 0.85; }
static void slow_base_swings(unsigned i, struct one *one) {
  of_size(one, 1e6 * (0.7 + 0.6 * uniform()), 0.4);
  one->scalar = i;
  all_ratios(one, 1.04, 1.05, 1.06, 1.1);
  one->ratio[BASE] = 1.15;
}

static void shrinking(unsigned i, struct one *one) {
  of_size(one, 4e6 * pow(0.995, i), 0.5);
  one->scalar = i;
  all_ratios(one, 1.0, 1.03, 1.05, 1.02);
}

/* A factorisation: no two launches are alike, and each size of what is left has some 30 of them. */
static void decomposition(unsigned i, struct one *one) {
  double left = 511 - (double)(i % 511);
  one->trips = 64 + (uint64_t)(256 * left * left);
  one->scalar = i;
  one->ns = 4000 + 2.8 * left * left;
  all_ratios(one, 0.77, 1.05, 1.1, 1.1);
}

static void small_sizes_lose(unsigned i, struct one *one) {
  decomposition(i, one);
  if (one->ns < 150e3) all_ratios(one, 1.3, 1.05, 1.1, 1.1);
}

static void large_sizes_lose(unsigned i, struct one *one) {
  decomposition(510 - i % 511, one);
  one->scalar = i;
  if (one->ns > 150e3) all_ratios(one, 1.3, 1.05, 1.1, 1.1);
}

/* A transform's, which take as long as each other with the original only. */
static void stages(unsigned i, struct one *one) {
  unsigned stage = i % 12;
  one->scalar = stage;
  one->ns = 300e3;
  all_ratios(one, stage < 6 ? 0.8 : 1.3, 1.03, 1.1, 1.1);
}

static void growing_times(unsigned i, struct one *one) { /* of the same size: what a solver's later steps do */
  one->ns = 20000 * pow(1.003, i);
  all_ratios(one, 1.02, 1.03, 1.05, 1.0);
}

static void inner_loop_grows(unsigned i, struct one *one) { /* by a scalar: the same size, other work, and another version for it */
  unsigned step = i / 100;
  one->scalar = step;
  one->ns = 30e3 * (1 + step);
  if (step < 6) all_ratios(one, 0.6, 1.1, 1.1, 1.3);
  else all_ratios(one, 1.2, 1.1, 1.1, 0.6);
}

static void gains_only_later(unsigned i, struct one *one) {
  one->scalar = i / 1000;
  one->ns = i < 1000 ? 40e3 : 240e3;
  if (i < 1000) all_ratios(one, 1.1, 1.1, 1.1, 1.3);
  else all_ratios(one, 1.1, 1.1, 0.5, 1.3);
}

/* One size, three kinds of work one after the other (vol2col on an H200): a base that its timer makes slow, a gain, next to none, a gain. */
static void three_works(unsigned i, struct one *one) {
  static const double ns[] = {13e3, 38e3, 223e3}, base[] = {1.68, 1.35, 1.1}, best[] = {0.66, 0.97, 0.7};
  unsigned work = i / 1000;
  one->scalar = work;
  one->ns = ns[work];
  all_ratios(one, best[work], 1.1, 1.2, 1.3);
  one->ratio[BASE] = base[work];
}

static void swinging(unsigned i, struct one *one) {
  of_size(one, 1e6 * (0.7 + 0.6 * uniform()), 0.4);
  one->scalar = i;
  all_ratios(one, 1.02, 1.0, 1.04, 1.1);
}

static void wavefront(unsigned i, struct one *one) {
  unsigned step = i % 2000;
  of_size(one, 256.0 * (step < 1000 ? step + 1 : 2000 - step), 0.2);
  one->scalar = step;
  all_ratios(one, 1.05, 1.0, 1.03, 1.2);
}

static void pyramid(unsigned i, struct one *one) {
  unsigned level = i % 7;
  of_size(one, (double)(1 << 22) / (double)(1u << 2 * level), 0.1);
  one->scalar = level;
  all_ratios(one, level > 3 ? 0.9 : 1.3, 1.0, 1.1, 1.2);
}

static void hidden_levels(unsigned i, struct one *one) { /* a search's, whose launches look all alike */
  static const double ns[] = {5e3, 2e4, 9e4, 6e5, 8e5, 2e5, 6e4, 1e4, 5e3, 5e3, 5e3};
  one->ns = ns[i % 11];
  all_ratios(one, 1.02, 1.05, 1.1, 1.03);
}

static void turns_bad(unsigned i, struct one *one) { all_ratios(one, 1.05, 0.8, 1.1, i < 900 ? 0.7 : 1.6); }
static void far_ahead_turns_bad(unsigned i, struct one *one) { all_ratios(one, 1.05, 0.8, 1.1, i < 900 ? 0.1 : 1.6); }
static void turns_bad_soon(unsigned i, struct one *one) { all_ratios(one, 1.05, 0.8, 1.1, i < 150 ? 0.7 : 1.6); }

/* What is ahead in constant memory has to be copied there again: at each launch, now and then, or later on. */
static void changes(unsigned i, struct one *one) { (void)i, one->ns = 30e3, one->changed = true, all_ratios(one, 1.05, 0.9, 0.3, 1.1); }
static void changes_seldom(unsigned i, struct one *one) { changes(i, one), one->changed = i % 10 == 0; }
static void changes_later(unsigned i, struct one *one) { changes(i, one), one->changed = i > 900; }
static void changes_at_times(unsigned i, struct one *one) { changes(i, one), one->changed = i / 700 % 2; }

static void creeps(unsigned i, struct one *one) { all_ratios(one, 1.05, 1.02, 1.1, 0.8 + 0.4 * i / 6000); }
static void alternates(unsigned i, struct one *one) { all_ratios(one, 1.05, 1.02, 1.1, i / 700 % 2 ? 1.5 : 0.7); }

static const struct sequence sequences[] = {
  {"steady gain", 4000, steady_gain, BUDGET_REGION_NS, 0.62},
  {"steady loss", 4000, steady_loss, BUDGET_REGION_NS, 1.01},
  {"hopeless", 4000, hopeless, 6e6, 1.01},
  {"short kernel", 20000, short_kernel, BUDGET_REGION_NS, 1.01},
  {"long, gain", 60, long_gain, BUDGET_REGION_NS, 0.61},
  {"long, loss", 60, long_loss, BUDGET_REGION_NS, 1.01},
  {"few long, gain", 5, long_gain, BUDGET_REGION_NS, 1.01},
  {"few long, loss", 5, long_loss, BUDGET_REGION_NS, 1.01},
  {"far ahead", 60, far_ahead, BUDGET_REGION_NS, 0.02},
  {"slow base", 400, slow_base, BUDGET_REGION_NS + 3 * 54e6 * 0.2, 1.0},
  {"slow base, short", 6000, slow_base_short, BUDGET_REGION_NS, 1.01},
  {"slow base, gain", 2000, slow_base_gain, BUDGET_REGION_NS, 0.92},
  {"fast base", 2000, fast_base, BUDGET_REGION_NS, 1.01},
  {"slow base, swinging", 6000, slow_base_swings, BUDGET_REGION_NS, 1.01},
  {"shrinking", 2000, shrinking, BUDGET_REGION_NS, 1.01},
  {"decomposition", 511, decomposition, BUDGET_REGION_NS, 0.97},
  {"decomposition, again and again", 4 * 511, decomposition, BUDGET_REGION_NS, 0.84},
  {"small sizes lose", 2 * 511, small_sizes_lose, BUDGET_REGION_NS, 1.01},
  {"large sizes lose", 2 * 511, large_sizes_lose, BUDGET_REGION_NS, 1.01},
  {"stages", 4000, stages, BUDGET_REGION_NS, 1.01},
  {"growing times", 1500, growing_times, BUDGET_REGION_NS, 1.01},
  {"inner loop grows", 1900, inner_loop_grows, BUDGET_REGION_NS, 0.65},
  {"gains only later", 3000, gains_only_later, BUDGET_REGION_NS, 0.55},
  {"three works", 3000, three_works, BUDGET_REGION_NS, 0.75},
  {"swinging", 6000, swinging, BUDGET_REGION_NS, 1.01},
  {"wavefront", 12000, wavefront, BUDGET_REGION_NS, 1.01},
  {"pyramid", 7000, pyramid, BUDGET_REGION_NS + 50e3 /* a first launch that lost more than its risk */, 1.01},
  {"hidden levels", 6000, hidden_levels, BUDGET_REGION_NS, 1.01},
  {"turns bad", 6000, turns_bad, BUDGET_REGION_NS, 0.81},
  {"far ahead, turns bad", 6000, far_ahead_turns_bad, BUDGET_REGION_NS, 1.01},
  {"turns bad soon", 6000, turns_bad_soon, BUDGET_REGION_NS, 0.81},
  {"changes", 6000, changes, BUDGET_REGION_NS, 0.92},
  {"changes seldom", 6000, changes_seldom, BUDGET_REGION_NS, 0.35},
  {"changes later", 6000, changes_later, BUDGET_REGION_NS, 0.92},
  {"changes at times", 8400, changes_at_times, BUDGET_REGION_NS, 1.01},
  {"creeps", 6000, creeps, BUDGET_REGION_NS, 1.01},
  {"alternates", 8400, alternates, BUDGET_REGION_NS, 1.01},
};

/* One of random kinds: how sizes go, how long launches are, how fast the versions, when that changes, how much it all varies. */
static struct {
  unsigned period, kind, change, rewritten; /* the last: every so many launches the small array is another one, from `change` on or up to it; 0: never */
  bool rewritten_later;
  double ns, noise, before[VERSIONS], after[VERSIONS];
} drawn;

static double between(double least, double most) { return least * pow(most / least, uniform()); }

/* The base is like the original in half of the cases, slower by a timer's registers in most others, faster by luck. */
static double base_ratio(void) {
  double kind = uniform();
  return kind < 0.5 ? 1 : kind < 0.9 ? between(1, 1.2) : between(0.9, 1);
}

static void draw(void) {
  drawn.kind = (unsigned)(uniform() * 4);
  drawn.period = 1 + (unsigned)(uniform() * 12);
  drawn.change = (unsigned)(uniform() * 6000);
  drawn.ns = between(1e4, 5e6);
  drawn.noise = uniform() < 0.5 ? 0.002 : 0.2 * uniform();
  for (int v = 1; v < VERSIONS; v++) drawn.before[v] = between(0.6, 1.6), drawn.after[v] = between(0.6, 1.6);
  drawn.before[BASE] = drawn.after[BASE] = base_ratio();
  drawn.rewritten = uniform() < 0.5 ? 0 : (unsigned)between(1, 30);
  drawn.rewritten_later = uniform() < 0.5;
}

static double size_of(unsigned i) {
  switch (drawn.kind) {
  case 0: return 1;
  case 1: return 0.5 + uniform();
  case 2: return pow(0.9995, i % 4000);
  default: return 1 / (double)(1 + i % drawn.period);
  }
}

static void random_launch(unsigned i, struct one *one) {
  double size = size_of(i);
  one->trips = 64 + (uint64_t)(size * (1 << 20));
  one->scalar = drawn.kind == 1 ? i : (unsigned)(size * 1e6);
  one->changed = drawn.rewritten && (i > drawn.change) == drawn.rewritten_later && i % drawn.rewritten == 0;
  one->ns = drawn.ns * size * (1 + drawn.noise * (uniform() - 0.5));
  for (int v = 0; v < VERSIONS; v++)
    one->ratio[v] = (i < drawn.change ? drawn.before[v] : drawn.after[v]) * (1 + drawn.noise * (uniform() - 0.5));
}

#endif
