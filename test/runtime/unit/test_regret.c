/* Generated sequences of launches on invented clocks: whatever they do, they never take longer than with the original alone by more
 * than the budget, and do not end on anything slower. */
#include <math.h>

#define SCENE_BODY \
  "place-table 2\n" \
  "region kernel\n" \
  "at 14 main conv.c\n" \
  "kind spmd\n" \
  "launch 128 open - -\n" \
  "loop 0 -1 64\n" \
  "array 0 0 a 4 r 0 global,readonly,constant,shared - -\n" \
  "array 1 1 w 4 r 1 global,readonly,constant,shared - -\n" \
  "array 2 2 o 4 w -1 global - written\n" \
  "access 0 0 read 4 0 0 0 -1 -1 4*(128*team + tid) + 4*L0\n" \
  "access 1 1 read 4 0 0 0 -1 -1 4*L0\n" \
  "access 2 2 write 4 -1 0 0 -1 -1 4*(128*team + tid)\n" \
  "version kernel_base role=base loop=original space=g,g,-\n" \
  "version kernel_gg role=plan loop=straight space=g,g,- threads=128 needs=threads:128\n" \
  "version kernel_alone role=plan loop=isolated space=g,g,-\n" \
  "version kernel_gc role=plan loop=straight space=g,c,- threads=128 needs=threads:128,aligned:16\n" \
  "version kernel_gs role=plan loop=straight space=g,s,- threads=128 needs=threads:128,aligned:16\n"
enum { BASE, STRAIGHT, ALONE, GC, GS, VERSIONS };
#include "launch_scene.h"

/* ---- a device that takes its time ---- */

enum { BESIDE_NS = 8000, COPY_NS = 12000 };

static int slow_from(void *to, const void *from, size_t bytes, int number) {
  fake.clock_ns += COPY_NS;
  return fake_from(to, from, bytes, number);
}

static int slow_to(void *to, const void *from, size_t bytes, int number) {
  fake.clock_ns += COPY_NS;
  return fake_to(to, from, bytes, number);
}

/* ---- sequences ---- */

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
};

struct sequence {
  const char *name;
  unsigned launches;
  void (*make)(unsigned i, struct one *one);
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

static void shrinking(unsigned i, struct one *one) {
  of_size(one, 4e6 * pow(0.995, i), 0.5);
  one->scalar = i;
  all_ratios(one, 1.0, 1.03, 1.05, 1.02);
}

static void growing_times(unsigned i, struct one *one) { /* of the same size: what a solver's later steps do */
  one->ns = 20000 * pow(1.003, i);
  all_ratios(one, 1.02, 1.03, 1.05, 1.0);
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
static void turns_bad_soon(unsigned i, struct one *one) { all_ratios(one, 1.05, 0.8, 1.1, i < 150 ? 0.7 : 1.6); }
static void creeps(unsigned i, struct one *one) { all_ratios(one, 1.05, 1.02, 1.1, 0.8 + 0.4 * i / 6000); }
static void alternates(unsigned i, struct one *one) { all_ratios(one, 1.05, 1.02, 1.1, i / 700 % 2 ? 1.5 : 0.7); }

static const struct sequence sequences[] = {
  {"steady gain", 4000, steady_gain},   {"steady loss", 4000, steady_loss},   {"hopeless", 4000, hopeless},
  {"short kernel", 20000, short_kernel}, {"long, gain", 60, long_gain},       {"long, loss", 60, long_loss},
  {"few long, gain", 5, long_gain},     {"few long, loss", 5, long_loss},     {"shrinking", 2000, shrinking},
  {"growing times", 1500, growing_times}, {"swinging", 6000, swinging},       {"wavefront", 12000, wavefront},
  {"pyramid", 7000, pyramid},           {"hidden levels", 6000, hidden_levels}, {"turns bad", 6000, turns_bad},
  {"turns bad soon", 6000, turns_bad_soon}, {"creeps", 6000, creeps},         {"alternates", 8400, alternates},
};

/* ---- running one ---- */

struct result {
  double plain_ns, taken_ns, late_plain_ns, late_ns; /* late: the last quarter */
  double excess_ns;                                  /* the most that was taken beyond plain and its share */
};

static void launch_one(const struct one *one) {
  struct rt_call call = call_of(a, w, o, 0);
  void *base[4] = {pointers[0], pointers[1], pointers[2], (void *)(uintptr_t)one->scalar};
  int64_t size[4] = {0, 0, 0, 4}, type[4] = {types[0], types[1], types[2], MAP_TARGET_PARAM | MAP_LITERAL};
  call.maps = (struct rt_maps){4, base, base, size, type, NULL};
  call.trip_count = one->trips;
  original_ns = one->ns;
  for (int v = 0; v < VERSIONS; v++) kernel_ns[v] = one->ns * one->ratio[v];
  launch(&call);
}

static void use_times(void) {
  map_all();
  rt.config.patience_ns = 2e6;
  rt.ops.from_device = slow_from;
  rt.ops.to_device = slow_to;
  beside_ns = BESIDE_NS;
}

static struct result run(const struct sequence *s) {
  struct result r = {0};
  for (unsigned i = 0; i < s->launches; i++) {
    struct one one = {.trips = 1 << 18, .ns = 100000};
    uint64_t from = fake.clock_ns;
    s->make(i, &one);
    launch_one(&one);
    double plain = one.ns + BESIDE_NS, taken = (double)(fake.clock_ns - from);
    r.plain_ns += plain, r.taken_ns += taken;
    if (i >= s->launches - s->launches / 4) r.late_plain_ns += plain, r.late_ns += taken;
    r.excess_ns = fmax(r.excess_ns, r.taken_ns - (1 + BUDGET_SHARE) * r.plain_ns);
  }
  return r;
}

static void show(const char *name, const struct result *r) {
  print_message("%-18s plain %9.2f ms, taken %9.2f (%.3f), late %.4f, excess %.3f ms, spent %.3f of %.3f ms\n", name,
                r->plain_ns / 1e6, r->taken_ns / 1e6, r->taken_ns / r->plain_ns, r->late_ns / r->late_plain_ns, r->excess_ns / 1e6,
                region.device[0]->budget.spent_ns / 1e6, budget_allowed(&region.device[0]->budget) / 1e6);
}

static void named_sequences(void **state) {
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
    set_up(state);
    use_times();
    struct result r = run(&sequences[i]);
    show(sequences[i].name, &r);
    tear_down(state);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(named_sequences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
