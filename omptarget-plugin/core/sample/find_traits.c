/* From sampled warp accesses to transactions, reuse distances and patterns. */
#include "find_traits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transactions.h"

/* ---- events in order ---- */

/* The events of each access, or of each array, in the order of the walk. */
struct order {
  const struct walk_event **event; /* [walk->count] */
  size_t *first;                   /* [groups + 1] of each group in `event` */
};

static void order_free(struct order *o) {
  free(o->event);
  free(o->first);
}

static size_t group_of(const struct place_region *region, const struct walk_event *event, bool by_array) {
  return by_array ? (size_t)region->accesses[event->access].array : event->access;
}

static int order_events(const struct place_region *region, const struct walk *walk, bool by_array, struct order *o) {
  size_t groups = by_array ? region->array_count : region->access_count;
  o->event = malloc((walk->count + 1) * sizeof *o->event);
  o->first = calloc(groups + 2, sizeof *o->first);
  if (!o->event || !o->first) return -1;
  for (size_t e = 0; e < walk->count; e++) o->first[group_of(region, &walk->events[e], by_array) + 2]++;
  for (size_t g = 2; g <= groups; g++) o->first[g] += o->first[g - 1];
  for (size_t e = 0; e < walk->count; e++)
    o->event[o->first[group_of(region, &walk->events[e], by_array) + 1]++] = &walk->events[e];
  return 0;
}

/* ---- accesses ---- */

/* Whether most executions of an access lie one element behind the one before, and runs of them begin at multiples of
 * JOINED_ALIGN, so that a version may read several with one load. */
