/* Text into a buffer. */
#include "place/text.h"

#include <stdarg.h>
#include <stdio.h>

void place_text_add(struct place_text *text, const char *format, ...) {
  size_t left = text->length < text->size ? text->size - text->length : 0;
  va_list list;
  va_start(list, format);
  int n = vsnprintf(left ? text->out + text->length : NULL, left, format, list);
  va_end(list);
  if (n > 0) text->length += (size_t)n;
}
