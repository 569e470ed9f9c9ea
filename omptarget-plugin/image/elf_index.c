#include "elf_index.h"

#include <stdlib.h>
#include <string.h>

/* A hash table with open addressing, of a power of two and at most half full. */
struct slot {
  uint64_t hash;            /* of the name; 0: empty */
  struct elf_symbol symbol; /* a section: its name and size */
};

struct names {
  struct slot *slot;
  size_t count, mask;
};

struct elf_index {
  struct names symbols, sections;
};

static uint64_t hash_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash | 1;
}

/* Where the name is, or where it would be. */
static struct slot *slot_of(const struct names *names, const char *name, uint64_t hash) {
  for (size_t at = hash >> 8;; at++) {
    struct slot *s = &names->slot[at & names->mask];
    if (!s->hash || (s->hash == hash && !strcmp(s->symbol.name, name))) return s;
  }
}

static bool count(const struct elf_symbol *symbol, void *context) {
  (void)symbol;
  ++*(size_t *)context;
  return true;
}

/* Of several of one name the first, as elf_image_find. */
static bool add(const struct elf_symbol *symbol, void *context) {
  struct names *names = context;
  uint64_t hash = hash_of(symbol->name);
  struct slot *s = slot_of(names, symbol->name, hash);
  if (!s->hash) *s = (struct slot){hash, *symbol};
  return true;
}

typedef void (*lister)(const struct elf_image *, bool (*)(const struct elf_symbol *, void *), void *);

static bool fill(struct names *names, const struct elf_image *image, lister list) {
  size_t slots = 2;
  list(image, count, &names->count);
  while (slots < 2 * (names->count + 1)) slots *= 2;
  names->mask = slots - 1;
  names->slot = calloc(slots, sizeof *names->slot);
  if (names->slot) list(image, add, names);
  return names->slot;
}

struct elf_index *elf_index_make(const struct elf_image *image) {
  struct elf_index *index = calloc(1, sizeof *index);
  if (index && fill(&index->symbols, image, elf_image_symbols) && fill(&index->sections, image, elf_image_sections)) return index;
  elf_index_free(index);
  return NULL;
}

void elf_index_free(struct elf_index *index) {
  if (!index) return;
  free(index->symbols.slot);
  free(index->sections.slot);
  free(index);
}

bool elf_index_find(const struct elf_index *index, const char *name, struct elf_symbol *symbol) {
  const struct slot *s = slot_of(&index->symbols, name, hash_of(name));
  if (s->hash) *symbol = s->symbol;
  return s->hash;
}

uint64_t elf_index_section_bytes(const struct elf_index *index, const char *name) {
  const struct slot *s = slot_of(&index->sections, name, hash_of(name));
  return s->hash ? s->symbol.size : 0;
}
