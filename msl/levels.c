/* The level graph: names resolved, omitted lists inferred, cycles and contradictions refused. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Bit j of row i: j is below i. direct: as the lists say; below: transitively. */
struct graph {
  struct msl_reader *reader;
  unsigned count;
  uint64_t direct[MSL_MAX_MEMORIES], below[MSL_MAX_MEMORIES];
};

static bool has(const uint64_t rows[MSL_MAX_MEMORIES], unsigned row, unsigned column) {
  return row < MSL_MAX_MEMORIES && (rows[row] >> column & 1);
}

static int find(const struct msl_reader *reader, const struct msl_reference *reference) {
  for (unsigned i = 0; i < reader->count; i++) {
    const struct place_memory *memory = &reader->memories[i];
    if (reference->by_name ? !strcmp(memory->name, reference->name) : memory->id == reference->id)
      return (int)i;
  }
  return -1;
}

static bool resolve_one(struct msl_reader *reader, unsigned self, const struct msl_reference *reference, uint64_t *seen,
                        unsigned *index) {
  int found = find(reader, reference);
  if (found < 0 && reference->by_name)
    msl_error(reader, reference->at, "there is no memory '%s'", reference->name);
  else if (found < 0)
    msl_error(reader, reference->at, "there is no memory with id %llu", (unsigned long long)reference->id);
  else if ((unsigned)found == self)
    msl_error(reader, reference->at, "'%s' is listed as a level of itself", reader->memories[self].name);
  else if (*seen >> found & 1)
    msl_error(reader, reference->at, "'%s' is listed twice", reader->memories[found].name);
  else {
    *seen |= (uint64_t)1 << found;
    *index = (unsigned)found;
    return true;
  }
  return false;
}

static bool resolve_list(struct msl_reader *reader, unsigned self, struct msl_levels *levels,
                         const struct msl_references *references) {
  unsigned indices[MSL_MAX_MEMORIES], count = 0;
  uint64_t seen = 0;
  for (unsigned i = 0; i < references->count; i++)
    count += resolve_one(reader, self, &references->items[i], &seen, &indices[count]);
  unsigned *memory = msl_arena_copy(reader->arena, indices, count * sizeof indices[0]);
  reader->out_of_memory |= !memory;
  levels->memory = memory;
  levels->count = memory ? count : 0;
  return count == references->count && memory;
}

static void add_edges(struct graph *graph) {
  for (unsigned i = 0; i < graph->count; i++) {
    const struct place_memory *memory = &graph->reader->memories[i];
    for (unsigned k = 0; k < memory->lower.count; k++)
      graph->direct[i] |= (uint64_t)1 << memory->lower.memory[k];
    for (unsigned k = 0; k < memory->upper.count; k++)
      graph->direct[memory->upper.memory[k]] |= (uint64_t)1 << i;
  }
}

