/* Errors: from a byte offset to file, line, column, the line itself and a caret. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { LEFT_OF_CARET = 100 }; /* bytes kept before the caret when a line is too long to show whole */

static bool continues_character(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

static unsigned characters(const char *from, const char *to) {
  unsigned count = 0;
  for (; from < to; from++)
    count += !continues_character(*from);
  return count;
}

static void excerpt(struct msl_diagnostic *item, const char *line, const char *at, const char *end) {
  const char *from = line;
  if ((size_t)(end - line) >= MSL_EXCERPT_BYTES && at - line > LEFT_OF_CARET)
    from = at - LEFT_OF_CARET;
  while (from < at && continues_character(*from))
    from++;
  size_t len = (size_t)(end - from);
  if (len >= MSL_EXCERPT_BYTES)
    len = MSL_EXCERPT_BYTES - 1;
  while (len > 0 && from + len < end && continues_character(from[len]))
    len--;
  for (size_t i = 0; i < len; i++)
    item->excerpt[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? ' ' : from[i];
  item->excerpt[len] = 0;
  item->caret = characters(from, at) + 1;
}

static void locate(struct msl_diagnostic *item, const char *text, size_t len, size_t offset) {
  const char *at = text + (offset < len ? offset : len);
  const char *line = text;
  item->line = 1;
  for (const char *p = text; p < at; p++)
    if (*p == '\n') {
      item->line++;
      line = p + 1;
    }
  const char *end = at;
  while (end < text + len && *end != '\n')
    end++;
  item->column = characters(line, at) + 1;
  excerpt(item, line, at, end);
}

void msl_error(struct msl_reader *reader, size_t at, const char *format, ...) {
  struct msl_diagnostics *all = reader->diagnostics;
  if (!all) /* looking ahead */
    return;
  if (all->count < MSL_MAX_DIAGNOSTICS) {
    struct msl_diagnostic *item = &all->items[all->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item->message, sizeof item->message, format, arguments);
    va_end(arguments);
    locate(item, reader->text, reader->len, at);
  }
  all->count++;
}

static int by_position(const void *left, const void *right) {
  const struct msl_diagnostic *a = left, *b = right;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return strcmp(a->message, b->message);
}

void msl_diagnostics_sort(struct msl_diagnostics *all) {
  unsigned kept = all->count < MSL_MAX_DIAGNOSTICS ? all->count : MSL_MAX_DIAGNOSTICS;
  qsort(all->items, kept, sizeof all->items[0], by_position);
}

char *msl_diagnostics_text(const struct msl_diagnostics *all) {
  struct msl_text out = {0};
  unsigned kept = all->count < MSL_MAX_DIAGNOSTICS ? all->count : MSL_MAX_DIAGNOSTICS;
  for (unsigned i = 0; i < kept; i++) {
    const struct msl_diagnostic *item = &all->items[i];
    if (!item->line) {
      msl_text_format(&out, "%s: error: %s\n", all->file, item->message);
      continue;
    }
    msl_text_format(&out, "%s:%u:%u: error: %s\n", all->file, item->line, item->column, item->message);
    msl_text_format(&out, "  %s\n  %*s\n", item->excerpt, (int)item->caret, "^");
  }
  if (all->count > kept)
    msl_text_format(&out, "%s: error: %u more errors\n", all->file, all->count - kept);
  return msl_text_take(&out);
}
