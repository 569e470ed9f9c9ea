/* Rows and columns of the picture, and the texts in it. */
#include <string.h>

#include "draw.h"

static bool lists(const struct msl_levels *levels, unsigned memory) {
  for (unsigned i = 0; i < levels->count; i++)
    if (levels->memory[i] == memory)
      return true;
  return false;
}

static bool is_below(const struct place_machine *machine, unsigned upper, unsigned lower) {
  return lists(&machine->memories[upper].lower, lower) || lists(&machine->memories[lower].upper, upper);
}

bool msl_covers(const struct place_machine *machine, unsigned upper, unsigned lower) {
  if (!is_below(machine, upper, lower))
    return false;
  for (unsigned via = 0; via < machine->memory_count; via++)
    if (is_below(machine, upper, via) && is_below(machine, via, lower))
      return false;
  return true;
}

static bool of_the_die(const struct place_memory *memory) {
  return memory->share_scope.state != MSL_GIVEN || memory->share_scope.value == MSL_DIE;
}

/* The levels have no cycles, so as many rounds as there are memories settle all rows. */
static void settle_rows(const struct place_machine *machine, struct msl_layout *layout) {
  for (unsigned round = 0; round < machine->memory_count; round++)
    for (unsigned i = 0; i < machine->memory_count; i++)
      for (unsigned j = 0; j < machine->memory_count; j++)
        if (is_below(machine, i, j) && layout->row[j] <= layout->row[i])
          layout->row[j] = layout->row[i] + 1;
}

static void assign_rows(const struct place_machine *machine, struct msl_layout *layout) {
  settle_rows(machine, layout);
  for (unsigned i = 0; i < machine->memory_count; i++)
    if (!of_the_die(&machine->memories[i]) && layout->row[i] >= layout->sm_rows)
      layout->sm_rows = layout->row[i] + 1;
  for (unsigned i = 0; i < machine->memory_count; i++)
    if (of_the_die(&machine->memories[i]) && layout->row[i] < layout->sm_rows)
      layout->row[i] = layout->sm_rows;
  settle_rows(machine, layout);
  for (unsigned i = 0; i < machine->memory_count; i++)
    layout->rows = layout->row[i] >= layout->rows ? layout->row[i] + 1 : layout->rows;
}

/* Under the first memory above it if that column is free, else the next free one. */
static void assign_columns(const struct place_machine *machine, struct msl_layout *layout) {
  for (unsigned row = 0; row < layout->rows; row++) {
    uint64_t taken = 0;
    for (unsigned i = 0; i < machine->memory_count; i++) {
      if (layout->row[i] != row)
        continue;
      unsigned wanted = 0;
      for (unsigned j = machine->memory_count; j-- > 0;)
        wanted = msl_covers(machine, j, i) ? layout->column[j] : wanted;
      while (taken >> wanted & 1)
        wanted = (wanted + 1) % MSL_MAX_MEMORIES;
      taken |= (uint64_t)1 << wanted;
      layout->column[i] = wanted;
      layout->columns = wanted >= layout->columns ? wanted + 1 : layout->columns;
    }
  }
}

void msl_layout(const struct place_machine *machine, struct msl_layout *layout) {
  memset(layout, 0, sizeof *layout);
  assign_rows(machine, layout);
  assign_columns(machine, layout);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void draw_field(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory,
                       size_t offset) {
  for (unsigned i = 0; i < msl_memory_field_count; i++)
    if (msl_memory_fields[i].offset == offset)
      msl_field_print(out, machine, &msl_memory_fields[i], memory);
}

void msl_draw_size(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory) {
  draw_field(out, machine, memory, offsetof(struct place_memory, size));
}

void msl_draw_latency(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory) {
  draw_field(out, machine, memory, offsetof(struct place_memory, read_latency));
}

void msl_draw_title(struct msl_text *out, const struct place_machine *machine) {
  msl_text_add(out, *machine->name ? machine->name : "machine");
  if (machine->arch.state == MSL_GIVEN)
    msl_text_format(out, ", sm_%llu", (unsigned long long)machine->arch.value);
  if (machine->sm_count)
    msl_text_format(out, ", %u SMs", machine->sm_count);
  if (machine->clock_hz.state == MSL_GIVEN) {
    msl_text_add(out, machine->clock_hz.unsure ? ", ~" : ", ");
    msl_text_hertz(out, machine->clock_hz.value);
  }
}
