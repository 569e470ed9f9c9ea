/* What a warp's load costs an SM that does nothing else: full occupancy, sixteen independent loads in flight a thread, every
 * SM at once. One pattern covers all: lane l reads at base + (l % modulo) * stride + offset, and the offset walks `limit`
 * bytes round and round.
 *   modulo 1                  the same address in all lanes, over a working set
 *   stride 4 .. 4 * 32        distinct words, bank conflicts
 *   stride 128, modulo n      n lines
 *   modulo 32, stride = width coalesced */
#include <math.h>

#include "measure.h"

enum { LOADS_AT_ONCE = 16, LEAST_TURNS = 256, PASSES = 4, COLD_PASSES = 8 };

struct pattern {
  uint32_t modulo, stride, limit; /* bytes */
  uint32_t spread;                /* 0: all teams begin at the same offset; else each elsewhere */
  uint32_t warm, iterations;      /* turns of sixteen loads, filled in by point() */
};

#define SIXTEEN(ONE, ptx, area, step)                                                                                  \
  ONE(ptx, area, step, 0) ONE(ptx, area, step, 1) ONE(ptx, area, step, 2) ONE(ptx, area, step, 3)                      \
  ONE(ptx, area, step, 4) ONE(ptx, area, step, 5) ONE(ptx, area, step, 6) ONE(ptx, area, step, 7)                      \
  ONE(ptx, area, step, 8) ONE(ptx, area, step, 9) ONE(ptx, area, step, 10) ONE(ptx, area, step, 11)                    \
  ONE(ptx, area, step, 12) ONE(ptx, area, step, 13) ONE(ptx, area, step, 14) ONE(ptx, area, step, 15)

#define LOAD4(ptx, area, step, n) PROBE_LD4(ptx, area, x[n], at, step * n);
#define LOAD8(ptx, area, step, n) PROBE_LD8(ptx, area, x[n], y[n], at, step * n);
#define LOAD64(ptx, area, step, n) PROBE_LD64(ptx, area, d[n], at, step * n);
#define LOAD16(ptx, area, step, n) PROBE_LD16(ptx, area, x[n], y[n], z[n], w[n], at, step * n);
#define STORE4(ptx, area, step, n) PROBE_ST4(ptx, area, at, step * n, seen);

#define SEEN4(n) seen ^= x[n] ^ x[n + 1];
#define SEEN8(n) seen ^= x[n] ^ y[n]; seen ^= x[n + 1] ^ y[n + 1];
#define SEEN64(n) seen ^= (uint32_t)d[n] ^ (uint32_t)(d[n] >> 32); seen ^= (uint32_t)d[n + 1] ^ (uint32_t)(d[n + 1] >> 32);
#define SEEN16(n) SEEN8(n) seen ^= z[n] ^ w[n]; seen ^= z[n + 1] ^ w[n + 1];
#define SEEN0(n)
#define ALL_SEEN(SEEN) SEEN(0) SEEN(2) SEEN(4) SEEN(6) SEEN(8) SEEN(10) SEEN(12) SEEN(14)

/* Where a team begins, in whole turns. */
#define BEGIN(step)                                                                                                    \
  (p.spread * probe_team() % (p.limit < step * LOADS_AT_ONCE ? 1 : p.limit / (step * LOADS_AT_ONCE)) * (step * LOADS_AT_ONCE))

#define TURN(WIDTH, SEEN, ptx, area, step, address_t)                                                                  \
  do {                                                                                                                 \
    uint32_t x[LOADS_AT_ONCE], y[LOADS_AT_ONCE], z[LOADS_AT_ONCE], w[LOADS_AT_ONCE];                                   \
    uint64_t d[LOADS_AT_ONCE];                                                                                         \
    address_t at = base + offset;                                                                                      \
    SIXTEEN(WIDTH, ptx, area, step)                                                                                    \
    ALL_SEEN(SEEN)                                                                                                     \
    offset += step * LOADS_AT_ONCE;                                                                                    \
    offset = offset >= p.limit ? 0 : offset;                                                                           \
    (void)x, (void)y, (void)z, (void)w, (void)d;                                                                       \
  } while (0)

