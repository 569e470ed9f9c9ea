/* The launches of shared/facts/loops.c, for the tests of the model. */
#ifndef PLACE_TEST_LAUNCHES_H
#define PLACE_TEST_LAUNCHES_H

#include "support.h"

#include "place/plan.h"

enum { MAX_ARRAYS = 16 };

struct scene { /* a launch with everything it refers to */
  struct place_table table;
  const struct place_region *region;
  struct place_launch launch;
  uint64_t arg[16];
  bool arg_known[16];
  struct place_extent extent[MAX_ARRAYS];
  place_space_set allowed[MAX_ARRAYS];
  uint32_t *words;
  struct place_profile profile;
};

/* The stored machine file that the tests' numbers belong to; the current one: `current`. */
static inline struct place_machine *h200_of(bool current) {
  static struct msl_diagnostics why;
  struct place_machine *machine = msl_read_file(current ? MACHINES "/h200.msl" : TABLES "/../machines/h200.msl", &why);
  if (!machine) fail_msg("h200.msl: line %u: %s", why.items[0].line, why.items[0].message);
  return machine;
}

static inline struct place_machine *h200(void) { return h200_of(false); }

static inline void scene_open(struct scene *s, const char *table, unsigned region, uint64_t trip_count) {
  memset(s, 0, sizeof *s);
  load_table(table, &s->table);
  s->region = &s->table.regions[region];
  s->launch = (struct place_launch){.arg = s->arg, .arg_known = s->arg_known, .args = 16, .extent = s->extent,
                                    .allowed = s->allowed, .trip_count = trip_count, .threads = 128};
  for (int i = 0; i < MAX_ARRAYS; i++) s->allowed[i] = 0xf;
}

static inline void scene_close(struct scene *s) {
  free(s->words);
  place_table_free(&s->table);
}

/* Of a scene that stays where it is. */
static inline struct place_question scene_question(const struct scene *s, const struct place_machine *machine,
                                                   enum place_model model) {
  return (struct place_question){&s->table, s->region, &s->launch, {s->words}, machine, model, NULL};
}

static inline void scene_arg(struct scene *s, int n, uint64_t value) {
  s->arg[n] = value;
  s->arg_known[n] = true;
}

static inline void scene_array(struct scene *s, int n, uint64_t bytes) {
  s->extent[n] = (struct place_extent){0, bytes, true};
}

/* ---- what the profiling version would have logged ---- */

static inline void scene_profile(struct scene *s) {
  s->words = calloc(PLACE_PROFILE_WORDS, 4);
  s->profile.words = s->words;
}

static inline void scene_log(struct scene *s, unsigned slot, unsigned access, unsigned lane, uint32_t index) {
  uint32_t *count = &s->words[(slot * PLACE_PROFILE_ACCESSES + access) * 32 + lane];
  if (*count < PLACE_PROFILE_ENTRIES)
    s->words[PLACE_PROFILE_COUNT_WORDS + ((slot * PLACE_PROFILE_ACCESSES + access) * PLACE_PROFILE_ENTRIES + *count) * 32 +
             lane] = index;
  ++*count;
}

/* Global thread number of a slot's lane, for 3,200 teams of 128. */
static inline uint64_t scene_thread(unsigned slot, unsigned lane) {
  return (uint64_t)slot * (3200 / PLACE_PROFILE_SLOTS) * 128 + slot % 4 * 32 + lane;
}

/* ---- the scenes ---- */

enum { MEBI = 1 << 20 };

static inline void scene_conv1d(struct scene *s, unsigned taps) {
  scene_open(s, "conv1d", 0, 16 * MEBI - taps);
  scene_arg(s, 0, 16 * MEBI);
  scene_arg(s, 1, taps);
  scene_array(s, 0, 64ull * MEBI);
  scene_array(s, 1, taps * 4);
  scene_array(s, 2, 64ull * MEBI);
}

