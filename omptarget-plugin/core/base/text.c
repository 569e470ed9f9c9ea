/* Text into a buffer. */
#include "place/text.h"

#include <math.h>
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

char *place_bytes_text(uint64_t bytes, char out[PLACE_BYTES_TEXT]) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned u = 0;
  double value = (double)bytes;
  while (value >= 1024 && u < 4) value /= 1024, u++;
  snprintf(out, PLACE_BYTES_TEXT, value == floor(value) ? "%.0f %s" : "%.1f %s", value, units[u]);
  return out;
}
