#include "constant.h"

#include <stdlib.h>
#include <string.h>

#include "place/abi.h"
#include "place/launch_reason.h"

void const_init(struct const_bank *bank, int device, const struct rt_ops *ops, uintptr_t address, uint32_t bytes) {
  *bank = (struct const_bank){.device = device, .ops = ops, .address = address, .bytes = bytes};
}

static void drop(struct const_bank *bank, unsigned index) {
  free(bank->slot[index]->content);
  free(bank->slot[index]);
  memmove(&bank->slot[index], &bank->slot[index + 1], (bank->count - index - 1) * sizeof bank->slot[0]);
  bank->count--;
}

void const_free(struct const_bank *bank) {
  while (bank->count) drop(bank, bank->count - 1);
}

static uint32_t extent_of(const struct const_slot *slot) {
  uint32_t end = slot->offset - slot->begin + slot->bytes;
  return (end + PLACE_CONST_ALIGN - 1) / PLACE_CONST_ALIGN * PLACE_CONST_ALIGN;
}

/* First-fit: index to insert at and the address in *begin, or -1. */
static int find_room(const struct const_bank *bank, uint32_t bytes, uint32_t *begin) {
  uint32_t free_from = 0;
  for (unsigned i = 0; i < bank->count; i++) {
    if (bank->slot[i]->begin - free_from >= bytes) return *begin = free_from, (int)i;
    free_from = bank->slot[i]->begin + extent_of(bank->slot[i]);
  }
  if (free_from > bank->bytes || bank->bytes - free_from < bytes) return -1;
  return *begin = free_from, (int)bank->count;
}

static bool evict_oldest(struct const_bank *bank) {
  int oldest = -1;
  for (unsigned i = 0; i < bank->count; i++)
    if (!bank->slot[i]->users && (oldest < 0 || bank->slot[i]->last_use < bank->slot[oldest]->last_use)) oldest = (int)i;
  if (oldest < 0) return false;
  drop(bank, (unsigned)oldest);
  return true;
}

static struct const_slot *make_slot(struct const_bank *bank, const struct const_source *source, const char **why) {
  uint32_t bytes = source->misalignment + source->bytes, begin = 0;
  int at;
  if (bytes > bank->bytes || bytes < source->bytes) return *why = WHY_BEYOND_CONSTANT, NULL;
  while (bank->count == CONST_MAX_SLOTS || (at = find_room(bank, bytes, &begin)) < 0)
    if (!evict_oldest(bank)) return *why = WHY_CONSTANT_IN_USE, NULL;
  struct const_slot *slot = calloc(1, sizeof *slot);
  if (!slot) return *why = WHY_OUT_OF_MEMORY, NULL;
  *slot = (struct const_slot){.host = source->host, .bytes = source->bytes, .begin = begin,
                              .offset = begin + source->misalignment, .version = UINT64_MAX};
  memmove(&bank->slot[at + 1], &bank->slot[at], (bank->count - (unsigned)at) * sizeof slot);
  bank->slot[at] = slot;
  bank->count++;
  return slot;
}

static struct const_slot *find_slot(const struct const_bank *bank, const struct const_source *source) {
  for (unsigned i = 0; i < bank->count; i++) {
    struct const_slot *s = bank->slot[i];
    if (s->host == source->host && s->bytes == source->bytes && s->offset - s->begin == source->misalignment) return s;
  }
  return NULL;
}

/* Puts new content into a slot; takes ownership of `content` on success. */
static const char *store(struct const_bank *bank, struct const_slot *slot, unsigned char *content) {
  if (slot->content && !memcmp(slot->content, content, slot->bytes)) return free(content), NULL;
  if (slot->users) return free(content), WHY_COPY_OUT_OF_DATE;
  if (bank->ops->to_device((void *)(bank->address + slot->offset), content, slot->bytes, bank->device)) {
    free(slot->content);
    slot->content = NULL; /* the bank may hold anything now */
    free(content);
    return WHY_COPY_TO_FAILED;
  }
  bank->uploads++;
  free(slot->content);
  slot->content = content;
  return NULL;
}

static const char *copy_anew(struct const_bank *bank, struct const_slot *slot, const struct const_source *source) {
  const void *host = (const void *)source->host;
  bool from_host = !source->device_ptr;
  unsigned char *content = malloc(slot->bytes);
  if (!content) return WHY_OUT_OF_MEMORY;
  if (from_host) {
    memcpy(content, host, slot->bytes);
  } else if (bank->downloads++, bank->ops->from_device(content, (void *)source->device_ptr, slot->bytes, bank->device)) {
    free(content);
    return WHY_COPY_FROM_FAILED;
  }
  const char *failed = store(bank, slot, content);
  if (!failed) slot->version = from_host ? 0 : source->version;
  return failed;
}

static const char *refresh(struct const_bank *bank, struct const_slot *slot, const struct const_source *source) {
  bool from_host = !source->device_ptr;
  if (slot->content && !from_host && slot->version >= source->version && slot->version != UINT64_MAX && slot->version)
    return NULL;
  if (slot->content && from_host && !memcmp(slot->content, (const void *)source->host, slot->bytes)) return slot->version = 0, NULL;
  uint64_t from_ns = bank->ops->now_ns();
  const char *failed = copy_anew(bank, slot, source);
  bank->copying_ns += bank->ops->now_ns() - from_ns;
  return failed;
}

struct const_slot *const_acquire(struct const_bank *bank, const struct const_source *source, const char **why) {
  if (!bank->address || !source->bytes) return *why = WHY_NO_CONSTANT_BANK, NULL;
  struct const_slot *slot = find_slot(bank, source);
  if (!slot && !(slot = make_slot(bank, source, why))) return NULL;
  if ((*why = refresh(bank, slot, source))) return NULL;
  slot->users++;
  slot->last_use = ++bank->uses;
  return slot;
}

void const_release(struct const_bank *bank, struct const_slot *slot) {
  (void)bank;
  slot->users--;
}