static inline void scene_lut(struct scene *s, uint32_t entries, bool profiled) {
  scene_open(s, "lut", 0, 16 * MEBI);
  scene_arg(s, 0, 16 * MEBI);
  scene_arg(s, 4, entries);
  scene_array(s, 0, 64ull * MEBI);
  scene_array(s, 1, MEBI);
  scene_array(s, 2, 64ull * MEBI);
  if (!profiled) return;
  scene_profile(s);
  for (unsigned slot = 0; slot < PLACE_PROFILE_SLOTS; slot++)
    for (unsigned lane = 0; lane < 32; lane++)
      for (unsigned k = 0; k < 41 * 16; k++) scene_log(s, slot, 0, lane, (uint32_t)random_below(entries));
}

static inline void scene_triad(struct scene *s, uint64_t n) {
  scene_open(s, "triad", 0, n);
  scene_arg(s, 0, n);
  for (int i = 0; i < 3; i++) scene_array(s, i, 4 * n);
}

static inline void scene_box(struct scene *s, unsigned r) {
  uint64_t n = 4096, inner = n - 2 * r;
  scene_open(s, "box", 0, inner * inner);
  scene_arg(s, 0, n);
  scene_arg(s, 1, r);
  scene_array(s, 0, 4 * n * n);
  scene_array(s, 1, 4 * (2 * r + 1) * (2 * r + 1));
  scene_array(s, 2, 4 * n * n);
}

static inline void scene_spmv(struct scene *s, bool profiled) {
  const unsigned rows = 1 << 20, per_row = 32;
  scene_open(s, "spmv", 0, rows);
  scene_arg(s, 0, rows);
  scene_array(s, 0, 4ull * (rows + 1));
  scene_array(s, 1, 4ull * rows * per_row);
  scene_array(s, 2, 4ull * rows * per_row);
  scene_array(s, 3, 4ull * rows);
  scene_array(s, 4, 4ull * rows);
  if (!profiled) return;
  scene_profile(s);
  for (unsigned slot = 0; slot < PLACE_PROFILE_SLOTS; slot++)
    for (unsigned lane = 0; lane < 32; lane++)
      for (unsigned k = 0; k < 3 * per_row; k++) { /* 2.56 rows a thread */
        uint32_t row = (uint32_t)(scene_thread(slot, lane) + k / per_row * 3200 * 128) % rows;
        scene_log(s, slot, 0, lane, row * per_row + k % per_row);
        scene_log(s, slot, 1, lane, row * per_row + k % per_row);
        scene_log(s, slot, 2, lane, (uint32_t)random_below(rows));
      }
}

/* Linear scan: all lanes walk the array from its begin until their value is found. */
static inline void scene_cdf_scan(struct scene *s, uint32_t entries, uint64_t particles) {
  scene_open(s, "cdf", 0, particles);
  scene_arg(s, 0, particles);
  scene_array(s, 0, 4ull * entries);
  scene_array(s, 1, 4 * particles);
  scene_array(s, 2, 4 * particles);
  scene_profile(s);
  for (unsigned slot = 0; slot < PLACE_PROFILE_SLOTS; slot++)
    for (unsigned lane = 0; lane < 32; lane++) {
      for (uint64_t sweep = 0; sweep * 3200 * 128 < particles; sweep++) {
        uint32_t steps = (uint32_t)(1 + random_below(entries));
        for (uint32_t k = 0; k < steps; k++) scene_log(s, slot, 0, lane, k);
      }
    }
}

/* Bisection for a random value. */
static inline void scene_cdf_bisect(struct scene *s, uint32_t entries, uint64_t particles) {
  scene_open(s, "cdf", 1, particles);
  scene_arg(s, 0, particles);
  scene_array(s, 0, 4ull * entries);
  scene_array(s, 1, 4 * particles);
  scene_array(s, 2, 4 * particles);
  scene_profile(s);
  uint64_t sweeps = (particles + 3200 * 128 - 1) / (3200 * 128);
  for (unsigned slot = 0; slot < PLACE_PROFILE_SLOTS; slot++)
    for (unsigned lane = 0; lane < 32; lane++)
      for (uint64_t sweep = 0; sweep < sweeps; sweep++) {
        uint32_t lo = 0, hi = entries, wanted = (uint32_t)random_below(entries);
        while (lo < hi) {
          uint32_t middle = (lo + hi) / 2;
          scene_log(s, slot, 0, lane, middle);
          if (middle < wanted) lo = middle + 1;
          else hi = middle;
        }
      }
}

#endif
