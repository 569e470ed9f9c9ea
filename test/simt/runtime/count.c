#include "count.h"

#include "extents.h"
#include "finding.h"
#include "layout.h"
#include "placement.h"
#include "registry.h"
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, LOG_EVENTS = 8192, GROUPS = 32768, BUCKETS = 65536 };

struct event {
  const struct simt_site *site;
  uint64_t iteration;
  uint64_t address;
};

// The lanes' accesses at one site in one iteration. A lane that comes there again (through a call) starts another.
struct group {
  const struct simt_site *site;
  uint64_t iteration;
  uint32_t lanes; // bits
  uint32_t next;  // of its bucket, plus 1
  uint64_t address[SIMT_WARP_LANES];
};

// One for each worker: it runs one warp at a time.
struct counter {
  struct event logs[SIMT_WARP_LANES][LOG_EVENTS];
  uint32_t logged[SIMT_WARP_LANES];
  struct group groups[GROUPS];
  uint32_t group_count, buckets[BUCKETS];
};

static struct counter *counters[MAX_WORKERS];
static const struct simt_model *model;

bool simt_count_enabled(void) {
  return simt_registry_instrumentation() & SIMT_INSTRUMENT_COUNT && simt_environment_number("SIMT_COUNT", 1);
}

void simt_count_begin_launch(const struct simt_launch_state *launch) {
  (void)launch;
  model = simt_model_load();
  for (uint32_t worker = 0; worker < simt_worker_count(); worker++) {
    if (!counters[worker])
      counters[worker] = calloc(1, sizeof **counters);
    if (!counters[worker])
      simt_fatal("no memory for counting");
    simt_tally_clear(worker);
  }
  simt_layout_begin_launch();
  simt_replay_begin_launch(model);
}

void simt_count_end_launch(const struct simt_launch_state *launch) { simt_tally_print(launch, model); }

void simt_count_begin_team(struct simt_team *team) { team->trace = simt_replay_begin_team(team->number); }

void simt_count_end_team(struct simt_team *team) { simt_replay_end_team(team->trace); }

void simt_count(const void *pointer, uint64_t iteration, const struct simt_site *site) {
  struct simt_team *team = simt_team;
  if (!team || !team->launch->counting)
    return;
  struct counter *counter = counters[team->worker];
  uint32_t lane = simt_self->lane;
  if (counter->logged[lane] == LOG_EVENTS)
    simt_team_wait(SIMT_LOG_FULL, site);
  counter->logs[lane][counter->logged[lane]++] =
      (struct event){.site = site, .iteration = iteration, .address = (uint64_t)(uintptr_t)pointer};
}

// What a warp access touches, as far as its first lane tells.
struct target {
  enum simt_count_space space;
  const void *object; // null: unknown
  const struct simt_copy *copy;
  const struct simt_extent *extent;
  const struct simt_shared_variable *shared;
};

static struct target shared_target(const struct simt_team *team, const char *pointer) {
  struct target target = {.space = SIMT_COUNT_SHARED};
  uint64_t offset = (uint64_t)(pointer - team->shared), fixed = team->launch->static_shared_bytes;
  if (offset < fixed) {
    const struct simt_shared *shared = simt_registry_shared_at(offset);
    target.object = target.shared = shared ? shared->variable : NULL;
  } else {
    target.object = target.copy = simt_placement_shared_at((int64_t)(offset - fixed));
  }
  return target;
}

static struct target target_of(const struct simt_team *team, const char *pointer, const struct simt_site *site) {
  if (pointer >= team->shared && pointer < team->shared + team->shared_bytes)
    return shared_target(team, pointer);
  if (simt_stacks_hold(&team->stacks, pointer))
    return (struct target){.space = SIMT_COUNT_LOCAL, .object = &team->stacks};
  const struct simt_extent *extent = simt_extents_find(pointer, 1);
  struct target target = {.space = SIMT_COUNT_GLOBAL, .object = extent, .extent = extent};
  if (site->access == SIMT_READONLY_LOAD)
    target.space = SIMT_COUNT_READONLY;
  if (!extent || !extent->variable || extent->variable->space != SIMT_CONSTANT)
    return target;
  target.space = SIMT_COUNT_CONSTANT;
  if (strcmp(extent->variable->name, PLACE_CONST_SYMBOL) == 0)
    target.copy = simt_placement_constant_at(pointer - extent->begin);
  if (target.copy)
    target.object = target.copy;
  return target;
}

