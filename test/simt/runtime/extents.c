#include "extents.h"

#include "constants.h"
#include "finding.h"
#include "registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 256, LAUNCH_ENVIRONMENT_BYTES = 16 };

// An extent that outlives a launch: a mapping (host set) or an allocation.
struct entry {
  struct simt_extent extent;
  const void *host;
  int device;
  struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static struct entry *removed; // freed when no launch can hold them

// The launch that runs: all extents sorted by begin, with the farthest end of those up to and including each.
static struct {
  struct simt_extent **extents;
  const char **farthest;
  size_t count, capacity;
  struct simt_extent *of_argument[MAX_ARGUMENTS];
  struct simt_extent *owned; // made for this launch: arguments, image variables, the launch's own memory
  size_t owned_count, owned_capacity;
} active;

static struct entry *add_entry(const void *begin, uint64_t bytes) {
  struct entry *entry = calloc(1, sizeof *entry);
  if (!entry)
    simt_fatal("no memory for an extent");
  entry->extent.begin = begin;
  entry->extent.end = (const char *)begin + bytes;
  entry->extent.argument = -1;
  entry->next = entries;
  entries = entry;
  return entry;
}

void simt_extents_note_mapped(int device, const void *host, uint64_t bytes) {
  const char *begin = simt_mapped_pointer(host, device);
  if (!begin)
    return;
  pthread_mutex_lock(&lock);
  bool known = false;
  for (struct entry *e = entries; e && !known; e = e->next)
    known = e->host == host && e->extent.begin == begin && e->extent.end >= begin + bytes;
  if (!known) {
    struct entry *entry = add_entry(begin, bytes);
    entry->host = host;
    entry->device = device;
  }
  pthread_mutex_unlock(&lock);
}

static void retire(struct entry *entry) {
  entry->next = removed;
  removed = entry;
}

static void free_removed(void) {
  while (removed) {
    struct entry *entry = removed;
    removed = entry->next;
    free(entry);
  }
}

// libomptarget never calls us with its own lock held, so asking it under ours is safe.
static bool still_mapped(const struct entry *entry) {
  return simt_mapped_pointer(entry->host, entry->device) == (const void *)entry->extent.begin;
}

void simt_extents_recheck(void) {
  pthread_mutex_lock(&lock);
  for (struct entry **link = &entries; *link;) {
    struct entry *entry = *link;
    if (entry->host && !still_mapped(entry)) {
      *link = entry->next;
      retire(entry);
    } else {
      link = &entry->next;
    }
  }
  pthread_mutex_unlock(&lock);
}

void simt_extents_note_allocated(void *memory, uint64_t bytes) {
  if (!memory)
    return;
  pthread_mutex_lock(&lock);
  add_entry(memory, bytes);
  pthread_mutex_unlock(&lock);
}

void simt_extents_note_freed(void *memory) {
  pthread_mutex_lock(&lock);
  for (struct entry **link = &entries; *link; link = &(*link)->next)
    if (!(*link)->host && (*link)->extent.begin == (const char *)memory) {
      struct entry *entry = *link;
      *link = entry->next;
      retire(entry);
      break;
    }
  pthread_mutex_unlock(&lock);
}

void simt_extents_note_written(const void *memory, uint64_t bytes) {
  if (memory)
    simt_constants_note_written(memory, bytes);
}

static void activate(struct simt_extent *extent) {
  if (active.count == active.capacity) {
    active.capacity = active.capacity ? 2 * active.capacity : 256;
    active.extents = realloc(active.extents, active.capacity * sizeof *active.extents);
    active.farthest = realloc(active.farthest, active.capacity * sizeof *active.farthest);
    if (!active.extents || !active.farthest)
      simt_fatal("no memory for extents");
  }
  atomic_store(&extent->readonly_site, NULL);
  atomic_store(&extent->write_site, NULL);
  active.extents[active.count++] = extent;
}

// `owned` never grows during a launch: pointers into it stay valid.
static struct simt_extent *add_owned(const void *begin, uint64_t bytes) {
  if (active.owned_count == active.owned_capacity)
    simt_fatal("more extents than expected");
  struct simt_extent *extent = &active.owned[active.owned_count++];
  *extent = (struct simt_extent){.begin = begin, .end = (const char *)begin + bytes, .argument = -1};
  activate(extent);
  return extent;
}

// Copies the first field of ";name;file;line;column;;".
static void copy_name(char *to, size_t room, const char *location) {
  *to = '\0';
  if (!location || *location != ';')
    return;
  size_t length = strcspn(location + 1, ";");
  snprintf(to, room, "%.*s", (int)length, location + 1);
}

static void add_image_variables(void) {
  const struct simt_global_variable *const *variables;
  size_t count = simt_registry_globals(&variables);
  for (size_t i = 0; i < count; i++) {
    struct simt_extent *extent = add_owned(variables[i]->address, variables[i]->bytes);
    extent->variable = variables[i];
    extent->constant = variables[i]->flags & SIMT_VARIABLE_READONLY;
    snprintf(extent->name, sizeof extent->name, "%s", variables[i]->name);
  }
}

// The launch environment (argument 0) and the buffer through which teams reduce.
static void add_launch_memory(const struct simt_launch_state *launch) {
  const char *environment = (const char *)(uintptr_t)launch->arguments[0]; // counters, then the buffer's address
  if (!launch->kernel->argument_count || !environment || environment == (const char *)UINTPTR_MAX)
    return;
  add_owned(environment, LAUNCH_ENVIRONMENT_BYTES);
  const char *buffer;
  memcpy(&buffer, environment + 8, sizeof buffer);
  uint64_t bytes = simt_reduction_buffer_bytes(launch->kernel);
  if (buffer && bytes)
    add_owned(buffer, bytes);
}

static int by_begin(const void *a, const void *b) {
  const struct simt_extent *x = *(struct simt_extent *const *)a, *y = *(struct simt_extent *const *)b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

static void sort_active(void) {
  qsort(active.extents, active.count, sizeof *active.extents, by_begin);
  const char *farthest = NULL;
  for (size_t i = 0; i < active.count; i++) {
    if (active.extents[i]->end > farthest)
      farthest = active.extents[i]->end;
    active.farthest[i] = farthest;
  }
}

// What this region maps itself, exactly: a kernel's argument,
static void add_argument(const struct simt_launch_state *launch, uint32_t entry, uint32_t argument) {
  const struct simt_request *request = launch->request;
  intptr_t skip = (const char *)request->map_begins[entry] - (const char *)request->map_bases[entry];
  const char *base = (const char *)(uintptr_t)launch->arguments[argument];
  struct simt_extent *extent = add_owned(base + skip, (uint64_t)request->map_bytes[entry]);
  extent->argument = (int)argument;
  active.of_argument[argument] = extent;
}

// or what it finds otherwise: members, and what pointers lead to that it knows by name.
static void add_found(const struct simt_request *request, uint32_t entry) {
  const void *begin = request->map_begins[entry] ? simt_mapped_pointer(request->map_begins[entry], 0) : NULL;
  if (begin)
    add_owned(begin, (uint64_t)request->map_bytes[entry]);
}

static void add_mapped_arguments(const struct simt_launch_state *launch) {
  const struct simt_request *request = launch->request;
  uint32_t argument = 1;
  for (uint32_t i = 0; i < request->map_count; i++) {
    bool passed = request->map_types[i] & SIMT_MAP_ARGUMENT, taken = passed && argument < launch->kernel->argument_count;
    if (request->map_bytes[i] > 0 && !(request->map_types[i] & SIMT_MAP_LITERAL)) {
      if (!taken)
        add_found(request, i);
      else if (argument < MAX_ARGUMENTS)
        add_argument(launch, i, argument);
    }
    argument += passed;
  }
}

// Finds the extents of the other pointer arguments and gives all arguments their names.
static void name_arguments(const struct simt_launch_state *launch) {
  const struct simt_request *request = launch->request;
  uint32_t argument = 1;
  for (uint32_t i = 0; i < request->map_count; i++) {
    if (!(request->map_types[i] & SIMT_MAP_ARGUMENT))
      continue;
    if (argument >= launch->kernel->argument_count || argument >= MAX_ARGUMENTS)
      return;
    struct simt_extent *extent = active.of_argument[argument];
    if (!extent)
      extent = simt_extents_find((const void *)(uintptr_t)launch->arguments[argument], 1);
    if (extent && !extent->variable) {
      if (extent->argument < 0)
        extent->argument = (int)argument;
      if (!*extent->name && request->map_names)
        copy_name(extent->name, sizeof extent->name, request->map_names[i]);
      active.of_argument[argument] = extent;
    }
    argument++;
  }
}

static void reserve_owned(const struct simt_launch_state *launch) {
  const struct simt_global_variable *const *variables;
  size_t wanted = simt_registry_globals(&variables) + launch->request->map_count + 8;
  if (wanted > active.owned_capacity) {
    free(active.owned);
    active.owned = calloc(wanted, sizeof *active.owned);
    active.owned_capacity = wanted;
  }
  if (!active.owned)
    simt_fatal("no memory for extents");
}

void simt_extents_begin_launch(const struct simt_launch_state *launch) {
  active.count = active.owned_count = 0;
  memset(active.of_argument, 0, sizeof active.of_argument);
  reserve_owned(launch);
  add_image_variables();
  add_launch_memory(launch);
  add_mapped_arguments(launch);
  pthread_mutex_lock(&lock);
  free_removed();
  for (struct entry *entry = entries; entry; entry = entry->next) {
    entry->extent.argument = -1;
    *entry->extent.name = '\0';
    activate(&entry->extent);
  }
  pthread_mutex_unlock(&lock);
  sort_active();
  name_arguments(launch);
  simt_constants_begin_launch();
}

// The number of active extents that begin at or below the address.
static size_t count_up_to(const char *address) {
  size_t low = 0, high = active.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (active.extents[middle]->begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Memory that device code allocated during this launch.
static struct simt_extent *find_entry(const char *address, uint64_t bytes) {
  struct simt_extent *found = NULL;
  pthread_mutex_lock(&lock);
  for (struct entry *e = entries; e && !found; e = e->next)
    if (!e->host && address >= e->extent.begin && address + bytes <= e->extent.end)
      found = &e->extent;
  pthread_mutex_unlock(&lock);
  return found;
}

struct simt_extent *simt_extents_find(const void *address, uint64_t bytes) {
  const char *at = address;
  for (size_t i = count_up_to(at); i > 0 && active.farthest[i - 1] > at; i--)
    if (at + bytes <= active.extents[i - 1]->end)
      return active.extents[i - 1];
  return find_entry(at, bytes);
}

struct simt_extent *simt_extents_nearest_below(const void *address) {
  size_t count = count_up_to(address);
  return count ? active.extents[count - 1] : NULL;
}

struct simt_extent *const *simt_extents_active(size_t *count) {
  *count = active.count;
  return active.extents;
}

struct simt_extent *simt_extents_of_argument(int argument) {
  return argument >= 0 && argument < MAX_ARGUMENTS ? active.of_argument[argument] : NULL;
}