/* step is the bytes between two of the sixteen, all a literal: ptxas then needs no arithmetic for them. */
#define SPIN(name, ptx, area, address_t, WIDTH, SEEN, step, BASE)                                                      \
  static void name(struct probe_run *run, const struct pattern *pattern, uint32_t teams, uint32_t threads, uint64_t from) { \
    struct probe_record *to = run->on_device;                                                                          \
    uint32_t *arrived = run->counter;                                                                                  \
    struct pattern p = *pattern;                                                                                       \
    PROBE_KERNEL(teams, threads, is_device_ptr(to, arrived) firstprivate(p, from)) {                                   \
      struct probe_record record;                                                                                      \
      address_t base = (address_t)(from + BASE);                                                                       \
      uint32_t seen = 0, offset = BEGIN(step);                                                                      \
      for (uint32_t i = 0; i < p.warm; i++)                                                                            \
        TURN(WIDTH, SEEN, ptx, area, step, address_t);                                                                 \
      probe_gate(arrived);                                                                                             \
      probe_start(&record);                                                                                            \
      for (uint32_t i = 0; i < p.iterations; i++)                                                                      \
        TURN(WIDTH, SEEN, ptx, area, step, address_t);                                                                 \
      probe_finish(to, &record, seen);                                                                                 \
    }                                                                                                                  \
  }

/* Without a first pass: ptxas then keeps a uniform address in the uniform datapath (ULDC). Many passes make up for it. */
#define SPIN_COLD(name, ptx, area, address_t, WIDTH, SEEN, step, BASE)                                                 \
  static void name(struct probe_run *run, const struct pattern *pattern, uint32_t teams, uint32_t threads, uint64_t from) { \
    struct probe_record *to = run->on_device;                                                                          \
    struct pattern p = *pattern;                                                                                       \
    PROBE_KERNEL(teams, threads, is_device_ptr(to) firstprivate(p, from)) {                                            \
      struct probe_record record;                                                                                      \
      address_t base = (address_t)(from + BASE);                                                                       \
      uint32_t seen = 0, offset = BEGIN(step);                                                                      \
      probe_start(&record);                                                                                            \
      for (uint32_t i = 0; i < p.iterations * COLD_PASSES; i++)                                                        \
        TURN(WIDTH, SEEN, ptx, area, step, address_t);                                                                 \
      probe_finish(to, &record, seen);                                                                                 \
    }                                                                                                                  \
  }

#define LANE (probe_thread() % p.modulo * p.stride)

SPIN(ca4, "global", "l", uint64_t, LOAD4, SEEN4, 4, LANE)
SPIN(ca8, "global", "l", uint64_t, LOAD8, SEEN8, 8, LANE)
SPIN(ca16, "global", "l", uint64_t, LOAD16, SEEN16, 16, LANE)
SPIN(nc4, "global.nc", "l", uint64_t, LOAD4, SEEN4, 4, LANE)
SPIN(nc16, "global.nc", "l", uint64_t, LOAD16, SEEN16, 16, LANE)
SPIN(constant4, "const", "r", uint32_t, LOAD4, SEEN4, 4, probe_constant_base() + LANE)
SPIN(constant8, "const", "r", uint32_t, LOAD64, SEEN64, 8, probe_constant_base() + LANE)
SPIN_COLD(uniform4, "const", "r", uint32_t, LOAD8, SEEN8, 8, probe_constant_base()) /* ptxas makes two of each */
SPIN_COLD(uniform8, "const", "r", uint32_t, LOAD64, SEEN64, 8, probe_constant_base())
SPIN(shared4, "shared", "r", uint32_t, LOAD4, SEEN4, 4, probe_shared_base() + LANE)
SPIN(shared8, "shared", "r", uint32_t, LOAD8, SEEN8, 8, probe_shared_base() + LANE)
SPIN(shared16, "shared", "r", uint32_t, LOAD16, SEEN16, 16, probe_shared_base() + LANE)
/* coalesced: the sixteen are a warp's width apart */
SPIN(rows_ca4, "global", "l", uint64_t, LOAD4, SEEN4, 128, LANE)
SPIN(rows_ca16, "global", "l", uint64_t, LOAD16, SEEN16, 512, LANE)
SPIN(rows_nc4, "global.nc", "l", uint64_t, LOAD4, SEEN4, 128, LANE)
SPIN(rows_shared4, "shared", "r", uint32_t, LOAD4, SEEN4, 128, LANE + probe_shared_base())
SPIN(rows_shared8, "shared", "r", uint32_t, LOAD8, SEEN8, 256, LANE + probe_shared_base())
SPIN(rows_shared16, "shared", "r", uint32_t, LOAD16, SEEN16, 512, LANE + probe_shared_base())
SPIN(rows_store4, "shared", "r", uint32_t, STORE4, SEEN0, 128, LANE + probe_shared_base())

