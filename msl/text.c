/* A growing text, and numbers in the shortest form that reads back as the same number, whatever the locale. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static bool text_reserve(struct msl_text *out, size_t more) {
  if (out->failed)
    return false;
  if (more < out->capacity - out->len)
    return true;
  size_t capacity = out->capacity ? out->capacity * 2 : 1024;
  while (capacity - out->len <= more)
    capacity *= 2;
  char *bytes = realloc(out->bytes, capacity);
  if (!bytes) {
    out->failed = true;
    return false;
  }
  out->bytes = bytes;
  out->capacity = capacity;
  return true;
}

void msl_text_bytes(struct msl_text *out, const char *bytes, size_t len) {
  if (!len || !text_reserve(out, len + 1))
    return;
  memcpy(out->bytes + out->len, bytes, len);
  out->len += len;
}

void msl_text_add(struct msl_text *out, const char *string) { msl_text_bytes(out, string, strlen(string)); }

void msl_text_format(struct msl_text *out, const char *format, ...) {
  char small[512];
  va_list arguments;
  va_start(arguments, format);
  int len = vsnprintf(small, sizeof small, format, arguments);
  va_end(arguments);
  if (len < 0)
    out->failed = true;
  else if ((size_t)len < sizeof small)
    msl_text_bytes(out, small, (size_t)len);
  else if (text_reserve(out, (size_t)len + 1)) {
    va_start(arguments, format);
    vsnprintf(out->bytes + out->len, (size_t)len + 1, format, arguments);
    va_end(arguments);
    out->len += (size_t)len;
  }
}

/* The reader takes at most 15 digits, so a value that it made is found here exactly. */
void msl_text_real(struct msl_text *out, double value) {
  if (!isfinite(value) || value < 0 || value > 1e15) {
    msl_text_add(out, "?");
    return;
  }
  double power = 1;
  int places = 0;
  uint64_t scaled = (uint64_t)(value + 0.5);
  while ((double)scaled / power != value && places < 15 && value * power * 10 < 1e15) {
    places++;
    power *= 10;
    scaled = (uint64_t)(value * power + 0.5);
  }
  for (; places > 0 && scaled % 10 == 0; places--)
    scaled /= 10;
  uint64_t whole = scaled;
  for (int i = 0; i < places; i++)
    whole /= 10;
  msl_text_format(out, "%llu", (unsigned long long)whole);
  if (places) {
    for (int i = 0; i < places; i++)
      whole *= 10;
    msl_text_format(out, ".%0*llu", places, (unsigned long long)(scaled - whole));
  }
}

void msl_text_size(struct msl_text *out, uint64_t value) {
  static const char *const suffixes[] = {"", "K", "M", "G", "T"};
  unsigned suffix = 0;
  for (; suffix < 4 && value && value % 1024 == 0; suffix++)
    value /= 1024;
  msl_text_format(out, "%llu%s", (unsigned long long)value, suffixes[suffix]);
}

void msl_text_hertz(struct msl_text *out, double hertz) {
  static const char *const units[] = {"Hz", "KHz", "MHz", "GHz"};
  static const unsigned places[] = {0, 3, 6, 9};
  uint64_t value = (uint64_t)hertz;
  unsigned unit = value >= 1000000 ? 2 : value >= 1000 ? 1 : 0;
  uint64_t scale = 1;
  for (unsigned i = 0; i < places[unit]; i++)
    scale *= 10;
  msl_text_format(out, "%llu", (unsigned long long)(value / scale));
  unsigned digits = places[unit];
  for (value %= scale; value && value % 10 == 0; digits--)
    value /= 10;
  if (value)
    msl_text_format(out, ".%0*llu", (int)digits, (unsigned long long)value);
  msl_text_add(out, units[unit]);
}

char *msl_text_take(struct msl_text *out) {
  if (text_reserve(out, 1))
    out->bytes[out->len] = 0;
  char *bytes = out->bytes;
  if (out->failed) {
    free(bytes);
    bytes = NULL;
  }
  memset(out, 0, sizeof *out);
  return bytes;
}