static bool is_sequential(const struct place_region *region, const struct walk *walk, size_t i, const struct order *by_access) {
  enum { JOINED_ALIGN = 16 };
  const struct place_access *a = &region->accesses[i];
  const struct walk_event *before = NULL;
  size_t steps = 0, on = 0;
  if (a->loop < 0 || !walk->access[i].counted || walk->access[i].logged || walk->access[i].assumed) return false;
  for (size_t e = by_access->first[i]; e < by_access->first[i + 1]; e++) {
    const struct walk_event *event = by_access->event[e];
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

/* `spread`: the first of the access's events in walk->spread. */
static int count_access(const struct place_region *region, const struct walk *walk, size_t i, size_t spread,
                        const struct order *by_access, struct transactions *t, place_space_set spaces,
                        struct access_traits *access) {
  int rc = 0;
  for (size_t e = 0; rc == 0 && e < walk->access[i].spread; e++) rc = transactions_add(t, &walk->spread[spread + e], spaces);
  for (size_t e = by_access->first[i]; rc == 0 && !walk->access[i].spread && e < by_access->first[i + 1]; e++)
    rc = transactions_add(t, by_access->event[e], spaces);
  transactions_take(t, access);
  access->sequential = is_sequential(region, walk, i, by_access);
  access->executions = walk->access[i].executions * walk->total_warps;
  return rc;
}

/* ---- reuse ---- */

/* The lines of an affine event ascend or descend. */
static size_t affine_lines(const struct walk_event *event, unsigned shift, uint64_t *lines, size_t count) {
  uint64_t offset = event->base + (unsigned)__builtin_ctz(event->active) * event->step, before = (offset >> shift) + 1;
  uint32_t left = event->step ? event->active >> __builtin_ctz(event->active) : 1; /* lanes that agree have one line */
  for (; left; left >>= 1, offset += event->step) {
    if (!(left & 1)) continue;
    lines[count] = offset >> shift;
    count += lines[count] != before;
    before = offset >> shift;
  }
  return count;
}

/* Appends the distinct lines of an event, in lane order. */
static size_t add_lines(const struct walk_event *event, uint64_t line_bytes, uint64_t *lines, size_t count) {
  enum { SLOTS = 128 };
  uint8_t slot[SLOTS] = {0}; /* open addressing: 1 + number of the line among the event's */
  unsigned shift = (unsigned)__builtin_ctzll(line_bytes); /* a power of two on any real machine */
  uint64_t *own = lines + count;
  unsigned n = 0;
  if (!event->lane) return affine_lines(event, shift, lines, count);
  for (uint32_t left = event->active; left; left &= left - 1) {
    uint64_t line = (uint64_t)event->lane[__builtin_ctz(left)] >> shift;
    unsigned at = (unsigned)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 57);
    while (slot[at] && own[slot[at] - 1] != line) at = (at + 1) % SLOTS;
    if (slot[at]) continue;
    own[n++] = line;
    slot[at] = (uint8_t)n;
  }
  return count + n;
}

/* What reuse distances of an array are found with: room for the lines of one warp's accesses. */
struct reuse_lines {
  uint64_t line_bytes;
  uint64_t *line;
  struct reuse_room *room;
};

static void find_reuse(const struct order *by_array, size_t array, const struct reuse_lines *lines,
                       struct reuse_histogram *histogram) {
  size_t count = 0, before = 0; /* lines of the warp so far, and of its last event */
  unsigned warp = 0;
  for (size_t e = by_array->first[array]; e < by_array->first[array + 1]; e++) {
    const struct walk_event *event = by_array->event[e];
    if (event->warp != warp) {
      reuse_add_trace_in(lines->room, histogram, lines->line, count);
      count = before = 0;
      warp = event->warp;
    }
    size_t own = add_lines(event, lines->line_bytes, lines->line, count) - count;
    if (own == before && !memcmp(lines->line + count, lines->line + count - before, own * sizeof *lines->line)) {
      reuse_add_again(histogram, own);
    } else {
      count += own;
      before = own;
    }
  }
  reuse_add_trace_in(lines->room, histogram, lines->line, count);
}

/* Not fewer than add_lines writes, the last of them in vain. */
static size_t most_lines(const struct walk_event *event, uint64_t line_bytes) {
  uint64_t step = event->step > INT64_MAX ? 0 - event->step : event->step;
  if (event->lane || step >= line_bytes) return 32;
  return (size_t)(step * 31 / line_bytes) + 3;
}

/* The most lines that the events of a warp have of one array. */
static size_t longest_trace(const struct order *by_array, size_t arrays, uint64_t line_bytes) {
  size_t longest = 0;
  for (size_t a = 0; a < arrays; a++) {
    size_t lines = 0;
    for (size_t e = by_array->first[a]; e < by_array->first[a + 1]; e++) {
      if (e > by_array->first[a] && by_array->event[e]->warp != by_array->event[e - 1]->warp) lines = 0;
      lines += most_lines(by_array->event[e], line_bytes);
      if (lines > longest) longest = lines;
    }
  }
  return longest;
}

/* ---- patterns ---- */

/* Distance in bytes between neighbouring lanes if it is one number; false otherwise. */
static bool lane_step(const struct walk_event *event, int64_t *step) {
  int64_t before = -1;
  bool found = false;
  if (!event->lane) return *step = (int64_t)event->step, (event->active & (event->active - 1)) != 0;
  for (int64_t l = 0; l < 32; l++) {
    if (!(event->active >> l & 1)) continue;
    if (before >= 0) {
      int64_t delta = (int64_t)((uint64_t)event->lane[l] - (uint64_t)event->lane[before]), d = delta / (l - before);
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
static bool usual_step(const struct order *by_array, size_t array, int64_t *step) {
  int64_t candidate = 0, own = 0;
  size_t votes = 0, agree = 0, events = 0;
  for (int pass = 0; pass < 2; pass++) { /* majority vote, then the count */
    for (size_t e = by_array->first[array]; e < by_array->first[array + 1]; e++) {
      bool has = lane_step(by_array->event[e], &own);
      if (pass) events++, agree += has && own == candidate;
      else if (has && votes == 0) candidate = own, votes = 1;
      else if (has) votes = own == candidate ? votes + 1 : votes - 1;
    }
  }
  *step = candidate;
  return 2 * agree > events;
}

static void name_pattern(const struct place_region *region, const struct order *by_array, size_t array,
                         struct array_traits *traits) {
  const char *source = index_source(region, array);
  int64_t step, element = region->arrays[array].element_bytes;
  char *out = traits->pattern;
  size_t size = sizeof traits->pattern;
  if (traits->irregular && source) snprintf(out, size, "irregular via %.48s", source);
  else if (traits->irregular) snprintf(out, size, "irregular");
  else if (traits->accesses_per_warp == 0) snprintf(out, size, "not reached");
  else if (!usual_step(by_array, array, &step)) snprintf(out, size, "mixed");
  else if (step == 0) snprintf(out, size, "uniform");
  else if (step % element == 0) snprintf(out, size, "stride %" PRId64, step / element);
  else snprintf(out, size, "stride %" PRId64 " B", step);
}

/* ---- all ---- */

/* How many reads each loop's body has, by its number plus 1. */
static int count_reads(const struct place_region *region, struct traits *traits) {
  unsigned *reads = calloc(region->loop_count + 1, sizeof *reads);
  if (!reads) return -1;
  for (size_t i = 0; i < region->access_count; i++)
    reads[region->accesses[i].loop + 1] += region->accesses[i].kind == PLACE_READ;
  for (size_t i = 0; i < region->access_count; i++) {
    unsigned beside = reads[region->accesses[i].loop + 1];
    traits->access[i].reads_beside = beside ? beside : 1;
  }
  free(reads);
  return 0;
}

static bool is_alike(const struct place_region *region, const struct walk *walk, const struct traits *traits, size_t i,
                     size_t k) {
  const struct place_access *a = &region->accesses[i], *b = &region->accesses[k];
  const struct walk_access *x = &walk->access[i], *y = &walk->access[k];
  const struct access_traits *t = &traits->access[i], *u = &traits->access[k];
  return a->array == b->array && a->kind == b->kind && a->loop == b->loop && a->width_bytes == b->width_bytes &&
         x->executions == y->executions && x->counted == y->counted && x->assumed == y->assumed && x->logged == y->logged &&
         t->executions == u->executions && !memcmp(t->transactions, u->transactions, sizeof t->transactions) &&
         t->distinct == u->distinct && !memcmp(t->bound, u->bound, sizeof t->bound) && t->sequential == u->sequential;
}

/* Looks among the last few that are like none before. */
static void find_alike(const struct place_region *region, const struct walk *walk, struct traits *traits) {
  enum { LAST = 64 };
  size_t own[LAST], count = 0;
  for (size_t i = 0; i < region->access_count; i++) {
    size_t k = 0, known = count < LAST ? count : LAST;
    while (k < known && !is_alike(region, walk, traits, i, own[k])) k++;
    traits->access[i].alike = k < known ? own[k] : i;
    if (k == known) own[count++ % LAST] = i;
  }
}

static void note_access(const struct place_region *region, const struct walk *walk, size_t i, struct traits *traits) {
  struct array_traits *array = &traits->array[region->accesses[i].array];
  array->accesses_per_warp += walk->access[i].executions;
  array->irregular |= walk->access[i].assumed || walk->access[i].logged; /* evaluated addresses are regular */
}

static int find_accesses(const struct place_region *region, const struct place_machine *machine, const struct walk *walk,
                         const struct candidate *candidates, struct traits *traits) {
  struct transactions t;
  struct order by_access;
  size_t spread = 0;
  int rc = order_events(region, walk, false, &by_access);
  transactions_open(&t, machine);
  for (size_t i = 0; rc == 0 && i < region->access_count; i++) {
    place_space_set spaces = candidates[region->accesses[i].array].spaces;
    rc = count_access(region, walk, i, spread, &by_access, &t, spaces, &traits->access[i]);
    spread += walk->access[i].spread;
    note_access(region, walk, i, traits);
  }
  transactions_close(&t);
  order_free(&by_access);
  return rc;
}

static int find_arrays(const struct place_region *region, const struct place_machine *machine, const struct walk *walk,
                       struct traits *traits) {
  struct order by_array;
  struct chain chain = traits_chain(machine, PLACE_GLOBAL);
  struct reuse_lines lines = {chain.count ? traits_line_bytes(chain.level[0]) : TRAITS_LINE_BYTES, NULL, NULL};
  int rc = order_events(region, walk, true, &by_array);
  size_t most = rc ? 0 : longest_trace(&by_array, region->array_count, lines.line_bytes);
  if (rc == 0) lines.line = malloc((most + 1) * sizeof *lines.line), lines.room = reuse_room_new(most);
  if (!lines.line || !lines.room) rc = -1;
  for (size_t a = 0; rc == 0 && a < region->array_count; a++) {
    find_reuse(&by_array, a, &lines, &traits->array[a].reuse);
    name_pattern(region, &by_array, a, &traits->array[a]);
  }
  free(lines.line);
  reuse_room_free(lines.room);
  order_free(&by_array);
  return rc;
}

int traits_find(const struct place_region *region, const struct place_machine *machine, const struct walk *walk,
                const struct candidate *candidates, struct traits *traits, struct place_diag *diag) {
  traits->access = calloc(region->access_count + 1, sizeof *traits->access);
  traits->array = calloc(region->array_count + 1, sizeof *traits->array);
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) traits->chain[s] = traits_chain(machine, (enum place_space)s);
  int rc = traits->access && traits->array ? find_accesses(region, machine, walk, candidates, traits) : -1;
  if (rc == 0) rc = count_reads(region, traits);
  if (rc == 0) rc = find_arrays(region, machine, walk, traits);
  if (rc == 0) return find_alike(region, walk, traits), 0;
  traits_free(traits);
  return place_diag_set(diag, "%s: out of memory", region->entry);
}
