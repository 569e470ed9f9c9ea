#include "plan_memory.h"

#include <stdlib.h>
#include <string.h>

const struct plan_memo *plan_memory_find(const struct plan_memory *memory, const uint64_t *key, unsigned words, int index,
                                         unsigned generation) {
  for (int i = 0; memory->entry && i < PLAN_MEMORY_ENTRIES; i++) {
    const struct plan_memo *m = &memory->entry[i];
    if (m->key && m->index == index && m->generation == generation && m->key_words == words &&
        !memcmp(m->key, key, words * sizeof *key))
      return m;
  }
  return NULL;
}

void plan_memory_put(struct plan_memory *memory, const struct plan_memo *memo) {
  if (!memory->entry && !(memory->entry = calloc(PLAN_MEMORY_ENTRIES, sizeof *memory->entry))) return;
  uint64_t *key = malloc(memo->key_words * sizeof *key);
  if (!key) return;
  memcpy(key, memo->key, memo->key_words * sizeof *key);
  struct plan_memo *to = &memory->entry[memory->next++ % PLAN_MEMORY_ENTRIES];
  free(to->key);
  *to = *memo;
  to->key = key;
}

void plan_memory_free(struct plan_memory *memory) {
  for (int i = 0; memory->entry && i < PLAN_MEMORY_ENTRIES; i++) free(memory->entry[i].key);
  free(memory->entry);
  *memory = (struct plan_memory){NULL, 0};
}
