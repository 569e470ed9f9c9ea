/* Memory that is released at once: a list of blocks, the newest first. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct block {
  struct block *next;
  size_t used, size;
  _Alignas(max_align_t) char bytes[];
};

struct msl_arena {
  struct block *newest;
};

struct msl_arena *msl_arena_new(void) { return calloc(1, sizeof(struct msl_arena)); }

void *msl_arena_get(struct msl_arena *arena, size_t bytes) {
  const size_t unit = _Alignof(max_align_t);
  size_t rounded = bytes ? (bytes + unit - 1) / unit * unit : unit;
  if (rounded < bytes)
    return NULL;
  struct block *block = arena->newest;
  if (!block || block->size - block->used < rounded) {
    size_t size = rounded > 16384 ? rounded : 16384;
    block = calloc(1, sizeof *block + size);
    if (!block)
      return NULL;
    block->size = size;
    block->next = arena->newest;
    arena->newest = block;
  }
  void *got = block->bytes + block->used;
  block->used += rounded;
  return got;
}

void *msl_arena_copy(struct msl_arena *arena, const void *from, size_t bytes) {
  void *to = msl_arena_get(arena, bytes);
  if (to && bytes)
    memcpy(to, from, bytes);
  return to;
}

void msl_arena_free(struct msl_arena *arena) {
  if (!arena)
    return;
  for (struct block *block = arena->newest, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(arena);
}
