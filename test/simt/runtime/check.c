#include "check.h"

#include "constants.h"
#include "extents.h"
#include "finding.h"
#include "placement.h"
#include "registry.h"
#include "shadow.h"

#include <stdio.h>
#include <string.h>

enum { SCRATCH_BYTES = 4096, CACHE_SLOTS = 512 };

// Stands in for memory that must not be touched, so that the run can go on to further findings.
static __thread char scratch[SCRATCH_BYTES] __attribute__((aligned(64)));

// The extent that each site met last.
static __thread struct {
  const struct simt_site *site;
  struct simt_extent *extent;
  uint64_t launch;
} cache[CACHE_SLOTS];

bool simt_check_enabled(void) {
  return simt_registry_instrumentation() & SIMT_INSTRUMENT_CHECK && simt_environment_number("SIMT_CHECK", 1);
}

static uint64_t shared_bytes(const struct simt_team *team) {
  return team->launch->static_shared_bytes + team->launch->dynamic_shared_bytes;
}

void simt_check_reserve(struct simt_team *team) { simt_shadow_reserve(team, shared_bytes(team)); }

static const char *verb(const struct simt_site *site) {
  switch ((enum simt_access)site->access) {
  case SIMT_STORE:
    return "writes";
  case SIMT_ATOMIC:
    return "updates";
  case SIMT_READONLY_LOAD:
    return "reads as read-only";
  default:
    return "reads";
  }
}

static bool writes(const struct simt_site *site) { return site->access == SIMT_STORE || site->access == SIMT_ATOMIC; }

static void *refuse(const struct simt_site *site, uint64_t bytes) {
  if (bytes > SCRATCH_BYTES)
    simt_fatal("cannot go on after this finding: %llu bytes at once", (unsigned long long)bytes);
  if (!writes(site))
    memset(scratch, 0, bytes);
  return scratch;
}

// "argument 2 (taps)", or the variable's name.
static const char *describe(const struct simt_extent *extent, char *room, size_t bytes) {
  if (extent->argument >= 0)
    snprintf(room, bytes, "argument %d (%s)", extent->argument, *extent->name ? extent->name : "name unknown");
  else if (extent->variable)
    snprintf(room, bytes, "variable %s", extent->name);
  else
    snprintf(room, bytes, "a mapped array");
  return room;
}

// What is found is told out of line: nearly all accesses are good, and need no room for messages.
#define RARE __attribute__((noinline, cold))

RARE static void report_outside(const struct simt_site *site, const char *address, uint64_t bytes) {
  struct simt_extent *extent = NULL;
  if (site->argument != SIMT_NO_ARGUMENT)
    extent = simt_extents_of_argument(site->argument);
  if (!extent)
    extent = simt_extents_nearest_below(address);
  char name[128];
  if (extent)
    simt_finding("global-bounds", site, "%s %llu bytes at offset %lld of %s, which has %llu bytes", verb(site),
                 (unsigned long long)bytes, (long long)(address - extent->begin), describe(extent, name, sizeof name),
                 (unsigned long long)(extent->end - extent->begin));
  else
    simt_finding("global-bounds", site, "%s %llu bytes at %p, which is in no mapped array", verb(site),
                 (unsigned long long)bytes, (const void *)address);
}

static inline struct simt_extent *find_extent(const struct simt_site *site, const char *address, uint64_t bytes) {
  uint64_t launch = simt_team->launch->number;
  size_t slot = site->number % CACHE_SLOTS;
  struct simt_extent *extent = cache[slot].extent;
  if (cache[slot].site == site && cache[slot].launch == launch && address >= extent->begin &&
      address + bytes <= extent->end)
    return extent;
  extent = simt_extents_find(address, bytes);
  if (!extent)
    return NULL;
  cache[slot].site = site;
  cache[slot].extent = extent;
  cache[slot].launch = launch;
  return extent;
}

RARE static void report_readonly(const struct simt_site *site, const struct simt_extent *extent,
                                 const struct simt_site *other) {
  char name[128];
  simt_finding("readonly-write", site, "%s %s, which %s %s at line %u of the same launch", verb(site),
               describe(extent, name, sizeof name), other->function, verb(other), other->line);
}

// An array that any thread of a launch reads through the read-only path must not be written by any other.
static void check_readonly(const struct simt_site *site, struct simt_extent *extent) {
  if (site->access == SIMT_READONLY_LOAD) {
    if (!atomic_load_explicit(&extent->readonly_site, memory_order_relaxed))
      atomic_store(&extent->readonly_site, site);
    const struct simt_site *other = atomic_load(&extent->write_site);
    if (other)
      report_readonly(site, extent, other);
  } else if (writes(site)) {
    if (!atomic_load_explicit(&extent->write_site, memory_order_relaxed))
      atomic_store(&extent->write_site, site);
    const struct simt_site *other = atomic_load(&extent->readonly_site);
    if (other)
      report_readonly(site, extent, other);
  }
}

RARE static void report_copied(const struct simt_site *site, const struct simt_copy *copy) {
  simt_finding("copied-write", site, "%s argument %d (%s), of which this version reads a copy in %s memory", verb(site),
               copy->argument, copy->array, copy->constant ? "constant" : "shared");
}

// Readers of a copy do not see what is written to the array itself.
static void check_copies(const struct simt_site *site, const char *address, uint64_t bytes) {
  const struct simt_copy *copy = simt_placement_copied_at(address, bytes);
  if (copy)
    report_copied(site, copy);
}

