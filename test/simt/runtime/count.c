#include "count.h"

#include "cache.h"
#include "extents.h"
#include "finding.h"
#include "registry.h"
#include "tally.h"

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
  struct simt_warp_access access;
  uint32_t next; // of its bucket, plus 1
};

// One for each worker: it runs one warp at a time.
struct counter {
  struct event logs[SIMT_WARP_LANES][LOG_EVENTS];
  uint32_t logged[SIMT_WARP_LANES];
  struct group groups[GROUPS];
  uint32_t group_count, buckets[BUCKETS];
};

static struct counter *counters[MAX_WORKERS];

bool simt_count_enabled(void) {
  return simt_registry_instrumentation() & SIMT_INSTRUMENT_COUNT && simt_environment_number("SIMT_COUNT", 1);
}

void simt_count_begin_launch(const struct simt_launch_state *launch) {
  (void)launch;
  for (uint32_t worker = 0; worker < simt_worker_count(); worker++) {
    if (!counters[worker])
      counters[worker] = calloc(1, sizeof **counters);
    if (!counters[worker])
      simt_fatal("no memory for counting");
    simt_tally_clear(worker);
  }
  simt_cache_begin_launch();
}

void simt_count_end_launch(const struct simt_launch_state *launch) { simt_tally_print(launch); }

void simt_count_begin_team(const struct simt_team *team) { simt_cache_begin_team(team->worker); }

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

static const char *array_name(const struct simt_extent *extent, char *room, size_t bytes) {
  if (!extent)
    return "unknown";
  if (extent->argument >= 0)
    snprintf(room, bytes, "argument-%d(%s)", extent->argument, extent->name);
  else
    snprintf(room, bytes, "%s", *extent->name ? extent->name : "unnamed");
  return room;
}

static void count_shared(struct simt_team *team, const struct group *group, uint64_t address,
                         struct simt_counts *counts) {
  const struct simt_shared_variable *variable = simt_registry_shared_at(address - (uint64_t)(uintptr_t)team->shared);
  counts->passes = simt_bank_passes(&group->access);
  simt_tally_add(team->worker, group->site, SIMT_SHARED, variable ? variable->name : "(dynamic)", counts);
}

// Each sector once, in the order of the lanes, through L1 (loads only: stores go past it) and L2.
static void look_up_sectors(struct simt_team *team, const struct group *group, struct simt_counts *counts) {
  uint64_t seen[SIMT_WARP_LANES * 2];
  uint32_t seen_count = 0;
  bool loads = group->site->access == SIMT_LOAD || group->site->access == SIMT_READONLY_LOAD;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++) {
    if (!(group->access.lanes >> lane & 1))
      continue;
    uint64_t sector = group->access.address[lane] / 32;
    bool known = false;
    for (uint32_t i = 0; i < seen_count; i++)
      known = known || seen[i] == sector;
    if (known)
      continue;
    seen[seen_count++] = sector;
    bool hit = loads && simt_cache_l1(team->worker, sector);
    counts->l1_hits += hit;
    if (!hit)
      counts->l2_hits += simt_cache_l2(sector);
  }
}

// Where the address would lie had the array been allocated as CUDA does it, from a multiple of 256 bytes. Doubling the
// start keeps arrays apart.
static uint64_t device_address(const struct simt_extent **extent, uint64_t address) {
  const char *pointer = (const char *)(uintptr_t)address;
  if (!*extent || pointer < (*extent)->begin || pointer >= (*extent)->end)
    *extent = simt_extents_find(pointer, 1);
  if (!*extent)
    return address;
  uint64_t begin = (uint64_t)(uintptr_t)(*extent)->begin;
  return ((2 * begin + 255) & ~(uint64_t)255) + (address - begin);
}

static void to_device_addresses(const struct simt_extent *extent, struct simt_warp_access *access) {
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (access->lanes >> lane & 1)
      access->address[lane] = device_address(&extent, access->address[lane]);
}

static void count_group(struct simt_team *team, struct group *group) {
  uint64_t address = group->access.address[__builtin_ctz(group->access.lanes)];
  struct simt_counts counts = {.warp_accesses = 1, .lane_accesses = (uint64_t)__builtin_popcount(group->access.lanes)};
  const char *pointer = (const char *)(uintptr_t)address;
  if (pointer >= team->shared && pointer < team->shared + team->shared_bytes) {
    count_shared(team, group, address, &counts);
    return;
  }
  const struct simt_extent *extent = simt_extents_find(pointer, 1);
  bool constant = extent && extent->variable && extent->variable->space == SIMT_CONSTANT;
  char name[96];
  if (constant) {
    counts.distinct = simt_distinct_addresses(&group->access);
  } else {
    to_device_addresses(extent, &group->access);
    counts.sectors = simt_pieces(&group->access, 32);
    counts.segments = simt_pieces(&group->access, 128);
    look_up_sectors(team, group, &counts);
  }
  simt_tally_add(team->worker, group->site, constant ? SIMT_CONSTANT : SIMT_GLOBAL,
                 array_name(extent, name, sizeof name), &counts);
}

static uint32_t bucket_of(const struct event *event) {
  return (uint32_t)((event->iteration ^ (uintptr_t)event->site >> 4) * 0x9E3779B97F4A7C15u >> 48) % BUCKETS;
}

static bool fits(const struct group *group, const struct event *event, uint32_t lane) {
  return group->site == event->site && group->iteration == event->iteration && !(group->access.lanes >> lane & 1);
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
  group->access.lanes = 0;
  group->access.bytes = event->site->bytes;
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
    struct simt_warp_access *access = &counter->groups[number].access;
    access->lanes |= 1u << lane;
    access->address[lane] = event->address;
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
