/* Numbers with units. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { MOST_DIGITS = 15 }; /* of a number with a fraction: a double holds them exactly enough to print them again */

static bool suffix_is(const struct msl_reader *reader, const char *unit) {
  size_t len = reader->token.end - reader->token.suffix;
  return len == strlen(unit) && !memcmp(reader->text + reader->token.suffix, unit, len);
}

static void name_of(const struct msl_field *field, char *buffer, size_t bytes) {
  snprintf(buffer, bytes, *field->item ? "%s = NUMBER %s" : "%s", field->key, field->item);
}

/* Entries are positional: which field is meant has to be said. */
static bool is_number(struct msl_reader *reader, const struct msl_field *field, const char *expected) {
  char name[40], described[100];
  if (reader->token.kind == MSL_NUMBER)
    return true;
  name_of(field, name, sizeof name);
  snprintf(described, sizeof described, "%s (%s)", expected, name);
  return msl_syntax(reader, described);
}

static enum msl_taken wrong_unit(struct msl_reader *reader, const struct msl_field *field, const char *expected) {
  char name[40];
  name_of(field, name, sizeof name);
  int len = (int)(reader->token.end - reader->token.suffix);
  if (len > 24)
    len = 24;
  if (len)
    msl_error(reader, reader->token.suffix, "'%.*s' is not a unit of %s: expected %s", len,
              reader->text + reader->token.suffix, name, expected);
  else
    msl_error(reader, reader->token.suffix, "%s needs a unit: expected %s", name, expected);
  msl_next(reader);
  return MSL_WRONG;
}

/* 0 is in a field's range only if it is an id; a lower bound of 0 is excluded otherwise. */
static bool allows_least(const struct msl_field *field) { return field->least > 0 || field->kind == MSL_KIND_ID; }

static char *range_text(const struct msl_field *field) {
  struct msl_text range = {0};
  if (allows_least(field)) {
    msl_text_add(&range, "from ");
    msl_text_real(&range, field->least);
  } else {
    msl_text_add(&range, "greater than 0");
  }
  msl_text_add(&range, ", at most ");
  if (field->kind == MSL_KIND_EXTENT || field->kind == MSL_KIND_BYTES)
    msl_text_size(&range, (uint64_t)field->most);
  else
    msl_text_real(&range, field->most);
  return msl_text_take(&range);
}

/* `at` is the number's place: its token is taken already. */
static enum msl_taken in_range(struct msl_reader *reader, const struct msl_field *field, double value, size_t at) {
  if (value <= field->most && (allows_least(field) ? value >= field->least : value > 0))
    return MSL_TAKEN;
  char name[40], *range = range_text(field);
  name_of(field, name, sizeof name);
  if (range)
    msl_error(reader, at, "%s is out of range: %s", name, range);
  else
    reader->out_of_memory = true;
  free(range);
  return MSL_WRONG;
}

/* The digits as an integer; false, said: a fraction, or beyond 64 bits. */
static bool integer_digits(struct msl_reader *reader, uint64_t *value) {
  *value = 0;
  for (size_t at = reader->token.at; at < reader->token.suffix; at++) {
    char c = reader->text[at];
    if (c == '.') {
      msl_error(reader, at, "a whole number is needed here");
      return false;
    }
    if (*value > (UINT64_MAX - 9) / 10) {
      msl_error(reader, reader->token.at, "this number is too large");
      return false;
    }
    *value = *value * 10 + (uint64_t)(c - '0');
  }
  return true;
}

/* value = *mantissa / 10^*places */
static bool decimal_digits(struct msl_reader *reader, uint64_t *mantissa, unsigned *places) {
  unsigned digits = 0;
  bool fraction = false;
  *mantissa = 0;
  *places = 0;
  for (size_t at = reader->token.at; at < reader->token.suffix; at++) {
    char c = reader->text[at];
    if (c == '.') {
      fraction = true;
      continue;
    }
    digits += digits || c != '0';
    *places += fraction;
    if (digits > MOST_DIGITS || *places > MOST_DIGITS) {
      msl_error(reader, reader->token.at, "this number has more than %d digits", MOST_DIGITS);
      return false;
    }
    *mantissa = *mantissa * 10 + (uint64_t)(c - '0');
  }
  return true;
}

static bool real_digits(struct msl_reader *reader, double *value) {
  uint64_t mantissa;
  unsigned places;
  if (!decimal_digits(reader, &mantissa, &places))
    return false;
  double power = 1;
  while (places--)
    power *= 10;
  *value = (double)mantissa / power;
  return true;
}

