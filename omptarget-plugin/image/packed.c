#include "packed.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "place/packed.h"

struct search {
  const char **names;
  size_t count, most;
};

/* A symbol is in .symtab and in .dynsym. */
static bool is_known(const struct search *s, const char *name) {
  for (size_t i = 0; i < s->count && i < s->most; i++)
    if (!strcmp(s->names[i], name)) return true;
  return false;
}

static bool visit(const struct elf_symbol *symbol, void *context) {
  struct search *s = context;
  if (symbol->function || strncmp(symbol->name, PLACE_PACKED_PREFIX, strlen(PLACE_PACKED_PREFIX)) || is_known(s, symbol->name)) return true;
  if (s->count < s->most) s->names[s->count] = symbol->name;
  s->count++;
  return true;
}

size_t packed_names(const struct elf_image *image, const char **names, size_t most) {
  struct search s = {names, 0, most};
  elf_image_symbols(image, visit, &s);
  return s.count;
}

static void *unpack(const unsigned char *stream, uint64_t stream_bytes, uint64_t bytes, const char **wrong) {
  void *image = malloc(bytes);
  uLongf length = bytes;
  if (!image) *wrong = "there is no memory for them";
  else if (uncompress(image, &length, stream, stream_bytes) != Z_OK || length != bytes) *wrong = "they are damaged";
  else return image;
  free(image);
  return NULL;
}

void *packed_open(const struct elf_image *image, const char *name, size_t *bytes, const char **wrong) {
  struct elf_symbol symbol;
  struct place_packed_head head;
  *wrong = "not all device images have them";
  if (!elf_image_find(image, name, &symbol)) return NULL;
  *wrong = "they are cut off";
  if (!symbol.content || symbol.size < sizeof head) return NULL;
  memcpy(&head, symbol.content, sizeof head);
  *wrong = "they were packed by another version of libplace.so: recompile, or install that version's libplacert.so";
  if (memcmp(head.magic, PLACE_PACKED_MAGIC, sizeof head.magic)) return NULL;
  uint64_t image_bytes = le64toh(head.image_bytes), stream_bytes = le64toh(head.stream_bytes);
  *wrong = "they are damaged";
  if (!image_bytes || image_bytes > PLACE_PACKED_MOST_BYTES || stream_bytes > symbol.size - sizeof head) return NULL;
  *bytes = image_bytes;
  return unpack(symbol.content + sizeof head, stream_bytes, image_bytes, wrong);
}
