/* Lists: levels <L2 L1>, and curves <<256B 0.29ns> <384B 1.5ns>>. */
#include "internal.h"

static bool parse_reference(struct msl_reader *reader, struct msl_reference *reference) {
  reference->at = reader->token.at;
  if (reader->token.kind == MSL_WORD) {
    reference->by_name = true;
    reference->name = msl_token_string(reader);
    msl_next(reader);
    return true;
  }
  static const struct msl_field id = {"a level", "", MSL_KIND_ID, 0, 0, 0, 1e6};
  if (reader->token.kind != MSL_NUMBER)
    return msl_syntax(reader, "the name or id of a memory, or '>'");
  return msl_take_integer(reader, &id, &reference->id) != MSL_NO_NUMBER;
}

bool msl_parse_levels(struct msl_reader *reader, const struct msl_field *field, struct msl_levels *levels,
                      struct msl_references *references) {
  const char *expected = field->offset == offsetof(struct place_memory, upper)
                             ? "a list of levels such as <L2 L1>, or <> (upperLevels)"
                             : "a list of levels such as <L2 L1>, or <> (lowerLevels)";
  struct msl_reference items[MSL_MAX_MEMORIES];
  unsigned count = 0;
  if (msl_parse_open(reader, &levels->state))
    return true;
  levels->state = MSL_GIVEN;
  if (!msl_expect(reader, MSL_OPEN, expected))
    return false;
  for (; reader->token.kind != MSL_CLOSE; count++) {
    if (count == MSL_MAX_MEMORIES)
      return msl_syntax(reader, "'>': there are more levels than a machine has memories");
    items[count] = (struct msl_reference){0};
    if (!parse_reference(reader, &items[count]))
      return false;
  }
  msl_next(reader);
  references->items = msl_arena_copy(reader->arena, items, count * sizeof items[0]);
  references->count = references->items ? count : 0;
  reader->out_of_memory |= !references->items;
  return true;
}

/* The cost of a point is in ns: a curve is measured, and a clock may not be known. */
static bool parse_cost(struct msl_reader *reader, const struct msl_field *field, struct msl_point *point) {
  point->unsure = reader->token.kind == MSL_TILDE;
  if (point->unsure)
    msl_next(reader);
  return msl_take_real(reader, field, "ns", &point->cost_ns) != MSL_NO_NUMBER;
}

static bool parse_point(struct msl_reader *reader, const struct msl_field *field, struct msl_point *point) {
  static const struct msl_field bytes = {"workingSet", "", MSL_KIND_BYTES, 0, 0, 1, 1152921504606846976.0};
  if (!msl_expect(reader, MSL_OPEN, "a point such as <256B 0.29ns>"))
    return false;
  enum msl_taken taken;
  if (field->kind == MSL_KIND_CURVE_BYTES) {
    uint64_t capacity_bytes = 0;
    taken = msl_take_size(reader, &bytes, NULL, &capacity_bytes);
    point->x = (double)capacity_bytes;
  } else {
    taken = msl_take_real(reader, field, "", &point->x);
  }
  return taken != MSL_NO_NUMBER && parse_cost(reader, field, point) &&
         msl_expect(reader, MSL_CLOSE, "'>' after a point");
}

bool msl_parse_curve(struct msl_reader *reader, const struct msl_field *field, struct msl_curve *curve) {
  struct msl_point points[MSL_MAX_POINTS];
  unsigned count = 0;
  if (msl_parse_open(reader, &curve->state))
    return true;
  curve->state = MSL_GIVEN;
  if (!msl_expect(reader, MSL_OPEN, "a list of points such as <<256B 0.29ns> <384B 1.5ns>>"))
    return false;
  do {
    size_t at = reader->token.at;
    if (count == MSL_MAX_POINTS)
      return msl_syntax(reader, "'>': a curve has at most 128 points");
    points[count] = (struct msl_point){0};
    if (!parse_point(reader, field, &points[count]))
      return false;
    if (count && points[count].x <= points[count - 1].x && points[count].x > 0)
      msl_error(reader, at, "the points of %s are not in ascending order", field->key);
    count++;
  } while (reader->token.kind != MSL_CLOSE);
  msl_next(reader);
  curve->points = msl_arena_copy(reader->arena, points, count * sizeof points[0]);
  curve->count = curve->points ? count : 0;
  reader->out_of_memory |= !curve->points;
  return true;
}
