/* Legality and capacity of spaces at a launch. */
#include "candidates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "place/text.h"

enum { DEFAULT_SHARED_BYTES = 48 << 10 };

uint64_t candidates_shared_capacity(const struct place_machine *machine, const struct place_launch *launch) {
  const struct msl_count *given = &machine->shared_bytes_per_team;
  uint64_t bytes = given->state == MSL_GIVEN && given->value < DEFAULT_SHARED_BYTES ? given->value : DEFAULT_SHARED_BYTES;
  uint64_t taken = candidates_shared_slot(launch->dynamic_shared_bytes);
  return taken < bytes ? bytes - taken : 0;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
  return bytes > UINT64_MAX - unit ? UINT64_MAX / unit * unit : (bytes + unit - 1) / unit * unit;
}

uint64_t candidates_shared_slot(uint64_t window_bytes) {
  return round_up(window_bytes, PLACE_SHARED_ALIGN);
}

uint64_t candidates_constant_slot(uint64_t window_bytes) {
  return round_up(window_bytes, PLACE_CONST_ALIGN);
}

const struct place_memory *candidates_memory(const struct place_machine *machine, enum place_space space) {
  return msl_memory_by_name(machine, place_spaces[space].memory);
}

/* ---- window ---- */

/* Bytes that one access can touch; known = false: anything. */
static struct place_range access_bytes(const struct place_table *table, const struct place_access *access,
                                       const struct place_box *box) {
  struct place_range r = place_expr_bound(&table->exprs, access->offset, box);
  if (r.known && __builtin_add_overflow(r.hi, (int64_t)access->width_bytes, &r.hi)) r.known = false;
  return r;
}

/* The part [lo, hi) of the section. Its begin is moved down to a multiple of 16 where the section allows it, so that
 * what is aligned in the section is aligned in a copy. */
static struct place_extent clip(struct place_extent section, int64_t lo, int64_t hi) {
  __int128 begin = section.lo, end = begin + section.bytes;
  __int128 aligned = lo - ((lo % 16 + 16) % 16);
  if (aligned > begin) begin = aligned;
  if (hi < end) end = hi;
  if (end <= begin || begin < INT64_MIN) return (struct place_extent){section.lo, 0, true};
  return (struct place_extent){(int64_t)begin, (uint64_t)(end - begin), true};
}

static void find_window(const struct place_table *table, const struct place_region *region, size_t array,
                        const struct place_box *box, struct place_extent section, struct candidate *c) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (size_t i = 0; i < region->access_count; i++) {
    const struct place_access *access = &region->accesses[i];
    if ((size_t)access->array != array) continue;
    struct place_range r = access_bytes(table, access, box);
    if (!r.known) c->whole = true;
    if (r.known && r.lo < lo) lo = r.lo;
    if (r.known && r.hi > hi) hi = r.hi;
  }
  c->window = section;
  if (section.known && !c->whole) c->window = lo < hi ? clip(section, lo, hi) : (struct place_extent){section.lo, 0, true};
}

/* ---- spaces ---- */

static void does_not_fit(uint64_t bytes, uint64_t capacity, char *why) {
  char have[PLACE_BYTES_TEXT], need[PLACE_BYTES_TEXT];
  snprintf(why, sizeof ((struct candidate *)0)->excluded[0], "does not fit (%s > %s)", place_bytes_text(bytes, need),
           place_bytes_text(capacity, have));
}

uint64_t candidates_constant_capacity(const struct place_machine *machine, const struct place_launch *launch) {
  uint64_t bytes = msl_capacity_bytes(candidates_memory(machine, PLACE_CONSTANT));
  uint64_t bank = launch->constant_bytes ? launch->constant_bytes : PLACE_CONST_MOST_BYTES;
  return bytes && bytes < bank ? bytes : bank;
}

uint64_t candidates_capacity(const struct place_machine *machine, const struct place_launch *launch, enum place_space space) {
  switch (place_space_home(space)) {
    case PLACE_HOME_CONSTANT: return candidates_constant_capacity(machine, launch);
    case PLACE_HOME_SHARED: return candidates_shared_capacity(machine, launch);
    case PLACE_HOME_GLOBAL:
    case PLACE_HOME_TEXTURE: break;
  }
  return 0;
}