// The array's name in the source, "argN" (N as in the region tables) where the image does not tell it, a variable's name.
static void name_row(struct simt_row *row, const struct target *target) {
  char *name = row->array;
  size_t room = sizeof row->array;
  const char *through = *row->site->variable ? row->site->variable : "(dynamic)";
  if (target->copy)
    snprintf(name, room, "%s", target->copy->array);
  else if (target->space == SIMT_COUNT_SHARED)
    snprintf(name, room, "%s", target->shared ? target->shared->name : through);
  else if (target->space == SIMT_COUNT_LOCAL || !target->extent)
    snprintf(name, room, "%s", target->space == SIMT_COUNT_LOCAL ? "(private)" : "(unknown)");
  else if (target->extent->argument >= 0 && simt_placement_argument_name(target->extent->argument))
    snprintf(name, room, "%s", simt_placement_argument_name(target->extent->argument));
  else if (*target->extent->name)
    snprintf(name, room, "%.*s", (int)strcspn(target->extent->name, "["), target->extent->name); // "in[0:N]" is in
  else if (target->extent->argument >= 0)
    snprintf(name, room, "arg%d", target->extent->argument - 1);
  else
    snprintf(name, room, "(mapped)");
}

// The addresses of the active lanes as a memory sees them, packed; *base is where the array's allocation begins.
static unsigned gather(const struct simt_team *team, const struct group *group, enum simt_count_space space,
                       uint64_t *addresses, uint64_t *base) {
  unsigned count = 0;
  uint64_t ignored;
  *base = 0;
  for (unsigned lane = 0; lane < SIMT_WARP_LANES; lane++) {
    if (!(group->lanes >> lane & 1))
      continue;
    if (space == SIMT_COUNT_SHARED)
      addresses[count] = group->address[lane] - (uint64_t)(uintptr_t)team->shared;
    else
      addresses[count] = simt_layout_address((const void *)(uintptr_t)group->address[lane], count ? &ignored : base);
    count++;
  }
  return count;
}

static void count_group(struct simt_team *team, struct group *group) {
  const char *pointer = (const char *)(uintptr_t)group->address[__builtin_ctz(group->lanes)];
  struct target target = target_of(team, pointer, group->site);
  struct simt_row *row = simt_tally_row(team->worker, group->site, target.space, target.object);
  const struct simt_chain *chain = &model->chain[target.space];
  uint64_t addresses[SIMT_WARP_LANES], base;
  unsigned lanes = gather(team, group, target.space, addresses, &base);
  if (!*row->array)
    name_row(row, &target);
  row->counts.warp_accesses++;
  row->counts.lane_accesses += lanes;
  for (unsigned j = 0; j < chain->count; j++) {
    const struct place_memory *memory = chain->level[j].memory;
    unsigned transactions = msl_transactions_of_array(memory, addresses, lanes, base, group->site->bytes);
    row->counts.level_transactions[j] += transactions;
    if (memory == chain->memory)
      row->counts.transactions += transactions;
  }
  if (chain->count && target.space != SIMT_COUNT_SHARED)
    simt_replay_record(team->trace, row, addresses, lanes, group->site->bytes);
}

static uint32_t bucket_of(const struct event *event) {
  return (uint32_t)((event->iteration ^ (uintptr_t)event->site >> 4) * 0x9E3779B97F4A7C15u >> 48) % BUCKETS;
}

static bool fits(const struct group *group, const struct event *event, uint32_t lane) {
  return group->site == event->site && group->iteration == event->iteration && !(group->lanes >> lane & 1);
}

static void count_all(struct simt_team *team, struct counter *counter) {
  for (uint32_t i = 0; i < counter->group_count; i++)
    count_group(team, &counter->groups[i]);
  counter->group_count = 0;
  memset(counter->buckets, 0, sizeof counter->buckets);
}

// The group for a lane's event: the guess if it fits (lanes in step follow the same order), else by its hash.
static uint32_t group_for(struct counter *counter, const struct event *event, uint32_t lane, uint32_t guess) {
  if (guess < counter->group_count && fits(&counter->groups[guess], event, lane))
    return guess;
  uint32_t *bucket = &counter->buckets[bucket_of(event)];
  for (uint32_t i = *bucket; i; i = counter->groups[i - 1].next)
    if (fits(&counter->groups[i - 1], event, lane))
      return i - 1;
  struct group *group = &counter->groups[counter->group_count++];
  group->site = event->site;
  group->iteration = event->iteration;
  group->lanes = 0;
  group->next = *bucket;
  *bucket = counter->group_count;
  return counter->group_count - 1;
}

static void match_lane(struct simt_team *team, struct counter *counter, uint32_t lane) {
  uint32_t guess = 0;
  for (uint32_t i = 0; i < counter->logged[lane]; i++) {
    const struct event *event = &counter->logs[lane][i];
    if (counter->group_count == GROUPS)
      count_all(team, counter);
    uint32_t number = group_for(counter, event, lane, guess);
    counter->groups[number].lanes |= 1u << lane;
    counter->groups[number].address[lane] = event->address;
    guess = number + 1;
  }
  counter->logged[lane] = 0;
}

bool simt_count_warp_stalled(struct simt_team *team, uint32_t warp) {
  struct counter *counter = counters[team->worker];
  bool any = false;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++) {
    match_lane(team, counter, lane);
    uint32_t number = warp * SIMT_WARP_LANES + lane;
    if (number < team->thread_count && team->threads[number].state == SIMT_LOG_FULL) {
      team->threads[number].state = SIMT_READY;
      any = true;
    }
  }
  if (counter->group_count)
    count_all(team, counter);
  return any;
}