#pragma omp begin declare target
PROBE_INLINE uint32_t scrambled(uint32_t x) { /* neighbours get unrelated numbers */
  x = (x ^ x >> 16) * 0x85EBCA6Bu;
  x = (x ^ x >> 13) * 0xC2B2AE35u;
  return x ^ x >> 16;
}
#pragma omp end declare target

/* Look-ups: every lane its own pseudo-random word of `limit` bytes, a power of two. The arithmetic, four instructions a
 * load, runs beside what is measured as long as that takes longer. */
#define RANDOM(name, ptx, area, address_t, BASE)                                                                       \
  static void name(struct probe_run *run, const struct pattern *pattern, uint32_t teams, uint32_t threads, uint64_t from) { \
    struct probe_record *to = run->on_device;                                                                          \
    uint32_t *arrived = run->counter;                                                                                  \
    struct pattern p = *pattern;                                                                                       \
    PROBE_KERNEL(teams, threads, is_device_ptr(to, arrived) firstprivate(p, from)) {                                   \
      struct probe_record record;                                                                                      \
      address_t base = (address_t)(from + BASE);                                                                       \
      uint32_t seen = 0, mask = p.limit - 4, random = scrambled(probe_team() * probe_threads() + probe_thread());     \
      for (uint32_t at = probe_thread() * 4; at < p.limit; at += probe_threads() * 4) {                                \
        uint32_t value;                                                                                                \
        PROBE_LD4(ptx, area, value, base + at, 0);                                                                     \
        seen ^= value;                                                                                                 \
      }                                                                                                                \
      probe_gate(arrived);                                                                                             \
      probe_start(&record);                                                                                            \
      for (uint32_t i = 0; i < p.iterations * 4; i++) {                                                                \
        uint32_t x[4];                                                                                                 \
        for (unsigned k = 0; k < 4; k++) {                                                                             \
          random = random * 1664525u + 1013904223u;                                                                    \
          PROBE_LD4(ptx, area, x[k], base + (random >> 8 & mask), 0);                                                  \
        }                                                                                                              \
        seen ^= x[0] ^ x[1] ^ x[2] ^ x[3];                                                                             \
      }                                                                                                                \
      probe_finish(to, &record, seen);                                                                                 \
    }                                                                                                                  \
  }

RANDOM(random_global, "global", "l", uint64_t, 0)
RANDOM(random_readonly, "global.nc", "l", uint64_t, 0)
RANDOM(random_constant, "const", "r", uint32_t, probe_constant_base())
RANDOM(random_shared, "shared", "r", uint32_t, probe_shared_base())

typedef void spinner(struct probe_run *run, const struct pattern *pattern, uint32_t teams, uint32_t threads, uint64_t from);

struct spin {
  spinner *kernel;
  uint32_t loads;  /* of one turn */
  uint32_t repeat; /* of the pattern's turns */
  bool shared; /* its teams hold all of a team's shared memory: fewer, larger teams */
  struct pattern pattern;
  uint64_t from;
};

/* Cycles of one SM for one load of one warp. */
static double clk_per_load(struct probe_run *run, const void *what) {
  const struct spin *spin = what;
  uint32_t threads = spin->shared ? 512 : 256, teams = run->sms * (2048 / threads), warps = threads / 32;
  if (!probe_reset(run))
    return NAN;
  spin->kernel(run, &spin->pattern, teams, threads, spin->shared ? 0 : spin->from);
  if (!probe_fetch_records(run, teams))
    return NAN;
  double turns = (double)spin->pattern.iterations * spin->repeat;
  return probe_clk_per_team(run, teams) / (warps * turns * spin->loads);
}

struct series {
  const char *quantity;
  spinner *kernel;
  bool shared;
  uint32_t step; /* bytes between two of the sixteen loads */
};