static bool check_constant(const struct simt_site *site, const struct simt_extent *extent, const char *address,
                           uint64_t bytes) {
  char name[128];
  if (writes(site)) {
    simt_finding("constant-write", site, "%s %s, which device code must not write", verb(site),
                 describe(extent, name, sizeof name));
    return false;
  }
  if (!extent->variable)
    return true;
  long long offset = address - extent->begin;
  switch (simt_constants_check(extent->variable, address, bytes, site, simt_team->launch->number)) {
  case SIMT_CONSTANT_UNWRITTEN:
    simt_finding("constant-slot", site, "reads offset %lld of %s, where the host has put no array", offset,
                 describe(extent, name, sizeof name));
    break;
  case SIMT_CONSTANT_OTHER_SLOT:
    simt_finding("constant-slot", site, "reads offset %lld of %s, in another array's slot than before in this launch",
                 offset, describe(extent, name, sizeof name));
    break;
  case SIMT_CONSTANT_GOOD:
    break;
  }
  return true;
}

static void *check_global(char *address, uint64_t bytes, const struct simt_site *site) {
  struct simt_extent *extent = find_extent(site, address, bytes);
  if (!extent) {
    report_outside(site, address, bytes);
    return refuse(site, bytes);
  }
  if (extent->constant)
    return check_constant(site, extent, address, bytes) ? address : refuse(site, bytes);
  if (site->access != SIMT_LOAD)
    check_readonly(site, extent);
  if (writes(site))
    check_copies(site, address, bytes);
  return address;
}

// The static variable that begins nearest below the offset.
static const struct simt_shared_variable *variable_below(uint64_t offset) {
  const struct simt_shared_variable *best = NULL, *variable;
  for (size_t i = 0; (variable = simt_registry_shared(i)); i++)
    if (*variable->offset <= offset && (!best || *variable->offset > *best->offset))
      best = variable;
  return best;
}

RARE static void report_shared(const struct simt_team *team, int64_t offset, uint64_t bytes, const struct simt_site *site) {
  int64_t fixed = (int64_t)team->launch->static_shared_bytes;
  const struct simt_shared_variable *variable = offset >= 0 && offset < fixed ? variable_below((uint64_t)offset) : NULL;
  if (variable) {
    simt_finding("shared-bounds", site, "%s %llu bytes at offset %lld of shared %s, which has %llu", verb(site),
                 (unsigned long long)bytes, (long long)(offset - (int64_t)*variable->offset), variable->name,
                 (unsigned long long)variable->bytes);
    return;
  }
  simt_finding("shared-bounds", site,
               "%s %llu bytes at offset %lld of the team's dynamic shared memory%s%s, which has %llu", verb(site),
               (unsigned long long)bytes, (long long)(offset - fixed), *site->variable ? ", through " : "",
               site->variable, (unsigned long long)team->launch->dynamic_shared_bytes);
}

static void *check_shared(struct simt_team *team, char *address, uint64_t bytes, const struct simt_site *site) {
  uint64_t offset = (uint64_t)(address - team->shared), fixed = team->launch->static_shared_bytes;
  const struct simt_shared *shared = NULL;
  bool inside = address >= team->shared && offset + bytes <= shared_bytes(team);
  if (inside && offset < fixed) {
    shared = simt_registry_shared_at(offset);
    inside = shared && offset + bytes <= *shared->variable->offset + shared->variable->bytes;
  }
  if (!inside) {
    report_shared(team, address - team->shared, bytes, site);
    return refuse(site, bytes);
  }
  simt_shadow_access(team, offset, bytes, site, shared);
  return address;
}

RARE static void report_misaligned(const struct simt_site *site, const char *address, uint64_t bytes) {
  simt_finding("misaligned", site, "%s %llu bytes at %p, which is no multiple of %u", verb(site), (unsigned long long)bytes,
               (const void *)address, site->multiple);
}

static void *check_local(const struct simt_team *team, char *address, uint64_t bytes, const struct simt_site *site) {
  const char *low = simt_stack_low(&team->stacks, simt_self->thread);
  const char *high = simt_stack_high(&team->stacks, simt_self->thread);
  if (address >= low && address + bytes <= high)
    return address;
  simt_finding("local-bounds", site, "%s %llu bytes of another thread's private memory", verb(site),
               (unsigned long long)bytes);
  return refuse(site, bytes);
}

static inline void *check_range(char *address, uint64_t bytes, const struct simt_site *site) {
  struct simt_team *team = simt_team;
  if (!team || !team->launch->checking || !bytes)
    return address;
  if (site->multiple && (uintptr_t)address & (site->multiple - 1)) // a GPU ends the kernel
    report_misaligned(site, address, bytes);
  if (site->space == SIMT_SHARED || (address >= team->shared && address < team->shared + team->shared_bytes))
    return check_shared(team, address, bytes, site);
  if (simt_stacks_hold(&team->stacks, address))
    return check_local(team, address, bytes, site);
  return check_global(address, bytes, site);
}

void *simt_check_range(void *pointer, uint64_t bytes, const struct simt_site *site) { return check_range(pointer, bytes, site); }

void *simt_check(void *pointer, const struct simt_site *site) { return check_range(pointer, site->bytes, site); }
