#include "texture.h"

#include <stdlib.h>

#include "place/launch_reason.h"

void texture_init(struct texture_cache *cache, const struct rt_ops *ops) {
  *cache = (struct texture_cache){.ops = ops, .none = ops->textures ? NULL : WHY_NO_TEXTURES};
}

void texture_free(struct texture_cache *cache) {
  for (struct texture *t = cache->first, *next; t; t = next) {
    next = t->next;
    free(t);
  }
  cache->first = NULL;
}

static void destroy(struct texture_cache *cache, struct texture *texture) {
  struct texture **at = &cache->first;
  while (*at != texture) at = &(*at)->next;
  *at = texture->next;
  if (!texture->why) {
    cache->ops->textures->destroy(&texture->bound);
    cache->destroyed++;
  }
  free(texture);
}

/* ---- making ---- */

static bool ask_limits(struct texture_cache *cache, uintptr_t array) {
  if (cache->none || cache->limits.alignment) return !cache->none;
  struct rt_texture_limits limits;
  if (cache->ops->textures->limits(array, &limits) || !limits.alignment || !limits.texels) cache->none = WHY_NO_TEXTURES;
  else cache->limits = limits;
  return !cache->none;
}

/* Why the driver does not make it, or NULL. A last texel that is not whole is none. */
static const char *bind(struct texture_cache *cache, struct texture *t) {
  t->begin = t->array / cache->limits.alignment * cache->limits.alignment;
  uint64_t texels = (t->array - t->begin + t->bytes) / t->texel_bytes;
  if (texels > cache->limits.texels) return WHY_BEYOND_TEXTURE;
  if (!texels || cache->ops->textures->make(t->begin, texels * t->texel_bytes, t->texel_bytes, &t->bound)) return WHY_TEXTURE_REFUSED;
  cache->made++;
  return NULL;
}

static struct texture *make(struct texture_cache *cache, uintptr_t array, uint64_t bytes, unsigned texel_bytes) {
  struct texture *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  *t = (struct texture){.array = array, .bytes = bytes, .texel_bytes = texel_bytes, .next = cache->first};
  t->why = bind(cache, t);
  return cache->first = t;
}

/* ---- using ---- */

static struct texture *find(const struct texture_cache *cache, uintptr_t array, uint64_t bytes, unsigned texel_bytes) {
  struct texture *t = cache->first;
  while (t && (t->gone || t->array != array || t->bytes != bytes || t->texel_bytes != texel_bytes)) t = t->next;
  return t;
}

struct texture *texture_acquire(struct texture_cache *cache, uintptr_t array, uint64_t bytes, unsigned texel_bytes, const char **why) {
  struct texture *t = find(cache, array, bytes, texel_bytes);
  if (!t && !ask_limits(cache, array)) return *why = cache->none, NULL;
  if (!t && !(t = make(cache, array, bytes, texel_bytes))) return *why = WHY_OUT_OF_MEMORY, NULL;
  if (t->why) return *why = t->why, NULL;
  t->users++;
  return t;
}

void texture_release(struct texture_cache *cache, struct texture *texture) {
  if (!--texture->users && texture->gone) destroy(cache, texture);
}

int64_t texture_index(const struct texture *texture, uintptr_t address) {
  return (int64_t)(address - texture->begin) / (int64_t)texture->texel_bytes;
}

void texture_forget(struct texture_cache *cache, uintptr_t begin, uint64_t bytes) {
  for (struct texture *t = cache->first, *next; t; t = next) {
    next = t->next;
    if (t->array >= begin + bytes || begin >= t->array + t->bytes) continue;
    t->gone = true;
    if (!t->users) destroy(cache, t);
  }
}
