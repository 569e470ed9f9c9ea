#include "decision.h"

#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "place/launch_reason.h"

/* ---- key ---- */

/* Everything about a launch that a decision may depend on; returns the number of words. */
static unsigned make_key(const struct rt_region *region, const struct rt_call *call, uint64_t *key) {
  const struct rt_maps *maps = &call->maps;
  unsigned n = 0, argument = 0;
  key[n++] = call->trip_count;
  key[n++] = (uint64_t)(uint32_t)call->teams << 32 | (uint32_t)call->thread_limit;
  key[n++] = call->dynamic_shared_bytes;
  key[n++] = maps->count;
  for (uint32_t i = 0; i < maps->count; i++) {
    int64_t type = maps->type[i];
    bool parameter = type & MAP_TARGET_PARAM;
    unsigned number = argument;
    argument += parameter;
    key[n++] = (uint64_t)type;
    if (type & MAP_LITERAL && parameter && (number >= region->argument_count || !region->matters[number])) continue;
    key[n++] = (uint64_t)maps->size[i];
    key[n++] = parameter && type & MAP_PTR_AND_OBJ && maps->base[i] ? *(uint64_t *)maps->base[i]
                                                                   : (uint64_t)(uintptr_t)maps->base[i];
    key[n++] = (uint64_t)(uintptr_t)maps->ptr[i];
  }
  return n;
}

uint64_t decision_identity(const struct rt_region *region, const struct rt_call *call) {
  const struct rt_maps *maps = &call->maps;
  uint64_t word[3 + DECISION_MAX_ENTRIES];
  unsigned n = 0, argument = 0;
  word[n++] = call->trip_count;
  word[n++] = (uint64_t)(uint32_t)call->teams << 32 | (uint32_t)call->thread_limit;
  word[n++] = call->dynamic_shared_bytes;
  for (uint32_t i = 0; i < maps->count && i < DECISION_MAX_ENTRIES; i++) {
    unsigned number = argument;
    argument += (maps->type[i] & MAP_TARGET_PARAM) != 0;
    bool value = number < 64 && region->region->values >> number & 1;
    if (maps->type[i] & MAP_LITERAL && !value) word[n++] = (uint64_t)(uintptr_t)maps->base[i];
  }
  return place_fnv1a(word, n * sizeof *word);
}

/* ---- cache ---- */

/* Of a key, never 0. */
static uint64_t hash_of(const uint64_t *key, unsigned words) {
  uint64_t h = words;
  for (unsigned i = 0; i < words; i++) h = (h ^ key[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h | 1;
}

/* The n-th place where a decision of that hash may be: two sets, so that few keys crowd each other out. */
enum { PLACES = 2 * RT_WAYS };
static unsigned place_of(uint64_t hash, unsigned n) {
  unsigned set = (unsigned)(hash >> (n < RT_WAYS ? 32 : 48)) % RT_SETS;
  return set * RT_WAYS + n % RT_WAYS;
}

/* Of a launch with the decision's key. */
static bool still_holds(struct decision *d, const struct rt_region *region, const struct rt_call *call, const struct extents *ext) {
  if (d->generation != ext->generation) return false;
  if (d->epoch != ext->epoch && !view_holds(&d->view, region, call, ext)) return false;
  d->epoch = ext->epoch;
  return true;
}

struct launch_key {
  uint64_t word[DECISION_MAX_WORDS], hash;
  unsigned words;
};

/* False: the launch has too many arguments. */
static bool key_of(const struct rt_region *region, const struct rt_call *call, struct launch_key *key) {
  if (call->maps.count > DECISION_MAX_ENTRIES) return false;
  key->words = make_key(region, call, key->word);
  key->hash = hash_of(key->word, key->words);
  return true;
}

static struct decision *look_up(struct rt_device_region *state, const struct launch_key *key, const struct rt_region *region,
                                const struct rt_call *call, const struct extents *ext) {
  for (unsigned n = 0; n < PLACES; n++) {
    unsigned at = place_of(key->hash, n);
    struct decision *d = state->cache[at];
    if (!d || state->cache_hash[at] != key->hash || d->key_words != key->words || memcmp(d->key, key->word, key->words * sizeof *key->word)) continue;
    if (still_holds(d, region, call, ext)) return d;
    if (!d->pinned) state->cache_hash[at] = 0;
  }
  return NULL;
}

/* The entry to be overwritten, best an empty or outdated one; -1: all are in use by launches. */
static int pick_victim(struct rt_device_region *state, uint64_t hash, uint64_t generation) {
  for (unsigned n = 0; n < PLACES; n++) {
    unsigned at = place_of(hash, n);
    if (!state->cache_hash[at] || (state->cache[at]->generation != generation && !state->cache[at]->pinned)) return (int)at;
  }
  for (unsigned i = 0; i < PLACES; i++) {
    unsigned at = place_of(hash, state->victim++ % PLACES);
    if (!state->cache[at]->pinned) return (int)at;
  }
  return -1;
}

void decision_free(struct decision *d) {
  free(d->key);
  view_free(&d->view);
  *d = (struct decision){.planned = -1};
}

struct decision *decision_known(struct rt_device *device, struct rt_device_region *state, const struct rt_region *region, const struct rt_call *call) {
  struct launch_key key;
  return key_of(region, call, &key) ? look_up(state, &key, region, call, &device->ext) : NULL;
}

struct decision *decision_find(struct rt_device *device, struct rt_device_region *state, const struct rt_region *region,
                               const struct rt_call *call, bool *fast, const char **why) {
  struct launch_key key;
  *fast = false;
  if (!key_of(region, call, &key)) return *why = WHY_TOO_MANY_ARGUMENTS, NULL;
  struct decision *d = look_up(state, &key, region, call, &device->ext);
  if (d) return *fast = true, d;
  int at = pick_victim(state, key.hash, device->ext.generation);
  if (at < 0) return *why = WHY_TOO_MANY_LAUNCHERS, NULL;
  if (!state->cache[at] && !(state->cache[at] = calloc(1, sizeof *d))) return *why = WHY_OUT_OF_MEMORY, NULL;
  d = state->cache[at];
  decision_free(d);
  state->cache_hash[at] = 0;
  d->key = malloc(key.words * sizeof *key.word);
  if (!d->key || view_build(&d->view, region, call, &device->ext)) {
    decision_free(d);
    return *why = WHY_OUT_OF_MEMORY, NULL;
  }
  memcpy(d->key, key.word, key.words * sizeof *key.word);
  state->cache_hash[at] = key.hash;
  d->key_words = key.words;
  d->epoch = device->ext.epoch;
  d->generation = device->ext.generation;
  d->arrays = region->region->array_count;
  d->in_class = class_find(state, region, &d->view);
  return d;
}