uint64_t candidates_slot(enum place_space space, uint64_t window_bytes) {
  switch (place_space_home(space)) {
    case PLACE_HOME_CONSTANT: return candidates_constant_slot(window_bytes);
    case PLACE_HOME_SHARED: return candidates_shared_slot(window_bytes);
    case PLACE_HOME_GLOBAL:
    case PLACE_HOME_TEXTURE: break;
  }
  return 0;
}

/* Room for a copy of the window in constant or shared memory. */
static void check_copy(const struct place_machine *machine, const struct place_launch *launch, enum place_space space,
                       const struct place_extent *window, char *why) {
  uint64_t bytes = window->bytes, need = candidates_slot(space, bytes), have = candidates_capacity(machine, launch, space);
  if (!window->known) snprintf(why, 80, "extent unknown");
  else if (!bytes) snprintf(why, 80, "its accesses lie outside of the mapped section");
  else if (need > have) does_not_fit(bytes, have, why);
}

static bool has_figures(const struct place_memory *memory) {
  return memory->read_latency.state == MSL_GIVEN || memory->transaction_time.state == MSL_GIVEN ||
         memory->read_bytes_per_clk.state == MSL_GIVEN || memory->read_gbps_per_die.state == MSL_GIVEN;
}

/* What the machine file lacks of a space that is no copy, whose room needs no looking at; "": nothing. Of textures a file may say that
 * they are there, and no more. */
static const char *not_described(const struct place_machine *machine, enum place_space space) {
  const struct place_memory *memory = candidates_memory(machine, space);
  if (!memory) return "the machine file does not describe it";
  const struct place_memory *nearest = memory->upper.count ? &machine->memories[memory->upper.memory[memory->upper.count - 1]] : memory;
  bool rated = place_space_home(space) != PLACE_HOME_TEXTURE || has_figures(nearest) || has_figures(memory);
  return rated ? "" : "the machine file has no figures of it";
}

static void check_space(const struct place_question *q, size_t i, enum place_space space, struct candidate *c) {
  const struct place_region *region = q->region;
  const struct place_array *array = &region->arrays[i];
  place_space_set bit = PLACE_SPACE_BIT(space);
  char *why = c->excluded[space];
  if (region->no_version) snprintf(why, 80, "%s", region->no_version);
  else if (!(array->candidates & bit)) snprintf(why, 80, "%s", array->reason ? array->reason : "no version of the kernel has it");
  else if (array->placeable < 0) snprintf(why, 80, "not placeable");
  else if (!(q->launch->allowed[i] & bit)) snprintf(why, 80, "not legal at this launch");
  else if (place_space_is_copy(space) && !candidates_memory(q->machine, space)) snprintf(why, 80, "the machine file does not describe it");
  else if (place_space_is_copy(space)) check_copy(q->machine, q->launch, space, &c->window, why);
  else if (snprintf(why, 80, "%s", not_described(q->machine, space))) c->unrated |= bit;
  if (!why[0]) c->spaces |= bit;
}

int candidates_find(const struct place_question *q, struct candidate *candidates, struct place_diag *diag) {
  const struct place_region *region = q->region;
  struct place_box box;
  struct place_range *loop = malloc((region->loop_count + 1) * sizeof *loop);
  if (!loop) return place_diag_set(diag, "%s: out of memory", region->entry);
  shape_box(q->table, region, q->launch, loop, &box);
  for (size_t i = 0; i < region->array_count; i++) {
    struct candidate *c = &candidates[i];
    *c = (struct candidate){.spaces = PLACE_SPACE_BIT(PLACE_GLOBAL)};
    find_window(q->table, region, i, &box, q->launch->extent[i], c);
    for (int s = 0; s < PLACE_SPACE_COUNT; s++)
      if (s != PLACE_GLOBAL) check_space(q, i, (enum place_space)s, c);
  }
  free(loop);
  return 0;
}
