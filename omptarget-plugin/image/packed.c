#define _GNU_SOURCE
#include "packed.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "place/packed.h"
#include "refused.h"

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

static void free_images(struct reg_image *images, size_t count) {
  for (size_t i = 0; i < count; i++) free((void *)images[i].start);
  free(images);
}

static char *table_of(const char *packed) {
  char name[128];
  snprintf(name, sizeof name, PLACE_TABLE_PREFIX "%s", packed + strlen(PLACE_PACKED_PREFIX));
  return strdup(name);
}

/* Of an image whose versions lie there, what is in it: for the same device, and such that libomptarget loads it. */
static bool unpack_one(const struct elf_image *image, const char *name, struct reg_image *out, const char **wrong) {
  struct elf_image own;
  void *start = packed_open(image, name, &out->bytes, wrong);
  out->start = start;
  if (!start) return false;
  if (elf_image_open(start, out->bytes, &own) && own.machine == image->machine && elf_image_sm(&own) == elf_image_sm(image) &&
      elf_image_loadable(&own))
    return true;
  *wrong = "they are for another device than the program's own image";
  free(start);
  return false;
}

static bool unpack_each(const struct elf_image *images, size_t count, const char *name, struct reg_unpacked *out) {
  const char *wrong = NULL;
  size_t done = 0;
  *out = (struct reg_unpacked){table_of(name), calloc(count, sizeof *out->images)};
  while (out->table && out->images && done < count && unpack_one(&images[done], name, &out->images[done], &wrong)) done++;
  if (done == count) return true;
  refused_add("%s: the packed versions of a file cannot be used: %s; its regions run their original kernels", name,
              wrong ? wrong : "there is no memory for them");
  free_images(out->images, done);
  free(out->table);
  return false;
}

size_t packed_unpack(const struct reg_descriptor *d, struct reg_unpacked **unpacked) {
  struct elf_image *images = calloc(d->image_count + 1, sizeof *images);
  size_t found = 0, count = images && d->image_count && module_open_images(d->images, d->image_count, images) ? packed_names(images, NULL, 0) : 0;
  const char **names = count ? calloc(count, sizeof *names) : NULL;
  *unpacked = names ? calloc(count, sizeof **unpacked) : NULL;
  count = *unpacked ? packed_names(images, names, count) : 0;
  for (size_t n = 0; n < count; n++) found += unpack_each(images, d->image_count, names[n], &(*unpacked)[found]);
  free(names);
  free(images);
  return found;
}

void packed_free(struct reg_unpacked *unpacked, size_t count) {
  for (size_t i = 0; i < count; i++) free(unpacked[i].table);
  free(unpacked);
}