static bool point(struct probe_run *run, const struct series *series, double x, struct pattern pattern, uint64_t from) {
  struct spin spin = {.kernel = series->kernel, .shared = series->shared, .pattern = pattern, .from = from};
  spin.repeat = series->kernel == uniform4 || series->kernel == uniform8 ? COLD_PASSES : 1;
  spin.loads = series->kernel == uniform4 ? 2 * LOADS_AT_ONCE : LOADS_AT_ONCE;
  uint32_t pass = pattern.limit / (series->step * LOADS_AT_ONCE) + 1;
  spin.pattern.warm = pass;
  spin.pattern.iterations = run->quick ? 2 : PASSES * pass > LEAST_TURNS ? PASSES * pass : LEAST_TURNS;
  return probe_sample(run, series->quantity, x, clk_per_load, &spin);
}

/* The same address in all lanes. */
static bool working_sets(struct probe_run *run, const struct series *series, uint32_t most, uint64_t from) {
  static const uint32_t bytes[] = {256,  512,  768,  1024, 1280,  1536,  1792,  2048,  2304,  2560,  3072, 3584,
                                   4096, 6144, 8192, 12288, 16384, 24576, 32768, 40960, 49152, 57344};
  bool good = true;
  for (unsigned i = 0; good && i < sizeof bytes / sizeof *bytes && bytes[i] <= most; i++)
    good = point(run, series, bytes[i], (struct pattern){.modulo = 1, .limit = bytes[i]}, from);
  return good;
}

/* The teams of an SM at different places of the working set. */
static bool spread_sets(struct probe_run *run, const struct series *series) {
  static const uint32_t bytes[] = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 57344};
  bool good = true;
  for (unsigned i = 0; good && i < sizeof bytes / sizeof *bytes && (!run->quick || i < 2); i++)
    good = point(run, series, bytes[i], (struct pattern){.modulo = 1, .limit = bytes[i], .spread = 7919}, 0);
  return good;
}

static bool uniform(struct probe_run *run, uint64_t from) {
  static const struct series constant[] = {{"uniform.constant.4", constant4, false, 4},
                                           {"uniform.constant.8", constant8, false, 8},
                                           {"uniform.ulc.4", uniform4, false, 8},       {"uniform.ulc.8", uniform8, false, 8}};
  static const struct series spread[] = {{"spread.constant.4", constant4, false, 4}, {"spread.constant.8", constant8, false, 8},
                                         {"spread.ulc.4", uniform4, false, 8},       {"spread.ulc.8", uniform8, false, 8}};
  static const struct series others[] = {
      {"uniform.global.4", ca4, false, 4},  {"uniform.global.8", ca8, false, 8}, {"uniform.global.16", ca16, false, 16},
      {"uniform.readonly.4", nc4, false, 4}, {"uniform.readonly.16", nc16, false, 16}, {"uniform.shared.4", shared4, true, 4},
      {"uniform.shared.8", shared8, true, 8}, {"uniform.shared.16", shared16, true, 16}};
  bool good = true;
  for (unsigned i = 0; good && i < 4; i++)
    good = point(run, &constant[i], 64, (struct pattern){.modulo = 1, .limit = 64}, 0) &&
           point(run, &constant[i], 128, (struct pattern){.modulo = 1, .limit = 128}, 0) &&
           working_sets(run, &constant[i], run->quick ? 512 : PROBE_CONSTANT_BYTES, 0);
  for (unsigned i = 0; good && i < 4; i++)
    good = spread_sets(run, &spread[i]);
  for (unsigned i = 0; good && i < 8; i++)
    good = working_sets(run, &others[i], 512, from) &&
           (run->quick || point(run, &others[i], 32768, (struct pattern){.modulo = 1, .limit = 32768}, from));
  return good;
}