enum msl_taken msl_take_integer(struct msl_reader *reader, const struct msl_field *field, uint64_t *value) {
  if (!is_number(reader, field, "a number"))
    return MSL_NO_NUMBER;
  if (!suffix_is(reader, ""))
    return wrong_unit(reader, field, "a plain number");
  size_t at = reader->token.at;
  bool good = integer_digits(reader, value);
  msl_next(reader);
  return good ? in_range(reader, field, (double)*value, at) : MSL_WRONG;
}

/* [K|M|G|T][E|B]: the power of two that the suffix stands for, -1 if it is none of these */
static int size_suffix(const struct msl_reader *reader, enum msl_size_unit *unit) {
  const char *suffix = reader->text + reader->token.suffix;
  size_t len = reader->token.end - reader->token.suffix;
  static const char letters[] = "KMGT";
  int shift = 0;
  const char *letter = len ? memchr(letters, *suffix, 4) : NULL;
  if (letter) {
    shift = 10 * (int)(letter - letters + 1);
    suffix++;
    len--;
  }
  *unit = len == 1 && *suffix == 'E' ? MSL_ELEMENTS : MSL_BYTES;
  return len == 0 || (len == 1 && (*suffix == 'E' || *suffix == 'B')) ? shift : -1;
}

enum msl_taken msl_take_size(struct msl_reader *reader, const struct msl_field *field, enum msl_size_unit *unit,
                             uint64_t *value) {
  enum msl_size_unit found;
  if (!is_number(reader, field, "a size such as 48K or 128B"))
    return MSL_NO_NUMBER;
  int shift = size_suffix(reader, &found);
  if (shift < 0)
    return wrong_unit(reader, field, unit ? "K, M, G or T, then B or E" : "K, M, G or T, then B");
  if (!unit && found == MSL_ELEMENTS)
    return wrong_unit(reader, field, "bytes");
  if (unit)
    *unit = found;
  size_t at = reader->token.at;
  bool good = integer_digits(reader, value);
  msl_next(reader);
  if (!good)
    return MSL_WRONG;
  if (*value > UINT64_MAX >> shift) {
    msl_error(reader, at, "this number is too large");
    return MSL_WRONG;
  }
  *value <<= shift;
  return in_range(reader, field, (double)*value, at);
}

enum msl_taken msl_take_real(struct msl_reader *reader, const struct msl_field *field, const char *unit,
                             double *value) {
  if (!is_number(reader, field, "a number"))
    return MSL_NO_NUMBER;
  if (!suffix_is(reader, unit))
    return wrong_unit(reader, field, *unit ? unit : "a plain number");
  size_t at = reader->token.at;
  bool good = real_digits(reader, value);
  msl_next(reader);
  return good ? in_range(reader, field, *value, at) : MSL_WRONG;
}

enum msl_taken msl_take_time(struct msl_reader *reader, const struct msl_field *field, enum msl_time_unit *unit,
                             double *value) {
  if (!is_number(reader, field, "a time such as 600clk or 0.5ns"))
    return MSL_NO_NUMBER;
  unsigned found = 0;
  while (found < 5 && !suffix_is(reader, msl_time_unit_names[found]))
    found++;
  if (found == 5)
    return wrong_unit(reader, field, "clk, ns, us, ms or sec");
  *unit = (enum msl_time_unit)found;
  size_t at = reader->token.at;
  bool good = real_digits(reader, value);
  msl_next(reader);
  return good ? in_range(reader, field, *value, at) : MSL_WRONG;
}

enum msl_taken msl_take_hertz(struct msl_reader *reader, const struct msl_field *field, double *hertz) {
  static const char *const units[] = {"Hz", "KHz", "MHz", "GHz"};
  if (!is_number(reader, field, "a frequency such as 1980MHz"))
    return MSL_NO_NUMBER;
  unsigned unit = 0;
  while (unit < 4 && !suffix_is(reader, units[unit]))
    unit++;
  if (unit == 4)
    return wrong_unit(reader, field, "Hz, KHz, MHz or GHz");
  size_t at = reader->token.at;
  uint64_t mantissa;
  unsigned places;
  bool good = decimal_digits(reader, &mantissa, &places);
  msl_next(reader);
  if (!good)
    return MSL_WRONG;
  for (; places && mantissa % 10 == 0; places--)
    mantissa /= 10;
  if (places > 3 * unit) {
    msl_error(reader, at, "a frequency is a whole number of Hz");
    return MSL_WRONG;
  }
  double value = (double)mantissa;
  for (unsigned i = places; i < 3 * unit; i++)
    value *= 10;
  *hertz = value;
  return in_range(reader, field, value, at);
}
