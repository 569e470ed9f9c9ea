/* Latencies: one thread follows a chain of pointers, each load's address being the one before's value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { STEPS_AT_ONCE = 16, LEAST_STEPS = 2048, SMS_ASKED = 6 };

struct chain {
  uint64_t start;
  uint32_t warm, steps, sm; /* steps, each a multiple of STEPS_AT_ONCE; the SM that does it */
};

#define NEXT16(NEXT, ptx, a)                                                                                           \
  NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a);      \
  NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a); NEXT(ptx, a)

/* The first team that finds itself on the wanted SM follows the chain. */
#define CHASE(name, ptx, NEXT, address_t, PREPARE)                                                                     \
  static void name(struct probe_run *run, const struct chain *chain) {                                                 \
    struct probe_record *to = run->on_device;                                                                          \
    uint32_t *claimed = run->counter;                                                                                  \
    struct chain c = *chain;                                                                                           \
    uint32_t teams = run->sms * 2;                                                                                     \
    PROBE_KERNEL(teams, 32, is_device_ptr(to, claimed) firstprivate(c)) {                                              \
      PREPARE                                                                                                          \
      if (probe_thread() == 0 && probe_sm() == c.sm && probe_add(claimed, 1) == 0) {                                   \
        struct probe_record record;                                                                                    \
        address_t a = (address_t)c.start;                                                                              \
        for (uint32_t i = 0; i < c.warm; i += STEPS_AT_ONCE) {                                                         \
          NEXT16(NEXT, ptx, a);                                                                                        \
        }                                                                                                              \
        probe_start(&record);                                                                                          \
        for (uint32_t i = 0; i < c.steps; i += STEPS_AT_ONCE) {                                                        \
          NEXT16(NEXT, ptx, a);                                                                                        \
        }                                                                                                              \
        record.value = (uint32_t)a; /* the last load has arrived before the clock is read */                          \
        to->value = record.value;                                                                                      \
        record.clk_end = probe_clk();                                                                                  \
        record.ns_end = probe_ns();                                                                                    \
        *to = record;                                                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
  }

CHASE(chase_ca, "global", PROBE_NEXT8, uint64_t, )
CHASE(chase_cg, "global.cg", PROBE_NEXT8, uint64_t, )
CHASE(chase_nc, "global.nc", PROBE_NEXT8, uint64_t, )

/* The lane makes the address one of a thread, not one of the warp, which has instructions of its own. */
CHASE(chase_constant, "const", PROBE_NEXT4, uint32_t, c.start += probe_thread();)

/* Shared memory holds its own chain: word i points 4 * stride further, in a ring. */
CHASE(chase_shared, "shared", PROBE_NEXT4, uint32_t,
      c.start += probe_shared_base();
      for (uint32_t i = probe_thread() * 128; i < PROBE_SHARED_BYTES; i += probe_threads() * 128)
        PROBE_ST4("shared", "r", probe_shared_base() + i, 0, probe_shared_base() + (i + 128) % PROBE_SHARED_BYTES);
      probe_barrier();)

typedef void chaser(struct probe_run *run, const struct chain *chain);

struct chase {
  chaser *kernel;
  struct chain chain;
  char *ring; /* to be made anew before each sample: else a second one finds in a cache what the first one read */
  uint64_t bytes, stride;
};

static void make_ring(struct probe_run *run, char *memory, uint64_t bytes, uint64_t stride);

static double clk_on_sm(struct probe_run *run, const struct chase *chase, uint32_t sm) {
  struct chain chain = chase->chain;
  chain.sm = sm % run->sms;
  if (!probe_reset(run))
    return NAN;
  if (chase->ring)
    make_ring(run, chase->ring, chase->bytes, chase->stride);
  chase->kernel(run, &chain);
  if (!probe_fetch_records(run, 1) || run->records->clk_end <= run->records->clk_start)
    return NAN;
  return (double)(run->records->clk_end - run->records->clk_start) / chain.steps;
}

/* The mean of a few SMs all over the chip: their ways to the caches that they share differ. */
static double clk_per_step(struct probe_run *run, const void *what) {
  double sum = 0;
  for (uint32_t i = 0; i < SMS_ASKED; i++)
    sum += clk_on_sm(run, what, run->one_sm + i * run->sms / SMS_ASKED);
  return sum / SMS_ASKED;
}

static uint32_t rounded(uint64_t steps, uint64_t most) {
  steps = steps < most ? steps : most;
  return (uint32_t)((steps + STEPS_AT_ONCE - 1) / STEPS_AT_ONCE * STEPS_AT_ONCE);
}

/* ---- chains in device memory ------------------------------------------------------------------------------------- */

/* A multiplier near the golden section of n without a common divisor, so that k -> k * m mod n visits all and far apart. */
static uint64_t hop(uint64_t n) {
  uint64_t m = (uint64_t)((double)n * 0.6180339887) | 1;
  for (;; m += 2) {
    uint64_t a = m, b = n;
    while (b) {
      uint64_t t = a % b;
      a = b;
      b = t;
    }
    if (a == 1)
      return m;
  }
}

/* A ring over all multiples of `stride` below `bytes`, in a scattered order. Also brings all of it into the L2 cache, as
 * far as it fits. */
static void make_ring(struct probe_run *run, char *memory, uint64_t bytes, uint64_t stride) {
  uint64_t n = bytes / stride, m = hop(n);
  uint32_t teams = run->sms * 4;
  PROBE_KERNEL(teams, 256, is_device_ptr(memory)) {
    uint64_t all = (uint64_t)probe_teams() * probe_threads();
    for (uint64_t k = (uint64_t)probe_team() * probe_threads() + probe_thread(); k < n; k += all)
      *(uint64_t *)(memory + k * m % n * stride) = (uint64_t)(memory + (k + 1) % n * m % n * stride);
  }
}

struct sweep {
  const char *quantity;
  chaser *kernel;
  uint64_t stride, most_steps;
};

static bool ring_point(struct probe_run *run, const struct sweep *sweep, char *memory, uint64_t bytes) {
  struct chase chase = {.kernel = sweep->kernel, .ring = memory, .bytes = bytes, .stride = sweep->stride};
  uint64_t n = bytes / sweep->stride;
  chase.chain = (struct chain){.start = (uint64_t)memory, .warm = rounded(2 * n, sweep->most_steps),
                               .steps = rounded(2 * n < LEAST_STEPS ? LEAST_STEPS : 2 * n, sweep->most_steps)};
  return probe_sample(run, sweep->quantity, (double)bytes, clk_per_step, &chase);
}

/* ---- working sets near the SM ------------------------------------------------------------------------------------ */

static bool l1_sweep(struct probe_run *run, const struct sweep *sweep, char *memory, uint64_t most) {
  bool good = true;
  for (uint64_t kib = 4; good && kib <= most >> 10; kib += kib < 16 ? 4 : kib < 96 ? 16 : 8)
    if (kib << 10 >= 4 * sweep->stride)
      good = ring_point(run, sweep, memory, kib << 10);
  return good;
}

static bool constant_point(struct probe_run *run, uint32_t base, uint32_t bytes, uint32_t stride, const char *quantity) {
  uint32_t *words = calloc(1, PROBE_CONSTANT_BYTES);
  struct chase chase = {.kernel = chase_constant};
  uint32_t n = bytes / stride;
  bool good = words != NULL;
  for (uint32_t i = 0; good && i < n; i++)
    words[i * stride / 4] = base + (i + 1) % n * stride;
  chase.chain = (struct chain){.start = base, .warm = rounded(2 * n, 8192),
                               .steps = rounded(2 * n < LEAST_STEPS ? LEAST_STEPS : 2 * n, 8192)};
  good = good && probe_constant_fill(run, words, PROBE_CONSTANT_BYTES) &&
         probe_sample(run, quantity, bytes, clk_per_step, &chase);
  free(words);
  return good;
}

static bool constant_sweep(struct probe_run *run) {
  uint32_t base = 0;
  bool good = probe_constant_address(run, &base);
  for (uint32_t bytes = 256; good && bytes <= PROBE_CONSTANT_BYTES;
       bytes += run->quick ? 20480 : bytes < 4096 ? 256 : bytes < 8192 ? 1024 : 4096)
    good = constant_point(run, base, bytes / 64 * 64, 64, "chase.constant.64") &&
           (bytes > 4096 || bytes < 1024 || constant_point(run, base, bytes, 32, "chase.constant.32")) &&
           (bytes > 8192 || bytes < 1024 || constant_point(run, base, bytes, 128, "chase.constant.128"));
  return good;
}

static bool shared_point(struct probe_run *run) {
  struct chase chase = {.kernel = chase_shared};
  chase.chain = (struct chain){.warm = 64, .steps = 2048};
  return probe_sample(run, "chase.shared", PROBE_SHARED_BYTES, clk_per_step, &chase);
}

bool probe_chase_near(struct probe_run *run) {
  static const struct sweep sweeps[] = {{"chase.ca.128", chase_ca, 128, 16384}, {"chase.ca.64", chase_ca, 64, 16384},
                                        {"chase.ca.256", chase_ca, 256, 16384}, {"chase.nc.128", chase_nc, 128, 16384}};
  probe_say(run, "latencies of L1, shared and constant memory");
  char *memory = probe_allocate(run, 1 << 20);
  bool good = memory && shared_point(run);
  for (unsigned i = 0; good && i < (run->quick ? 1 : sizeof sweeps / sizeof *sweeps); i++)
    good = l1_sweep(run, &sweeps[i], memory, run->quick ? 16 << 10 : sweeps[i].stride > 128 ? 512 << 10 : 320 << 10);
  good = good && constant_sweep(run);
  if (memory)
    probe_release(run, memory);
  return good;
}

/* ---- L2 and device memory ---------------------------------------------------------------------------------------- */

/* Rings of one: each line alone, which lies in the near or in the far part of the L2 cache. */
static bool single_lines(struct probe_run *run, char *memory) {
  enum { LINES = 128, APART = 4096 + 128 };
  struct chase chase = {.kernel = chase_cg, .chain = {.warm = 64, .steps = 256}};
  bool good = true;
  for (unsigned i = 0; good && i < (run->quick ? 4 : LINES); i++) {
    uint64_t address = (uint64_t)memory + i * (uint64_t)APART;
    chase.chain.start = address;
    good = probe_upload(run, (void *)address, &address, sizeof address);
    double clk = good ? clk_on_sm(run, &chase, run->one_sm) : NAN;
    good = good && clk > 0 && probe_note(run, "chase.line.cg", i, clk);
  }
  return good;
}

bool probe_chase_far(struct probe_run *run) {
  static const struct sweep cg = {"chase.cg.128", chase_cg, 128, 16384};
  static const unsigned mib[] = {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 128, 192,
                                 256, 512, 1024, 2048, 4096};
  probe_say(run, "latencies of L2 and device memory");
  uint64_t most = run->quick ? 4 : 4096;
  char *memory = probe_allocate(run, most << 20);
  while (!memory && most > 1) { /* as much of it as a smaller device has */
    *run->error = 0;
    most /= 2;
    memory = probe_allocate(run, most << 20);
  }
  bool good = memory && single_lines(run, memory);
  for (unsigned i = 0; good && i < sizeof mib / sizeof *mib && mib[i] <= most; i++)
    good = ring_point(run, &cg, memory, (uint64_t)mib[i] << 20);
  if (memory)
    probe_release(run, memory);
  return good;
}
