/* The cost of a program's own loops: every thread sums the same words one after the other, in plain C. What the compiler
 * makes of them (wider loads, unrolled loops) is part of the figure: it is what a placement costs in practice. */
#include <math.h>

#include "measure.h"

enum { WORDS_A_THREAD = 49152 };

struct walk {
  void (*kernel)(struct probe_run *run, const struct walk *walk);
  const float *from;
  uint32_t words, passes, teams, threads;
};

#define WALK(name, WORD, BEFORE)                                                                                       \
  static void name(struct probe_run *run, const struct walk *walk) {                                                   \
    struct probe_record *to = run->on_device;                                                                          \
    uint32_t *arrived = run->counter;                                                                                  \
    uint32_t words = walk->words, passes = walk->passes, teams = walk->teams, threads = walk->threads;                 \
    const float *from = walk->from;                                                                                    \
    PROBE_KERNEL(teams, threads, is_device_ptr(to, from, arrived)) {                                                       \
      struct probe_record record;                                                                                      \
      float sum = 0, *sink = (float *)&to[probe_team()].value;                                                         \
      BEFORE                                                                                                           \
      for (uint32_t j = 0; j < words; j++)                                                                             \
        sum += WORD;                                                                                                   \
      probe_gate(arrived);                                                                                             \
      probe_start(&record);                                                                                            \
      for (uint32_t pass = 0; pass < passes; pass++) {                                                                 \
        for (uint32_t j = 0; j < words; j++)                                                                           \
          sum += WORD;                                                                                                 \
        if (sum == 0.1f) /* as good as never, but a store that no pass can be moved across */                          \
          *sink = sum;                                                                                                 \
      }                                                                                                                \
      probe_finish(to, &record, (uint32_t)(int)sum);                                                                   \
    }                                                                                                                  \
  }

#if defined __NVPTX__
#define CONSTANT_WORD(j) (((const float __attribute__((address_space(4))) *)probe_constant)[j])
#define SHARED_WORD(j) (((float __attribute__((address_space(3))) *)probe_shared)[j])
#else
#define CONSTANT_WORD(j) ((float)j)
#define SHARED_WORD(j) ((float)j)
#endif
#define STAGED                                                                                                         \
  for (uint32_t j = probe_thread(); j < words; j += probe_threads())                                                   \
    PROBE_ST4("shared", "r", probe_shared_base() + 4 * j, 0, j);                                                       \
  probe_barrier();

WALK(walk_global, from[j], )
WALK(walk_constant, CONSTANT_WORD(j), )
WALK(walk_shared, SHARED_WORD(j), STAGED)

/* Bare, as a program's own kernel would be: nothing before the loops, so that ptxas may keep the address in the uniform
 * datapath and the teams run apart. */
static void walk_constant_bare(struct probe_run *run, const struct walk *walk) {
  struct probe_record *to = run->on_device;
  uint32_t words = walk->words, passes = walk->passes, teams = walk->teams, threads = walk->threads;
  PROBE_KERNEL(teams, threads, is_device_ptr(to)) {
    struct probe_record record;
    float sum = 0;
    probe_start(&record);
    for (uint32_t pass = 0; pass < passes; pass++)
      for (uint32_t j = 0; j < words; j++) {
        uint32_t word;
        PROBE_LD4("const", "r", word, probe_constant_base() + 4 * j, 0);
        sum += __builtin_bit_cast(float, word);
      }
    probe_finish(to, &record, (uint32_t)(int)sum);
  }
}

static double clk_per_word(struct probe_run *run, const void *what) {
  const struct walk *walk = what;
  if (!probe_reset(run))
    return NAN;
  walk->kernel(run, walk);
  if (!probe_fetch_records(run, walk->teams))
    return NAN;
  return probe_clk_per_team(run, walk->teams) / ((double)(walk->threads / 32) * walk->passes * walk->words);
}

static bool walks(struct probe_run *run, const char *quantity, struct walk walk) {
  static const uint32_t words[] = {16, 32, 64, 96, 128, 192, 256, 384, 512, 1024, 2048, 4096, 8192, 12000};
  bool good = true;
  walk.teams = run->sms * (2048 / walk.threads);
  for (unsigned i = 0; good && i < sizeof words / sizeof *words; i += run->quick ? 13 : 1) {
    walk.words = words[i];
    walk.passes = run->quick ? 1 : (WORDS_A_THREAD + words[i] - 1) / words[i];
    good = probe_sample(run, quantity, words[i] * 4, clk_per_word, &walk);
  }
  return good;
}

bool probe_walk(struct probe_run *run) {
  probe_say(run, "loops as compiled");
  float *memory = probe_allocate(run, PROBE_CONSTANT_BYTES);
  bool good = memory && walks(run, "walk.global", (struct walk){.kernel = walk_global, .from = memory, .threads = 256}) &&
              walks(run, "walk.constant", (struct walk){.kernel = walk_constant, .from = memory, .threads = 256}) &&
              walks(run, "walk.constant.bare", (struct walk){.kernel = walk_constant_bare, .threads = 256}) &&
              walks(run, "walk.shared", (struct walk){.kernel = walk_shared, .from = memory, .threads = 512});
  if (memory)
    probe_release(run, memory);
  return good;
}
