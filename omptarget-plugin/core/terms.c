/* Text of a model's terms. */
#include "terms.h"

#include <stdarg.h>
#include <stdio.h>

static void add(struct terms *t, const char *format, va_list list) {
  size_t left = t->length < t->size ? t->size - t->length : 0;
  int n = vsnprintf(left ? t->out + t->length : NULL, left, format, list);
  if (n > 0) t->length += (size_t)n;
}

void terms_text(struct terms *terms, const char *format, ...) {
  va_list list;
  if (!terms) return;
  va_start(list, format);
  add(terms, format, list);
  va_end(list);
}

double terms_add(struct terms *terms, double value, const char *unit, const char *name, ...) {
  va_list list;
  if (!terms) return value;
  terms_text(terms, "  ");
  va_start(list, name);
  add(terms, name, list);
  va_end(list);
  terms_text(terms, " = %.6g%s%s\n", value, *unit ? " " : "", unit);
  return value;
}