static void close_graph(struct graph *graph) {
  memcpy(graph->below, graph->direct, sizeof graph->below);
  for (unsigned via = 0; via < graph->count; via++)
    for (unsigned i = 0; i < graph->count; i++)
      if (has(graph->below, i, via))
        graph->below[i] |= graph->below[via];
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

/* A memory directly below `at` from which `start` can be reached again and that was not visited; `count` if none. */
static unsigned next_on_cycle(const struct graph *graph, unsigned at, unsigned start, uint64_t visited) {
  for (unsigned next = 0; next < graph->count; next++)
    if (has(graph->direct, at, next) && has(graph->below, next, start) && !(visited >> next & 1))
      return next;
  return graph->count;
}

static void describe_cycle(const struct graph *graph, unsigned start, char *text, size_t bytes) {
  const struct place_memory *memories = graph->reader->memories;
  size_t used = (size_t)snprintf(text, bytes, "%s", memories[start].name);
  uint64_t visited = (uint64_t)1 << start;
  for (unsigned at = start; !has(graph->direct, at, start) && used < bytes;) {
    at = next_on_cycle(graph, at, start, visited);
    if (at >= graph->count)
      break;
    visited |= (uint64_t)1 << at;
    used += (size_t)snprintf(text + used, bytes - used, ", %s", memories[at].name);
  }
  if (used < bytes)
    snprintf(text + used, bytes - used, ", %s", memories[start].name);
}

static bool find_cycle(const struct graph *graph) {
  for (unsigned i = 0; i < graph->count; i++)
    if (has(graph->below, i, i)) {
      char text[MSL_MESSAGE_BYTES];
      describe_cycle(graph, i, text, sizeof text);
      msl_error(graph->reader, graph->reader->drafts[i].at[0], "the levels form a cycle downwards: %s", text);
      return true;
    }
  return false;
}

/* ---- contradictions ---------------------------------------------------------------------------------------------- */

/* `other` lies below (or above) self: by self's list. Does the list of `other` know, directly or through another? */
static bool knows(const struct graph *graph, const struct msl_levels *levels, unsigned self, bool upwards) {
  if (levels->state != MSL_GIVEN)
    return true;
  for (unsigned k = 0; k < levels->count; k++) {
    unsigned via = levels->memory[k];
    if (via == self || (upwards ? has(graph->below, self, via) : has(graph->below, via, self)))
      return true;
  }
  return false;
}

static void check_lower(struct graph *graph, unsigned self) {
  const struct place_memory *memories = graph->reader->memories;
  const struct msl_references *written = &graph->reader->drafts[self].lower;
  const struct msl_levels *lower = &memories[self].lower;
  for (unsigned k = 0; k < lower->count; k++) {
    unsigned other = lower->memory[k];
    if (!knows(graph, &memories[other].upper, self, true))
      msl_error(graph->reader, written->items[k].at, "'%s' does not list '%s' among its upper levels",
                memories[other].name, memories[self].name);
    if (k && has(graph->below, other, lower->memory[k - 1]))
      msl_error(graph->reader, written->items[k].at, "nearest first: '%s' is above '%s'", memories[other].name,
                memories[lower->memory[k - 1]].name);
  }
}

static void check_upper(struct graph *graph, unsigned self) {
  const struct place_memory *memories = graph->reader->memories;
  const struct msl_references *written = &graph->reader->drafts[self].upper;
  const struct msl_levels *upper = &memories[self].upper;
  for (unsigned k = 0; k < upper->count; k++) {
    unsigned other = upper->memory[k];
    if (!knows(graph, &memories[other].lower, self, false))
      msl_error(graph->reader, written->items[k].at, "'%s' does not list '%s' among its lower levels",
                memories[other].name, memories[self].name);
    if (k && has(graph->below, upper->memory[k - 1], other))
      msl_error(graph->reader, written->items[k].at, "nearest first: '%s' is below '%s'", memories[other].name,
                memories[upper->memory[k - 1]].name);
  }
}

/* ---- inference --------------------------------------------------------------------------------------------------- */

static unsigned members_between(const struct graph *graph, uint64_t set, unsigned member, bool lower) {
  unsigned count = 0;
  for (unsigned i = 0; i < graph->count; i++)
    count += (set >> i & 1) && (lower ? has(graph->below, i, member) : has(graph->below, member, i));
  return count;
}

/* The members of a set, nearest first: fewer members lie between. */
static void infer(struct graph *graph, struct msl_levels *levels, uint64_t set, bool lower) {
  unsigned indices[MSL_MAX_MEMORIES], count = 0;
  for (unsigned between = 0; between < graph->count; between++)
    for (unsigned i = 0; i < graph->count; i++)
      if ((set >> i & 1) && members_between(graph, set, i, lower) == between)
        indices[count++] = i;
  unsigned *memory = msl_arena_copy(graph->reader->arena, indices, count * sizeof indices[0]);
  graph->reader->out_of_memory |= !memory;
  levels->memory = memory;
  levels->count = memory ? count : 0;
}

static void infer_omitted(struct graph *graph) {
  for (unsigned i = 0; i < graph->count; i++) {
    struct place_memory *memory = &graph->reader->memories[i];
    uint64_t above = 0;
    for (unsigned j = 0; j < graph->count; j++)
      above |= (uint64_t)has(graph->below, j, i) << j;
    if (memory->upper.state == MSL_OM)
      infer(graph, &memory->upper, above, false);
    if (memory->lower.state == MSL_OM)
      infer(graph, &memory->lower, graph->below[i], true);
  }
}

void msl_resolve_levels(struct msl_reader *reader) {
  struct graph graph = {.reader = reader, .count = reader->count};
  bool resolved = true;
  for (unsigned i = 0; i < reader->count; i++) {
    resolved &= resolve_list(reader, i, &reader->memories[i].upper, &reader->drafts[i].upper);
    resolved &= resolve_list(reader, i, &reader->memories[i].lower, &reader->drafts[i].lower);
  }
  if (!resolved)
    return;
  add_edges(&graph);
  close_graph(&graph);
  if (find_cycle(&graph))
    return;
  for (unsigned i = 0; i < reader->count; i++) {
    check_lower(&graph, i);
    check_upper(&graph, i);
  }
  infer_omitted(&graph);
}
