/* From sampled warp accesses to transactions, reuse distances and patterns. */
#include "traits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINE_BYTES = 128, DEFAULT_BLOCK_BYTES = 32 };

/* ---- memories ---- */

struct chain traits_chain(const struct place_machine *machine, enum place_space space) {
  struct chain chain = {.count = 0};
  const struct place_memory *memory = candidates_memory(machine, space);
  if (!memory) return chain;
  bool cache = memory->software_managed.state == MSL_GIVEN && !memory->software_managed.value;
  for (unsigned i = memory->upper.count; !cache && i > 0 && chain.count < TRAITS_MAX_LEVELS - 1; i--)
    chain.level[chain.count++] = &machine->memories[memory->upper.memory[i - 1]];
  chain.level[chain.count++] = memory;
  for (unsigned i = 0; cache && i < memory->lower.count && chain.count < TRAITS_MAX_LEVELS; i++)
    chain.level[chain.count++] = &machine->memories[memory->lower.memory[i]];
  return chain;
}

unsigned traits_count_level(const struct place_machine *machine, enum place_space space) {
  struct chain chain = traits_chain(machine, space);
  const struct place_memory *memory = candidates_memory(machine, space);
  unsigned level = 0;
  while (level + 1 < chain.count && chain.level[level] != memory) level++;
  return level;
}

uint64_t traits_block_bytes(const struct place_memory *memory) {
  uint64_t bytes = msl_extent_bytes(&memory->block_size, 4);
  if (memory->sector_bytes.state == MSL_GIVEN && memory->sector_bytes.value) return memory->sector_bytes.value;
  return bytes ? bytes : DEFAULT_BLOCK_BYTES;
}

uint64_t traits_line_bytes(const struct place_memory *memory) {
  uint64_t bytes = msl_extent_bytes(&memory->block_size, 4);
  if (memory->line_bytes.state == MSL_GIVEN && memory->line_bytes.value) return memory->line_bytes.value;
  return bytes ? bytes : DEFAULT_LINE_BYTES;
}

/* ---- transactions ---- */

struct counter {
  struct chain chain[PLACE_SPACE_COUNT];
  unsigned level[PLACE_SPACE_COUNT]; /* traits_count_level */
  place_space_set spaces; /* to count for: candidates of the access's array */
};

/* What one event costs in transactions; `shape` makes repeated shapes cheap. */
struct shape {
  bool valid;
  uint64_t base;
  uint32_t active;
  uint64_t relative[32];
  double transactions[PLACE_SPACE_COUNT][TRAITS_MAX_LEVELS];
  double distinct;
};

enum { SHAPE_PERIOD = 1024, SHAPES = 16 }; /* bytes: lines, sectors and banks repeat with it; shapes remembered */

/* Addresses of the active lanes. Returns how many. */
static unsigned gather(const struct walk_event *event, uint64_t *address) {
  unsigned n = 0;
  for (uint32_t left = event->active; left; left &= left - 1)
    address[n++] = (uint64_t)walk_offset(event, (unsigned)__builtin_ctz(left));
  return n;
}

static bool same_shape(const struct shape *shape, const struct walk_event *event, const uint64_t *address, unsigned n) {
  if (!shape->valid || shape->active != event->active || shape->base != address[0] % SHAPE_PERIOD) return false;
  for (unsigned i = 0; i < n; i++)
    if (address[i] - address[0] != shape->relative[i]) return false;
  return true;
}

static void count_shape(const struct counter *counter, struct shape *shape, const struct walk_event *event,
                        const uint64_t *address, unsigned n) {
  shape->valid = true;
  shape->active = event->active;
  shape->base = address[0] % SHAPE_PERIOD;
  for (unsigned i = 0; i < n; i++) shape->relative[i] = address[i] - address[0];
  shape->distinct = msl_distinct_blocks(address, n, 1);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    const struct chain *chain = &counter->chain[s];
    for (unsigned j = 0; j < chain->count && (counter->spaces & PLACE_SPACE_BIT(s)); j++) {
      const struct place_memory *memory = chain->level[j];
      bool again = s == PLACE_READONLY && j < counter->chain[PLACE_GLOBAL].count &&
                   memory == counter->chain[PLACE_GLOBAL].level[j]; /* what lies below the nearest cache is the same */
      shape->transactions[s][j] = again             ? shape->transactions[PLACE_GLOBAL][j]
                                  : memory->serial ? msl_transactions(memory, address, n)
                                  : s == PLACE_CONSTANT
                                      ? shape->distinct
                                      : msl_distinct_blocks(address, n, traits_block_bytes(memory));
    }
  }
}

