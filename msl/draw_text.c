/* The hierarchy as text: each memory that arrays can be in, with its caches between the cores and it. */
#include "draw.h"

static void cell(struct msl_text *out, size_t from, size_t width) {
  size_t used = 0;
  for (size_t i = from; i < out->len; i++)
    used += ((unsigned char)out->bytes[i] & 0xC0) != 0x80;
  for (; used < width; used++)
    msl_text_add(out, " ");
}

static void draw_memory(struct msl_text *out, const struct place_machine *machine, unsigned index, unsigned depth) {
  const struct place_memory *memory = &machine->memories[index];
  size_t from = out->len;
  msl_text_format(out, "  %*s%s ", (int)(2 * depth), "", memory->name);
  cell(out, from, 28);
  from = out->len;
  msl_text_add(out, memory->share_scope.state == MSL_GIVEN ? msl_share_scope_names[memory->share_scope.value] : "?");
  cell(out, from, 6);
  from = out->len;
  msl_draw_size(out, machine, memory);
  msl_text_add(out, " ");
  cell(out, from, 12);
  msl_draw_latency(out, machine, memory);
  msl_text_add(out, "\n");
}

/* What an access meets: the caches above a memory and then it, or a cache such as readOnly and then what is below. */
static void draw_chain(struct msl_text *out, const struct place_machine *machine, unsigned end) {
  const struct place_memory *memory = &machine->memories[end];
  unsigned depth = 0;
  for (unsigned k = memory->upper.count; k-- > 0;)
    draw_memory(out, machine, memory->upper.memory[k], depth++);
  draw_memory(out, machine, end, depth++);
  for (unsigned k = 0; k < memory->lower.count; k++)
    draw_memory(out, machine, memory->lower.memory[k], depth++);
}

/* Is it in the chain of a memory that has nothing below it? */
static bool in_other_chain(const struct place_machine *machine, unsigned index) {
  for (unsigned i = 0; i < machine->memory_count; i++)
    for (unsigned k = 0; k < machine->memories[i].upper.count && !machine->memories[i].lower.count; k++)
      if (machine->memories[i].upper.memory[k] == index)
        return true;
  return false;
}

static bool has_chain(const struct place_machine *machine, unsigned index) {
  const struct place_memory *memory = &machine->memories[index];
  return !memory->lower.count || (!memory->upper.count && !in_other_chain(machine, index));
}

char *msl_draw_text(const struct place_machine *machine) {
  struct msl_text out = {0};
  msl_draw_title(&out, machine);
  msl_text_add(&out, "\n");
  for (unsigned path = 0; path < machine->path_count; path++) {
    msl_text_format(&out, "\npath %s\n", machine->path_names[path]);
    for (unsigned i = 0; i < machine->memory_count; i++)
      if (machine->memories[i].path == path && has_chain(machine, i))
        draw_chain(&out, machine, i);
  }
  return msl_text_take(&out);
}
