/* One field's value as a file has it. */
#include "internal.h"

/* True, printed: the value is not a number but ?, na or om. */
static bool print_open(struct msl_text *out, enum msl_state state, bool unsure) {
  if (state == MSL_GIVEN) {
    msl_text_add(out, unsure ? "~" : "");
    return false;
  }
  msl_text_add(out, state == MSL_NA ? "na" : state == MSL_OM ? "om" : "?");
  return true;
}

static void print_count(struct msl_text *out, const struct msl_field *field, const struct msl_count *count) {
  if (print_open(out, count->state, count->unsure))
    return;
  if (field->kind == MSL_KIND_BYTES) {
    msl_text_size(out, count->value);
    msl_text_add(out, "B");
  } else {
    msl_text_format(out, field->kind == MSL_KIND_ARCH ? "sm_%llu" : "%llu", (unsigned long long)count->value);
  }
}

static void print_time(struct msl_text *out, const struct msl_time *time) {
  if (print_open(out, time->state, time->unsure))
    return;
  msl_text_real(out, time->value);
  msl_text_add(out, msl_time_unit_names[time->unit]);
}

static bool same_time(const struct msl_time *a, const struct msl_time *b) {
  if (a->state != MSL_GIVEN || b->state != MSL_GIVEN)
    return a->state == b->state;
  return a->unsure == b->unsure && a->unit == b->unit && a->value == b->value;
}

static void print_times(struct msl_text *out, const struct msl_field *field, const void *entry) {
  const struct msl_time *first = msl_at(entry, field->offset);
  const struct msl_time *second = field->second ? msl_at(entry, field->second) : first;
  if (same_time(first, second)) {
    print_time(out, first);
    return;
  }
  msl_text_add(out, "<");
  print_time(out, first);
  msl_text_add(out, " ");
  print_time(out, second);
  msl_text_add(out, ">");
}

static void print_real(struct msl_text *out, const struct msl_field *field, const struct msl_real *real) {
  if (print_open(out, real->state, real->unsure))
    return;
  if (field->kind == MSL_KIND_HERTZ) {
    msl_text_hertz(out, real->value);
    return;
  }
  msl_text_real(out, real->value);
  msl_text_add(out, field->kind == MSL_KIND_PER_CLK ? "B/clk" : field->kind == MSL_KIND_PER_SECOND ? "GB/s" : "");
}

static bool same_real(const struct msl_real *a, const struct msl_real *b) {
  if (a->state != MSL_GIVEN || b->state != MSL_GIVEN)
    return a->state == b->state;
  return a->unsure == b->unsure && a->value == b->value;
}

static void print_reals(struct msl_text *out, const struct msl_field *field, const void *entry) {
  const struct msl_real *first = msl_at(entry, field->offset);
  const struct msl_real *second = field->second ? msl_at(entry, field->second) : first;
  if (same_real(first, second)) {
    print_real(out, field, first);
    return;
  }
  msl_text_add(out, "<");
  print_real(out, field, first);
  msl_text_add(out, " ");
  print_real(out, field, second);
  msl_text_add(out, ">");
}

static void print_extent(struct msl_text *out, const struct msl_extent *extent) {
  if (print_open(out, extent->state, extent->unsure))
    return;
  msl_text_add(out, extent->dims > 1 ? "<" : "");
  for (unsigned i = 0; i < extent->dims; i++) {
    msl_text_add(out, i ? " " : "");
    msl_text_size(out, extent->dim[i]);
    msl_text_add(out, extent->unit == MSL_ELEMENTS ? "E" : "B");
  }
  msl_text_add(out, extent->dims > 1 ? ">" : "");
}

static void print_levels(struct msl_text *out, const struct place_machine *machine, const struct msl_levels *levels) {
  if (print_open(out, levels->state, false))
    return;
  msl_text_add(out, "<");
  for (unsigned i = 0; i < levels->count; i++)
    msl_text_format(out, "%s%s", i ? " " : "", machine->memories[levels->memory[i]].name);
  msl_text_add(out, ">");
}

static void print_curve(struct msl_text *out, const struct msl_field *field, const struct msl_curve *curve) {
  if (print_open(out, curve->state, false))
    return;
  msl_text_add(out, "<");
  for (unsigned i = 0; i < curve->count; i++) {
    const struct msl_point *point = &curve->points[i];
    msl_text_add(out, i ? " <" : "<");
    if (field->kind == MSL_KIND_CURVE_BYTES) {
      msl_text_size(out, (uint64_t)point->x);
      msl_text_add(out, "B");
    } else {
      msl_text_real(out, point->x);
    }
    msl_text_add(out, point->unsure ? " ~" : " ");
    msl_text_real(out, point->cost_ns);
    msl_text_add(out, "ns>");
  }
  msl_text_add(out, ">");
}

static void print_choice(struct msl_text *out, const struct msl_choice *choice, const char *const *names) {
  if (!print_open(out, choice->state, false))
    msl_text_add(out, names[choice->value]);
}

static void print_condition(struct msl_text *out, const struct place_memory *memory) {
  if (print_open(out, memory->serial_scope.state, false))
    return;
  msl_text_format(out, "%s{", msl_thread_scope_names[memory->serial_scope.value]);
  msl_condition_print(out, memory->serial);
  msl_text_add(out, "}");
}

void msl_field_print(struct msl_text *out, const struct place_machine *machine, const struct msl_field *field,
                     const void *entry) {
  static const char *const yes_no[] = {"N", "Y"}, *const access[] = {"na", "R", "W", "RW"};
  const void *value = msl_at(entry, field->offset);
  switch (field->kind) {
  case MSL_KIND_NAME:
  case MSL_KIND_PATH: msl_text_add(out, *(const char *const *)value); break;
  case MSL_KIND_ID: msl_text_format(out, "%u", *(const unsigned *)value); break;
  case MSL_KIND_YES_NO: print_choice(out, value, yes_no); break;
  case MSL_KIND_ACCESS: print_choice(out, value, access); break;
  case MSL_KIND_SHARE_SCOPE: print_choice(out, value, msl_share_scope_names); break;
  case MSL_KIND_COUNT:
  case MSL_KIND_ARCH:
  case MSL_KIND_BYTES: print_count(out, field, value); break;
  case MSL_KIND_EXTENT: print_extent(out, value); break;
  case MSL_KIND_TIME: print_times(out, field, entry); break;
  case MSL_KIND_LEVELS: print_levels(out, machine, value); break;
  case MSL_KIND_FACTOR:
  case MSL_KIND_PER_CLK:
  case MSL_KIND_PER_SECOND:
  case MSL_KIND_HERTZ: print_reals(out, field, entry); break;
  case MSL_KIND_CONDITION: print_condition(out, entry); break;
  case MSL_KIND_CURVE_BYTES:
  case MSL_KIND_CURVE_COUNT: print_curve(out, field, value); break;
  }
}