static void add_shape(const struct counter *counter, struct access_traits *access, const struct shape *shape) {
  access->distinct += shape->distinct;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) { /* `bound` holds the sum of squares until the mean is taken */
    double n = shape->transactions[s][counter->level[s]];
    access->bound[s] += n * n;
  }
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    for (unsigned j = 0; j < TRAITS_MAX_LEVELS; j++) access->transactions[s][j] += shape->transactions[s][j];
}

static void take_mean(const struct counter *counter, struct access_traits *access, double events) {
  if (events == 0) return;
  access->distinct /= events;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    for (unsigned j = 0; j < TRAITS_MAX_LEVELS; j++) access->transactions[s][j] /= events;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    double mean = access->transactions[s][counter->level[s]], variance = access->bound[s] / events - mean * mean;
    access->bound[s] = mean > 0 && variance > 1e-9 * mean * mean ? 2 * sqrt(variance / events) / mean : 0;
  }
}

/* Whether most executions of an access lie one element behind the one before, and runs of them begin at multiples of
 * JOINED_ALIGN, so that a version may read several with one load. */
static bool is_sequential(const struct place_region *region, const struct walk *walk, size_t i) {
  enum { JOINED_ALIGN = 16 };
  const struct place_access *a = &region->accesses[i];
  const struct walk_event *before = NULL;
  size_t steps = 0, on = 0;
  if (a->loop < 0 || !walk->access[i].counted || walk->access[i].logged || walk->access[i].assumed) return false;
  for (size_t e = 0; e < walk->count; e++) {
    const struct walk_event *event = &walk->events[e];
    if (event->access != i) continue;
    bool both = before && before->warp == event->warp && before->active & event->active;
    unsigned lane = (unsigned)__builtin_ctz(both ? before->active & event->active : event->active);
    bool follows = both && walk_offset(event, lane) - walk_offset(before, lane) == (int64_t)a->width_bytes;
    if ((!follows || event->entering) && walk_offset(event, lane) % JOINED_ALIGN) return false;
    steps += both;
    on += follows;
    before = event;
  }
  return steps && 2 * on > steps;
}

static void count_access(const struct place_region *region, const struct walk *walk, size_t i, struct counter *counter,
                         const struct candidate *candidates, struct access_traits *access) {
  struct shape shapes[SHAPES];
  uint64_t address[32];
  for (unsigned k = 0; k < SHAPES; k++) shapes[k].valid = false;
  memset(shapes[0].transactions, 0, sizeof shapes[0].transactions);
  for (unsigned k = 1; k < SHAPES; k++) memcpy(shapes[k].transactions, shapes[0].transactions, sizeof shapes[0].transactions);
  const struct walk_event *events = walk->access[i].spread ? walk->spread : walk->events;
  size_t count = walk->access[i].spread ? walk->spread_count : walk->count;
  counter->spaces = candidates[region->accesses[i].array].spaces;
  for (size_t e = 0; e < count; e++) {
    if (events[e].access != i) continue;
    unsigned n = gather(&events[e], address);
    struct shape *shape = &shapes[address[0] % SHAPE_PERIOD * SHAPES / SHAPE_PERIOD];
    if (!same_shape(shape, &events[e], address, n)) count_shape(counter, shape, &events[e], address, n);
    add_shape(counter, access, shape);
  }
  take_mean(counter, access, walk->access[i].spread ? walk->access[i].spread : walk->access[i].events);
  access->sequential = is_sequential(region, walk, i);
  access->executions = walk->access[i].executions * walk->total_warps;
}

/* ---- reuse ---- */

/* Appends the distinct lines of an event, in lane order. */
static size_t add_lines(const struct walk_event *event, uint64_t line_bytes, uint64_t *lines, size_t count) {
  size_t first = count;
  unsigned shift = (unsigned)__builtin_ctzll(line_bytes); /* a power of two on any real machine */
  for (unsigned l = 0; l < 32; l++) {
    if (!(event->active >> l & 1)) continue;
    uint64_t line = (uint64_t)walk_offset(event, l) >> shift;
    size_t k = count;
    while (k > first && lines[k - 1] != line) k--;
    if (k == first) lines[count++] = line;
  }
  return count;
}

static int find_reuse(const struct place_region *region, const struct walk *walk, size_t array, uint64_t line_bytes,
                      uint64_t *lines, struct reuse_histogram *histogram) {
  size_t count = 0;
  unsigned warp = 0;
  for (size_t e = 0; e < walk->count; e++) {
    const struct walk_event *event = &walk->events[e];
    if ((size_t)region->accesses[event->access].array != array) continue;
    if (event->warp != warp) {
      if (reuse_add_trace(histogram, lines, count)) return -1;
      count = 0;
      warp = event->warp;
    }
    count = add_lines(event, line_bytes, lines, count);
  }
  return reuse_add_trace(histogram, lines, count);
}

