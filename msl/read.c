/* From text to a machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { MOST_FILE_BYTES = 16 << 20 };

static void fail(struct msl_diagnostics *diagnostics, const char *message) {
  if (diagnostics->count < MSL_MAX_DIAGNOSTICS) {
    struct msl_diagnostic *item = &diagnostics->items[diagnostics->count];
    memset(item, 0, sizeof *item);
    snprintf(item->message, sizeof item->message, "%s", message);
  }
  diagnostics->count++;
}

static struct place_machine *finish(struct msl_reader *reader) {
  if (reader->out_of_memory)
    fail(reader->diagnostics, "out of memory");
  msl_diagnostics_sort(reader->diagnostics);
  if (!reader->diagnostics->count)
    return reader->machine;
  msl_arena_free(reader->arena);
  return NULL;
}

static struct place_machine *read_text(struct msl_reader *reader, const char *text, size_t len,
                                       struct msl_diagnostics *diagnostics) {
  struct msl_arena *arena = msl_arena_new();
  struct msl_owned *owned = arena ? msl_arena_get(arena, sizeof *owned) : NULL;
  if (!owned) {
    msl_arena_free(arena);
    fail(diagnostics, "out of memory");
    return NULL;
  }
  owned->arena = arena;
  owned->machine.name = "";
  reader->text = text;
  reader->len = len;
  reader->diagnostics = diagnostics;
  reader->arena = arena;
  reader->machine = &owned->machine;
  msl_parse(reader);
  if (!reader->out_of_memory)
    msl_check(reader);
  return finish(reader);
}

/* The machine, or NULL with the reason in `diagnostics`, which is already reset. */
static struct place_machine *read_reset(const char *text, size_t len, struct msl_diagnostics *diagnostics, struct msl_spans *spans) {
  if (len > MOST_FILE_BYTES) {
    fail(diagnostics, "this file is too large: more than 16 MiB");
    return NULL;
  }
  struct msl_reader *reader = calloc(1, sizeof *reader);
  if (!reader) {
    fail(diagnostics, "out of memory");
    return NULL;
  }
  reader->spans = spans;
  struct place_machine *machine = read_text(reader, text, len, diagnostics);
  if (spans)
    spans->broken = reader->broken;
  free(reader);
  return machine;
}

static void reset(struct msl_diagnostics *diagnostics, const char *file) {
  diagnostics->count = 0;
  snprintf(diagnostics->file, sizeof diagnostics->file, "%s", file ? file : "");
}

void msl_spans_add(struct msl_spans *spans, const struct msl_span *span) {
  if (spans->count == spans->capacity) {
    size_t capacity = spans->capacity ? 2 * spans->capacity : 64;
    struct msl_span *items = realloc(spans->items, capacity * sizeof *items);
    if (!items)
      return;
    spans->items = items;
    spans->capacity = capacity;
  }
  spans->items[spans->count++] = *span;
}

struct place_machine *msl_read_spans(const char *text, size_t len, const char *file, struct msl_diagnostics *diagnostics,
                                     struct msl_spans *spans) {
  reset(diagnostics, file);
  return read_reset(text, len, diagnostics, spans);
}

struct place_machine *msl_read(const char *text, size_t len, const char *file, struct msl_diagnostics *diagnostics) {
  struct msl_diagnostics unwanted;
  return msl_read_spans(text, len, file, diagnostics ? diagnostics : &unwanted, NULL);
}

/* The whole file, NULL with the reason said. One byte more than allowed is enough to know that it is too large. */
static char *load(FILE *file, size_t *len, struct msl_diagnostics *diagnostics) {
  struct msl_text text = {0};
  char chunk[4096];
  size_t got;
  while (text.len <= MOST_FILE_BYTES && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
    msl_text_bytes(&text, chunk, got);
  bool failed = ferror(file);
  *len = text.len;
  char *bytes = msl_text_take(&text);
  if (failed || !bytes) {
    fail(diagnostics, failed ? "this file cannot be read" : "out of memory");
    free(bytes);
    return NULL;
  }
  return bytes;
}

struct place_machine *msl_read_file(const char *path, struct msl_diagnostics *diagnostics) {
  struct msl_diagnostics unwanted;
  struct msl_diagnostics *used = diagnostics ? diagnostics : &unwanted;
  reset(used, path);
  FILE *file = fopen(path, "rb");
  if (!file) {
    char why[120];
    snprintf(why, sizeof why, "it cannot be opened: %s", strerror(errno));
    fail(used, why);
    return NULL;
  }
  size_t len = 0;
  char *text = load(file, &len, used);
  fclose(file);
  struct place_machine *machine = text ? read_reset(text, len, used, NULL) : NULL;
  free(text);
  return machine;
}

void msl_free(struct place_machine *machine) {
  if (machine)
    msl_arena_free(((struct msl_owned *)machine)->arena); /* the machine is its first member */
}
