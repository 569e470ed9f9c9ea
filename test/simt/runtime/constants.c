#include "constants.h"

#include "finding.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_SLOTS = 1024, SLOT_BITS = 12 };

struct slot {
  const char *begin, *end; // equal for none
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[MAX_SLOTS];
static size_t slot_count;

// The launch that runs.
static struct slot active[MAX_SLOTS];
static size_t active_count;

// Takes what a new write overlaps away from an older slot; a piece behind it becomes a slot of its own.
static void cut(struct slot *old, const struct slot *new) {
  if (old->end <= new->begin || old->begin >= new->end)
    return;
  if (old->end > new->end && slot_count < MAX_SLOTS)
    slots[slot_count++] = (struct slot){new->end, old->end};
  old->end = old->begin < new->begin ? new->begin : old->begin;
}

static void add_slot(struct slot new) {
  for (size_t i = 0; i < slot_count; i++)
    if (slots[i].begin == new.begin && slots[i].end == new.end)
      return;
  for (size_t i = slot_count; i-- > 0;)
    cut(&slots[i], &new);
  for (size_t i = 0; i < slot_count; i++)
    if (slots[i].begin == slots[i].end) {
      slots[i] = new;
      return;
    }
  if (slot_count == MAX_SLOTS)
    simt_fatal("more than %d pieces of constant memory", MAX_SLOTS);
  slots[slot_count++] = new;
}

void simt_constants_note_written(const void *memory, uint64_t bytes) {
  const struct simt_global_variable *variable = simt_registry_global_at(memory);
  if (!variable || variable->space != SIMT_CONSTANT || !bytes)
    return;
  pthread_mutex_lock(&lock);
  add_slot((struct slot){memory, (const char *)memory + bytes});
  pthread_mutex_unlock(&lock);
}

void simt_constants_begin_launch(void) {
  pthread_mutex_lock(&lock);
  memcpy(active, slots, slot_count * sizeof *slots);
  active_count = slot_count;
  pthread_mutex_unlock(&lock);
}

static size_t slot_of(const char *begin, const char *end) {
  for (size_t i = 0; i < active_count; i++)
    if (begin >= active[i].begin && end <= active[i].end)
      return i + 1;
  return 0;
}

enum simt_constant_state simt_constants_check(const struct simt_global_variable *variable, const void *address,
                                              uint64_t bytes, const struct simt_site *site, uint64_t launch) {
  if (!(variable->flags & SIMT_VARIABLE_UNINITIALISED))
    return SIMT_CONSTANT_GOOD;
  uint64_t slot = slot_of(address, (const char *)address + bytes);
  if (!slot)
    return SIMT_CONSTANT_UNWRITTEN;
  _Atomic uint64_t *state = (_Atomic uint64_t *)site->state; // launch and slot in one word: workers share it
  uint64_t now = launch << SLOT_BITS | slot, before = atomic_load_explicit(state, memory_order_relaxed);
  if (before >> SLOT_BITS == launch && before != now)
    return SIMT_CONSTANT_OTHER_SLOT;
  atomic_store_explicit(state, now, memory_order_relaxed);
  return SIMT_CONSTANT_GOOD;
}