/* ---- patterns ---- */

/* Distance in bytes between neighbouring lanes if it is one number; false otherwise. */
static bool lane_step(const struct walk_event *event, int64_t *step) {
  int64_t before = -1;
  bool found = false;
  for (int64_t l = 0; l < 32; l++) {
    if (!(event->active >> l & 1)) continue;
    if (before >= 0) {
      int64_t delta = (int64_t)((uint64_t)walk_offset(event, (unsigned)l) - (uint64_t)walk_offset(event, (unsigned)before)), d = delta / (l - before);
      if (d * (l - before) != delta || (found && d != *step)) return false;
      *step = d;
      found = true;
    }
    before = l;
  }
  return found;
}

static const char *index_source(const struct place_region *region, size_t array) {
  for (size_t i = 0; i < region->access_count; i++)
    if ((size_t)region->accesses[i].array == array && region->accesses[i].index_source >= 0)
      return region->arrays[region->accesses[i].index_source].name;
  return NULL;
}

/* The step that most of the array's events have, in *step, and true; false if no step has a majority. */
static bool usual_step(const struct place_region *region, const struct walk *walk, size_t array, int64_t *step) {
  int64_t candidate = 0, own = 0;
  size_t votes = 0, agree = 0, events = 0;
  for (int pass = 0; pass < 2; pass++) { /* majority vote, then the count */
    for (size_t e = 0; e < walk->count; e++) {
      const struct walk_event *event = &walk->events[e];
      if ((size_t)region->accesses[event->access].array != array) continue;
      bool has = lane_step(event, &own);
      if (pass) events++, agree += has && own == candidate;
      else if (has && votes == 0) candidate = own, votes = 1;
      else if (has) votes = own == candidate ? votes + 1 : votes - 1;
    }
  }
  *step = candidate;
  return 2 * agree > events;
}

static void name_pattern(const struct place_region *region, const struct walk *walk, size_t array,
                         struct array_traits *traits) {
  const char *source = index_source(region, array);
  int64_t step, element = region->arrays[array].element_bytes;
  char *out = traits->pattern;
  size_t size = sizeof traits->pattern;
  if (traits->irregular && source) snprintf(out, size, "irregular via %s", source);
  else if (traits->irregular) snprintf(out, size, "irregular");
  else if (traits->accesses_per_warp == 0) snprintf(out, size, "unused");
  else if (!usual_step(region, walk, array, &step)) snprintf(out, size, "mixed");
  else if (step == 0) snprintf(out, size, "uniform");
  else if (step % element == 0) snprintf(out, size, "stride %" PRId64, step / element);
  else snprintf(out, size, "stride %" PRId64 " B", step);
}

/* ---- all ---- */

static void note_access(const struct place_region *region, const struct walk *walk, size_t i, struct traits *traits) {
  struct array_traits *array = &traits->array[region->accesses[i].array];
  array->accesses_per_warp += walk->access[i].executions;
  array->irregular |= walk->access[i].assumed || walk->access[i].logged; /* evaluated addresses are regular */
}

int traits_find(const struct place_region *region, const struct place_machine *machine, const struct walk *walk,
                const struct candidate *candidates, struct traits *traits, struct place_diag *diag) {
  struct counter counter;
  traits->access = calloc(region->access_count + 1, sizeof *traits->access);
  traits->array = calloc(region->array_count + 1, sizeof *traits->array);
  uint64_t *lines = malloc((walk->count + 1) * 32 * sizeof *lines);
  int rc = traits->access && traits->array && lines ? 0 : -1;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    counter.chain[s] = traits_chain(machine, (enum place_space)s);
    counter.level[s] = traits_count_level(machine, (enum place_space)s);
  }
  uint64_t line_bytes = counter.chain[0].count ? traits_line_bytes(counter.chain[0].level[0]) : DEFAULT_LINE_BYTES;
  for (size_t i = 0; rc == 0 && i < region->access_count; i++) {
    count_access(region, walk, i, &counter, candidates, &traits->access[i]);
    note_access(region, walk, i, traits);
  }
  for (size_t a = 0; rc == 0 && a < region->array_count; a++) {
    rc = find_reuse(region, walk, a, line_bytes, lines, &traits->array[a].reuse);
    name_pattern(region, walk, a, &traits->array[a]);
  }
  free(lines);
  if (rc == 0) return 0;
  traits_free(traits);
  return place_diag_set(diag, "%s: out of memory", region->entry);
}

void traits_free(struct traits *traits) {
  free(traits->access);
  free(traits->array);
  *traits = (struct traits){NULL, NULL};
}