static bool divergent(struct probe_run *run, uint64_t from) {
  static const struct series distinct[] = {{"distinct.constant", constant4, false, 4}, {"distinct.global", ca4, false, 4},
                                           {"distinct.readonly", nc4, false, 4},       {"distinct.shared", shared4, true, 4}};
  static const struct series lines[] = {{"lines.global", ca4, false, 4}, {"lines.readonly", nc4, false, 4}};
  static const struct series conflicts = {"conflicts.shared", shared4, true, 4};
  static const struct series wide = {"conflicts.shared.8", shared8, true, 8};
  static const uint32_t counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  bool good = true;
  for (unsigned i = 0; good && i < 10; i += run->quick ? 9 : 1) {
    uint32_t n = counts[i];
    for (unsigned k = 0; good && k < 4; k++)
      good = point(run, &distinct[k], n, (struct pattern){.modulo = n, .stride = 4, .limit = 128}, k ? from : 0);
    for (unsigned k = 0; good && k < 2; k++)
      good = point(run, &lines[k], n, (struct pattern){.modulo = n, .stride = 128, .limit = 128}, from) &&
             (k || point(run, &(struct series){"far_lines.global", ca4, false, 4}, n,
                         (struct pattern){.modulo = n, .stride = 128 + 4, .limit = 64}, from));
    good = good && point(run, &conflicts, n, (struct pattern){.modulo = n, .stride = 128, .limit = 128}, 0) &&
           point(run, &wide, n, (struct pattern){.modulo = n, .stride = 128, .limit = 128}, 0);
  }
  return good;
}

/* Two lanes: which distance makes them wait for each other; and all lanes by stride. */
static bool banks(struct probe_run *run) {
  static const struct series two = {"banks.two", shared4, true, 4}, stride = {"banks.stride", shared4, true, 4};
  bool good = true;
  for (uint32_t words = 1; good && words <= (run->quick ? 2 : 136); words += words < 24 ? 1 : 8)
    good = point(run, &two, words * 4, (struct pattern){.modulo = 2, .stride = words * 4, .limit = 64}, 0);
  for (uint32_t words = 28; good && !run->quick && words <= 36; words++)
    good = point(run, &two, words * 4, (struct pattern){.modulo = 2, .stride = words * 4, .limit = 64}, 0);
  for (uint32_t words = 1; good && words <= (run->quick ? 2 : 64); words++)
    good = point(run, &stride, words * 4, (struct pattern){.modulo = 32, .stride = words * 4, .limit = 64}, 0);
  return good;
}

static bool coalesced(struct probe_run *run, uint64_t from) {
  static const struct series global[] = {{"rows.global.4", rows_ca4, false, 128}, {"rows.readonly.4", rows_nc4, false, 128}};
  static const struct series shared[] = {{"rows.shared.4", rows_shared4, true, 128}, {"rows.store.4", rows_store4, true, 128}};
  bool good = true;
  for (unsigned i = 0; good && i < 2; i++)
    good = point(run, &global[i], 16384, (struct pattern){.modulo = 32, .stride = 4, .limit = 16384}, from) &&
           point(run, &shared[i], 16384, (struct pattern){.modulo = 32, .stride = 4, .limit = 16384}, 0);
  return good &&
         point(run, &(struct series){"rows.global.16", rows_ca16, false, 512}, 32768,
               (struct pattern){.modulo = 32, .stride = 16, .limit = 32768}, from) &&
         point(run, &(struct series){"rows.shared.8", rows_shared8, true, 256}, 32768,
               (struct pattern){.modulo = 32, .stride = 8, .limit = 32768}, 0) &&
         point(run, &(struct series){"rows.shared.16", rows_shared16, true, 512}, 32768,
               (struct pattern){.modulo = 32, .stride = 16, .limit = 32768}, 0);
}

static bool look_ups(struct probe_run *run, uint64_t from) {
  static const struct series all[] = {{"random.global", random_global, false, 4},
                                      {"random.readonly", random_readonly, false, 4},
                                      {"random.shared", random_shared, true, 4},
                                      {"random.constant", random_constant, false, 4}};
  bool good = true;
  for (unsigned i = 0; good && i < 4; i++)
    for (uint32_t bytes = 1024; good && bytes <= (run->quick ? 1024 : 32768); bytes *= 2)
      good = point(run, &all[i], bytes, (struct pattern){.limit = bytes}, i < 2 ? from : 0);
  return good;
}

bool probe_spin(struct probe_run *run) {
  probe_say(run, "throughput of an SM's loads");
  char *memory = probe_allocate(run, 1 << 20);
  bool good = memory && uniform(run, (uint64_t)memory) && divergent(run, (uint64_t)memory) && banks(run) &&
              coalesced(run, (uint64_t)memory) && look_ups(run, (uint64_t)memory);
  if (memory)
    probe_release(run, memory);
  return good;
}
