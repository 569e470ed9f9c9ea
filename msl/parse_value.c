/* The value of one field, by its kind. */
#include <string.h>

#include "internal.h"

bool msl_parse_open(struct msl_reader *reader, enum msl_state *state) {
  if (reader->token.kind == MSL_QUESTION)
    *state = MSL_UNKNOWN;
  else if (msl_token_is(reader, "na"))
    *state = MSL_NA;
  else if (msl_token_is(reader, "om"))
    *state = MSL_OM;
  else
    return false;
  msl_next(reader);
  return true;
}

static bool take_mark(struct msl_reader *reader) {
  if (reader->token.kind != MSL_TILDE)
    return false;
  msl_next(reader);
  return true;
}

/* After an error in the value the entry goes on; nobody sees a machine with such a value. */
static bool settle(enum msl_taken taken, enum msl_state *state) {
  *state = taken == MSL_TAKEN ? MSL_GIVEN : MSL_UNKNOWN;
  return taken != MSL_NO_NUMBER;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool parse_count(struct msl_reader *reader, const struct msl_field *field, struct msl_count *count) {
  if (msl_parse_open(reader, &count->state))
    return true;
  count->unsure = take_mark(reader);
  if (field->kind == MSL_KIND_BYTES)
    return settle(msl_take_size(reader, field, NULL, &count->value), &count->state);
  return settle(msl_take_integer(reader, field, &count->value), &count->state);
}

static bool parse_time(struct msl_reader *reader, const struct msl_field *field, struct msl_time *time) {
  if (msl_parse_open(reader, &time->state))
    return true;
  time->unsure = take_mark(reader);
  return settle(msl_take_time(reader, field, &time->unit, &time->value), &time->state);
}

static bool parse_real(struct msl_reader *reader, const struct msl_field *field, struct msl_real *real) {
  if (msl_parse_open(reader, &real->state))
    return true;
  real->unsure = take_mark(reader);
  if (field->kind == MSL_KIND_HERTZ)
    return settle(msl_take_hertz(reader, field, &real->value), &real->state);
  const char *unit = field->kind == MSL_KIND_PER_CLK ? "B/clk" : field->kind == MSL_KIND_PER_SECOND ? "GB/s" : "";
  return settle(msl_take_real(reader, field, unit, &real->value), &real->state);
}

/* One value for both, or <first second>. */
static bool parse_times(struct msl_reader *reader, const struct msl_field *field, void *entry) {
  struct msl_time *first = (struct msl_time *)((char *)entry + field->offset);
  struct msl_time *second = field->second ? (struct msl_time *)((char *)entry + field->second) : NULL;
  if (!second || reader->token.kind != MSL_OPEN) {
    bool parsed = parse_time(reader, field, first);
    if (second)
      *second = *first;
    return parsed;
  }
  msl_next(reader);
  return parse_time(reader, field, first) && parse_time(reader, field, second) &&
         msl_expect(reader, MSL_CLOSE, "'>' after the two values");
}

static bool parse_reals(struct msl_reader *reader, const struct msl_field *field, void *entry) {
  struct msl_real *first = (struct msl_real *)((char *)entry + field->offset);
  struct msl_real *second = field->second ? (struct msl_real *)((char *)entry + field->second) : NULL;
  if (!second || reader->token.kind != MSL_OPEN) {
    bool parsed = parse_real(reader, field, first);
    if (second)
      *second = *first;
    return parsed;
  }
  msl_next(reader);
  return parse_real(reader, field, first) && parse_real(reader, field, second) &&
         msl_expect(reader, MSL_CLOSE, "'>' after the two values");
}

/* ---- sizes of one to three dimensions ---------------------------------------------------------------------------- */

static bool parse_dimension(struct msl_reader *reader, const struct msl_field *field, struct msl_extent *extent) {
  enum msl_size_unit unit = MSL_BYTES;
  enum msl_state state;
  size_t at = reader->token.at;
  if (!settle(msl_take_size(reader, field, &unit, &extent->dim[extent->dims]), &state))
    return false;
  bool mixed = state == MSL_GIVEN && extent->dims && unit != extent->unit;
  if (mixed)
    msl_error(reader, at, "the dimensions of %s are in one unit, bytes or elements", field->key);
  if (mixed || state != MSL_GIVEN)
    extent->state = MSL_UNKNOWN;
  extent->unit = unit;
  extent->dims++;
  return true;
}

static bool parse_extent(struct msl_reader *reader, const struct msl_field *field, struct msl_extent *extent) {
  if (msl_parse_open(reader, &extent->state))
    return true;
  extent->state = MSL_GIVEN;
  extent->unsure = take_mark(reader);
  if (reader->token.kind != MSL_OPEN)
    return parse_dimension(reader, field, extent);
  msl_next(reader);
  do
    if (!parse_dimension(reader, field, extent))
      return false;
  while (extent->dims < 3 && reader->token.kind != MSL_CLOSE);
  return msl_expect(reader, MSL_CLOSE, "'>' after at most three dimensions");
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

struct choice {
  const char *word;
  unsigned value;
};

static bool parse_choice(struct msl_reader *reader, const struct choice *choices, const char *expected,
                         struct msl_choice *choice) {
  if (msl_parse_open(reader, &choice->state))
    return true;
  for (; choices->word; choices++)
    if (msl_token_is(reader, choices->word)) {
      choice->state = MSL_GIVEN;
      choice->value = choices->value;
      msl_next(reader);
      return true;
    }
  return msl_syntax(reader, expected);
}

static bool parse_yes_no(struct msl_reader *reader, struct msl_choice *choice) {
  static const struct choice choices[] = {{"Y", 1}, {"N", 0}, {NULL, 0}};
  return parse_choice(reader, choices, "Y or N (swmng)", choice);
}

static bool parse_access(struct msl_reader *reader, struct msl_choice *choice) {
  static const struct choice choices[] = {{"R", MSL_READ},  {"W", MSL_WRITE},  {"RW", MSL_READ | MSL_WRITE},
                                          {"r", MSL_READ},  {"w", MSL_WRITE},  {"rw", MSL_READ | MSL_WRITE},
                                          {NULL, 0}};
  return parse_choice(reader, choices, "R, W or RW (rw)", choice);
}

static bool parse_share_scope(struct msl_reader *reader, struct msl_choice *choice) {
  static const struct choice choices[] = {{"core", MSL_CORE}, {"sm", MSL_SM}, {"tpc", MSL_TPC}, {"die", MSL_DIE},
                                          {NULL, 0}};
  return parse_choice(reader, choices, "core, sm, tpc or die (shareScope)", choice);
}

static bool parse_word(struct msl_reader *reader, const char *expected, const char **word) {
  char found[64];
  if (reader->token.kind != MSL_WORD)
    return msl_syntax(reader, expected);
  *word = msl_token_string(reader);
  if (msl_is_keyword(*word))
    msl_error(reader, reader->token.at, "%s is a keyword and cannot be a name",
              msl_token_text(reader, found, sizeof found));
  msl_next(reader);
  return true;
}

static bool parse_id(struct msl_reader *reader, const struct msl_field *field, unsigned *id) {
  uint64_t value = 0;
  if (reader->token.kind != MSL_NUMBER)
    return msl_syntax(reader, "the memory's id, a number");
  enum msl_taken taken = msl_take_integer(reader, field, &value);
  *id = (unsigned)value;
  return taken != MSL_NO_NUMBER;
}

/* sm_90 */
static bool parse_arch(struct msl_reader *reader, const struct msl_field *field, struct msl_count *arch) {
  if (msl_parse_open(reader, &arch->state))
    return true;
  const char *p = reader->text + reader->token.at, *end = reader->text + reader->token.end;
  uint64_t value = 0;
  bool good = reader->token.kind == MSL_WORD && end - p > 3 && end - p <= 6 && !memcmp(p, "sm_", 3);
  for (p += 3; good && p < end; p++) {
    good = *p >= '0' && *p <= '9';
    value = value * 10 + (uint64_t)(*p - '0');
  }
  if (!good || (double)value < field->least)
    return msl_syntax(reader, "an architecture such as sm_90");
  arch->state = MSL_GIVEN;
  arch->value = value;
  msl_next(reader);
  return true;
}

/* ---- by kind ----------------------------------------------------------------------------------------------------- */

static bool parse_by_kind(struct msl_reader *reader, const struct msl_field *field, void *entry, struct msl_draft *draft) {
  void *value = (char *)entry + field->offset;
  switch (field->kind) {
  case MSL_KIND_NAME: return parse_word(reader, "the name of a memory", value);
  case MSL_KIND_PATH: return parse_word(reader, "the name of a transfer path", value);
  case MSL_KIND_ID: return parse_id(reader, field, value);
  case MSL_KIND_YES_NO: return parse_yes_no(reader, value);
  case MSL_KIND_ACCESS: return parse_access(reader, value);
  case MSL_KIND_SHARE_SCOPE: return parse_share_scope(reader, value);
  case MSL_KIND_COUNT:
  case MSL_KIND_BYTES: return parse_count(reader, field, value);
  case MSL_KIND_ARCH: return parse_arch(reader, field, value);
  case MSL_KIND_EXTENT: return parse_extent(reader, field, value);
  case MSL_KIND_TIME: return parse_times(reader, field, entry);
  case MSL_KIND_FACTOR:
  case MSL_KIND_PER_CLK:
  case MSL_KIND_PER_SECOND:
  case MSL_KIND_HERTZ: return parse_reals(reader, field, entry);
  case MSL_KIND_LEVELS:
    return msl_parse_levels(reader, field, value,
                            field->offset == offsetof(struct place_memory, upper) ? &draft->upper : &draft->lower);
  case MSL_KIND_CURVE_BYTES:
  case MSL_KIND_CURVE_COUNT: return msl_parse_curve(reader, field, value);
  case MSL_KIND_CONDITION: return msl_parse_condition(reader, entry);
  }
  return false;
}

bool msl_parse_field(struct msl_reader *reader, const struct msl_field *field, void *entry, struct msl_draft *draft) {
  struct msl_span span = {field, draft ? (int)reader->count : -1, reader->token.at, 0};
  if (!parse_by_kind(reader, field, entry, draft))
    return false;
  span.to = reader->last_end;
  if (reader->spans)
    msl_spans_add(reader->spans, &span);
  return true;
}
