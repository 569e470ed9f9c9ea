/* The canonical text of a machine. */
#include "internal.h"

static void print_item(struct msl_text *out, const struct place_machine *machine, const struct msl_field *field) {
  msl_text_format(out, "%s = ", field->key);
  msl_field_print(out, machine, field, machine);
  msl_text_format(out, *field->item ? " %s;" : "%s;", field->item);
}

static void print_processor(struct msl_text *out, const struct place_machine *machine) {
  for (unsigned i = 0; i < msl_processor_field_count; i++) {
    const struct msl_field *field = &msl_processor_fields[i];
    if (msl_field_state(field, machine) == MSL_ABSENT)
      continue;
    print_item(out, machine, field);
    msl_text_add(out, i + 1 < MSL_PAPER_ITEMS ? " " : "\n");
  }
}

static void print_memory(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory) {
  msl_text_add(out, "\n");
  for (unsigned i = 0; i < msl_memory_field_count; i++) {
    const struct msl_field *field = &msl_memory_fields[i];
    if (i < MSL_BASE_FIELDS) {
      msl_text_add(out, i ? " " : "");
    } else {
      if (msl_field_state(field, memory) == MSL_ABSENT)
        continue;
      msl_text_format(out, "\n    %s = ", field->key);
    }
    msl_field_print(out, machine, field, memory);
  }
  msl_text_add(out, ";\n");
}

char *msl_print(const struct place_machine *machine) {
  struct msl_text out = {0};
  if (*machine->name)
    msl_text_format(&out, "Mem spec of %s:\n\n", machine->name);
  print_processor(&out, machine);
  for (unsigned i = 0; i < machine->memory_count; i++)
    print_memory(&out, machine, &machine->memories[i]);
  return msl_text_take(&out);
}
