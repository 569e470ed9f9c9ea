/* Lines and fields of a region table's text. */
#include "table_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int table_error(struct place_diag *diag, unsigned line, const char *format, ...) {
  char what[320];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return place_diag_set(diag, "region table, line %u: %s; recompile the program with the libplace.so that belongs to "
                              "this libplacert.so", line, what);
}

bool table_next_line(struct reader *r) {
  if (r->at >= r->length) return false;
  const char *begin = r->text + r->at, *end = memchr(begin, '\n', r->length - r->at);
  size_t n = end ? (size_t)(end - begin) : r->length - r->at;
  r->line = (struct field){begin, n};
  r->at += n + 1;
  r->number++;
  return true;
}

struct field table_field(struct reader *r) {
  struct field *line = &r->line;
  while (line->length && *line->text == ' ') line->text++, line->length--;
  struct field f = {line->text, 0};
  while (f.length < line->length && f.text[f.length] != ' ') f.length++;
  line->text += f.length;
  line->length -= f.length;
  return f;
}

struct field table_rest(struct reader *r) {
  struct field f = r->line;
  while (f.length && *f.text == ' ') f.text++, f.length--;
  r->line.length = 0;
  return f;
}

bool table_is(struct field f, const char *word) {
  return strlen(word) == f.length && memcmp(word, f.text, f.length) == 0;
}

int table_one_of(struct field f, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (table_is(f, words[i])) return i;
  return -1;
}

bool table_take(struct reader *r, const char *keyword) {
  struct reader before = *r;
  if (table_next_line(r) && table_is(table_field(r), keyword)) return true;
  *r = before;
  return false;
}

bool table_next_item(struct field *list, bool *more, char separator, struct field *item) {
  const char *at = list->length ? memchr(list->text, separator, list->length) : NULL;
  if (!*more) return false;
  *item = (struct field){list->text, at ? (size_t)(at - list->text) : list->length};
  *more = at != NULL;
  list->text += item->length + *more;
  list->length -= item->length + *more;
  return true;
}

bool table_number(struct field f, unsigned most, unsigned *value) {
  unsigned long long v = 0;
  for (size_t i = 0; i < f.length; i++) {
    if (f.text[i] < '0' || f.text[i] > '9' || v > most) return false;
    v = 10 * v + (unsigned)(f.text[i] - '0');
  }
  *value = (unsigned)v;
  return f.length && v <= most;
}

int table_int(struct reader *r, const char *what, long long least, long long most, long long *value) {
  struct field f = table_field(r);
  size_t i = 0;
  bool minus = f.length > 1 && f.text[0] == '-';
  long long v = 0;
  for (i = minus; i < f.length && f.text[i] >= '0' && f.text[i] <= '9' && v < (1LL << 40); i++)
    v = 10 * v + (f.text[i] - '0');
  *value = minus ? -v : v;
  if (!f.length || i < f.length) return ERROR(r, "%s: expected a number, found '%.*s'", what, (int)f.length, f.text);
  if (*value < least || *value > most)
    return ERROR(r, "%s is %lld, expected %lld to %lld", what, *value, least, most);
  return 0;
}

int table_copy(struct reader *r, struct field f, const char *what, char **out) {
  if (!f.length) return ERROR(r, "%s is missing", what);
  for (size_t i = 0; i < f.length; i++)
    if ((unsigned char)f.text[i] < ' ') return ERROR(r, "%s holds a control character", what);
  *out = malloc(f.length + 1);
  if (!*out) return ERROR(r, "out of memory");
  memcpy(*out, f.text, f.length);
  (*out)[f.length] = 0;
  return 0;
}

int table_copy_unless_dash(struct reader *r, struct field f, const char *what, char **out) {
  return table_is(f, "-") ? 0 : table_copy(r, f, what, out);
}

int table_line_done(struct reader *r) {
  struct field f = table_field(r);
  return f.length ? ERROR(r, "unexpected '%.*s' at the end of the line", (int)f.length, f.text) : 0;
}

int table_rest_expr(struct reader *r, place_expr *expr) {
  struct field f = table_rest(r);
  *expr = PLACE_EXPR_NONE;
  return table_is(f, "?") ? 0 : table_expr(r, f, expr);
}

int table_expr(struct reader *r, struct field f, place_expr *expr) {
  struct place_diag why = {""};
  *expr = place_expr_parse(&r->table->exprs, f.text, f.length, &why);
  return *expr < 0 ? ERROR(r, "%s", why.text) : 0;
}

void *table_append(struct reader *r, void **array, size_t *count, size_t size) {
  void *grown = *array;
  if (*count >= MAX_ITEMS) return ERROR(r, "more than %d items of one kind", (int)MAX_ITEMS), NULL;
  if ((*count & (*count - 1)) == 0) grown = realloc(*array, size * (*count ? 2 * *count : 1)); /* at powers of two */
  if (!grown) return ERROR(r, "out of memory"), NULL;
  *array = grown;
  return memset((char *)grown + size * (*count)++, 0, size);
}
