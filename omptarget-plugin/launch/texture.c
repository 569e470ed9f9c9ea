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

/* Of whole rows, the first of which begins where the driver wants it. */
static const char *check_rows(const struct rt_texture_limits *limits, const struct texture *t) {
  const struct rt_texture_shape *s = &t->shape;
  if (!limits->row_alignment) return WHY_NO_TEXTURES;
  if (t->array != t->begin || !s->row_bytes || s->row_bytes % limits->row_alignment || s->bytes % s->row_bytes) return WHY_NO_ROWS;
  bool fits = s->row_bytes / s->texel_bytes <= limits->row_texels && s->row_bytes <= limits->row_bytes && s->bytes / s->row_bytes <= limits->rows;
  return fits && s->bytes / s->texel_bytes <= INT32_MAX ? NULL : WHY_BEYOND_TEXTURE;
}

/* Why the driver does not make it, or NULL. A last texel that is not whole is none. */
static const char *bind(struct texture_cache *cache, struct texture *t) {
  struct rt_texture_shape shown = t->shape;
  t->begin = t->array / cache->limits.alignment * cache->limits.alignment;
  uint64_t texels = (t->array - t->begin + t->shape.bytes) / shown.texel_bytes;
  const char *why = shown.row_bytes ? check_rows(&cache->limits, t) : texels > cache->limits.texels ? WHY_BEYOND_TEXTURE : NULL;
  if (why) return why;
  shown.bytes = texels * shown.texel_bytes;
  if (!texels || cache->ops->textures->make(t->begin, &shown, &t->bound)) return WHY_TEXTURE_REFUSED;
  cache->made++;
  return NULL;
}

static struct texture *make(struct texture_cache *cache, uintptr_t array, const struct rt_texture_shape *shape) {
  struct texture *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  *t = (struct texture){.array = array, .shape = *shape, .next = cache->first};
  t->why = bind(cache, t);
  return cache->first = t;
}

/* ---- using ---- */

static bool is_alike(const struct rt_texture_shape *a, const struct rt_texture_shape *b) {
  return a->bytes == b->bytes && a->texel_bytes == b->texel_bytes && a->row_bytes == b->row_bytes;
}

static struct texture *find(const struct texture_cache *cache, uintptr_t array, const struct rt_texture_shape *shape) {
  struct texture *t = cache->first;
  while (t && (t->gone || t->array != array || !is_alike(&t->shape, shape))) t = t->next;
  return t;
}

struct texture *texture_acquire(struct texture_cache *cache, uintptr_t array, const struct rt_texture_shape *shape, const char **why) {
  struct texture *t = find(cache, array, shape);
  if (!t && !ask_limits(cache, array)) return *why = cache->none, NULL;
  if (!t && !(t = make(cache, array, shape))) return *why = WHY_OUT_OF_MEMORY, NULL;
  if (t->why) return *why = t->why, NULL;
  t->users++;
  return t;
}

void texture_release(struct texture_cache *cache, struct texture *texture) {
  if (!--texture->users && texture->gone) destroy(cache, texture);
}

int64_t texture_index(const struct texture *texture, uintptr_t address) {
  return (int64_t)(address - texture->begin) / (int64_t)texture->shape.texel_bytes;
}

/* Granlund and Montgomery: with 2^(bits - 1) < divisor <= 2^bits, the factor is above 2^(31 + bits) / divisor by at most 1. */
struct texture_divisor texture_divisor(uint32_t divisor) {
  uint32_t bits = 1;
  while ((uint64_t)1 << bits < divisor) bits++;
  return (struct texture_divisor){(uint32_t)((((uint64_t)1 << (31 + bits)) / divisor) + 1), bits - 1};
}

void texture_forget(struct texture_cache *cache, uintptr_t begin, uint64_t bytes) {
  for (struct texture *t = cache->first, *next; t; t = next) {
    next = t->next;
    if (t->array >= begin + bytes || begin >= t->array + t->shape.bytes) continue;
    t->gone = true;
    if (!t->users) destroy(cache, t);
  }
}
