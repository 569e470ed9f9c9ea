/* The terms of a model's estimate, as text: one a line, "  name = value unit". Internal. */
#ifndef PLACE_CORE_TERMS_H
#define PLACE_CORE_TERMS_H

#include <stddef.h>

struct terms { /* into a caller's buffer, as snprintf */
  char *out;
  size_t size, length; /* length: what the whole text needs, without the terminator */
};

/* Adds a line; a null `terms` is left alone. The name is formatted as by printf. Returns the value. */
double terms_add(struct terms *terms, double value, const char *unit, const char *name, ...)
  __attribute__((format(printf, 4, 5)));

/* Adds text as it is. */
void terms_text(struct terms *terms, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
