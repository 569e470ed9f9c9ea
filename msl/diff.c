/* Two machines, field by field. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct difference {
  struct msl_text out;
  unsigned count;
  const struct place_machine *a, *b;
};

static char *value_of(const struct place_machine *machine, const struct msl_field *field, const void *entry) {
  struct msl_text out = {0};
  if (msl_field_state(field, entry) == MSL_ABSENT)
    msl_text_add(&out, "-");
  else
    msl_field_print(&out, machine, field, entry);
  return msl_text_take(&out);
}

static void compare(struct difference *d, const char *owner, const struct msl_field *field, const void *in_a,
                    const void *in_b) {
  char *left = value_of(d->a, field, in_a), *right = value_of(d->b, field, in_b);
  if (!left || !right) {
    d->out.failed = true;
  } else if (strcmp(left, right) != 0) {
    d->count++;
    msl_text_format(&d->out, "%s.%s%s%s: ", owner, field->key, *field->item ? "." : "", field->item);
    msl_text_format(&d->out, "%s | %s\n", left, right);
  }
  free(left);
  free(right);
}

static void compare_names(struct difference *d) {
  if (!strcmp(d->a->name, d->b->name))
    return;
  d->count++;
  msl_text_format(&d->out, "machine: %s | %s\n", *d->a->name ? d->a->name : "-", *d->b->name ? d->b->name : "-");
}

static void compare_memories(struct difference *d) {
  for (unsigned i = 0; i < d->a->memory_count; i++) {
    const struct place_memory *in_a = &d->a->memories[i], *in_b = msl_memory_by_name(d->b, in_a->name);
    if (!in_b) {
      d->count++;
      msl_text_format(&d->out, "%s: present | -\n", in_a->name);
      continue;
    }
    for (unsigned f = 0; f < msl_memory_field_count; f++)
      compare(d, in_a->name, &msl_memory_fields[f], in_a, in_b);
  }
  for (unsigned i = 0; i < d->b->memory_count; i++)
    if (!msl_memory_by_name(d->a, d->b->memories[i].name)) {
      d->count++;
      msl_text_format(&d->out, "%s: - | present\n", d->b->memories[i].name);
    }
}

char *msl_diff(const struct place_machine *a, const struct place_machine *b, unsigned *differences) {
  struct difference d = {.a = a, .b = b};
  compare_names(&d);
  for (unsigned f = 0; f < msl_processor_field_count; f++)
    compare(&d, "processor", &msl_processor_fields[f], a, b);
  compare_memories(&d);
  if (differences)
    *differences = d.count;
  return msl_text_take(&d.out);
}
