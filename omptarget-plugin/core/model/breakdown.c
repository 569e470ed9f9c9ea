#include "breakdown.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct breakdown_term *new_term(struct breakdown *b) {
  if (b->count == b->capacity) {
    size_t capacity = b->capacity ? 2 * b->capacity : 32;
    struct breakdown_term *more = realloc(b->term, capacity * sizeof *more);
    if (!more) return b->short_of_memory = true, NULL;
    b->term = more;
    b->capacity = capacity;
  }
  return &b->term[b->count++];
}

double breakdown_add(struct breakdown *breakdown, double value, const char *unit, const char *name, ...) {
  struct breakdown_term *term = breakdown ? new_term(breakdown) : NULL;
  if (!term) return value;
  va_list list;
  va_start(list, name);
  vsnprintf(term->name, sizeof term->name, name, list);
  va_end(list);
  term->value = value;
  term->unit = unit;
  return value;
}

void breakdown_print(const struct breakdown *breakdown, struct place_text *text) {
  for (size_t i = 0; i < breakdown->count; i++) {
    const struct breakdown_term *t = &breakdown->term[i];
    place_text_add(text, "  %s = %.6g%s%s\n", t->name, t->value, *t->unit ? " " : "", t->unit);
  }
}

void breakdown_free(struct breakdown *breakdown) {
  free(breakdown->term);
  *breakdown = (struct breakdown){NULL, 0, 0, false};
}
