/* What the grammar cannot say: names and ids that clash, numbers that contradict each other; and what is derived. */
#include <string.h>

#include "internal.h"

/* Index of a memory's field by where it is stored: which place in the file an error is about. */
static size_t place_of(const struct msl_draft *draft, size_t offset) {
  for (unsigned i = 0; i < msl_memory_field_count; i++)
    if (msl_memory_fields[i].offset == offset)
      return draft->at[i];
  return draft->at[0];
}

#define PLACE_OF(draft, member) place_of(draft, offsetof(struct place_memory, member))

/* ---- the processor ----------------------------------------------------------------------------------------------- */

static void check_processor(struct msl_reader *reader) {
  static const char *const missing[MSL_PAPER_ITEMS] = {"die = NUMBER tpc", "tpc = NUMBER sm", "sm = NUMBER core"};
  for (unsigned i = 0; i < MSL_PAPER_ITEMS && !reader->broken; i++)
    if (!reader->processor_at[i])
      msl_error(reader, 0, "the processor entry lacks '%s'", missing[i]);
  const struct place_machine *m = reader->machine;
  static const struct { size_t part, whole; const char *message; } limits[] = {
      {offsetof(struct place_machine, threads_per_team), offsetof(struct place_machine, threads_per_sm),
       "a block has more threads than an SM"},
      {offsetof(struct place_machine, threads_per_warp), offsetof(struct place_machine, threads_per_team),
       "a warp has more threads than a block"},
      {offsetof(struct place_machine, registers_per_team), offsetof(struct place_machine, registers_per_sm),
       "a block has more registers than an SM"},
      {offsetof(struct place_machine, shared_bytes_per_team), offsetof(struct place_machine, shared_bytes_per_sm),
       "a block has more shared memory than an SM"}};
  for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    const struct msl_count *part = msl_at(m, limits[i].part), *whole = msl_at(m, limits[i].whole);
    if (part->state != MSL_GIVEN || whole->state != MSL_GIVEN || part->value <= whole->value)
      continue;
    for (unsigned f = 0; f < msl_processor_field_count; f++)
      if (msl_processor_fields[f].offset == limits[i].part)
        msl_error(reader, reader->processor_at[f], "%s", limits[i].message);
  }
}

/* ---- one memory -------------------------------------------------------------------------------------------------- */

static bool exceeds(const struct msl_count *part, const struct msl_count *whole) {
  return part->state == MSL_GIVEN && whole->state == MSL_GIVEN && part->value > whole->value;
}

static void check_sizes(struct msl_reader *reader, const struct place_memory *memory, const struct msl_draft *draft) {
  uint64_t size = msl_extent_bytes(&memory->size, 1), block = msl_extent_bytes(&memory->block_size, 1);
  if (memory->size.state == MSL_GIVEN && !size)
    msl_error(reader, PLACE_OF(draft, size), "the size of '%s' is beyond 64 bits", memory->name);
  if (memory->block_size.state == MSL_GIVEN && !block)
    msl_error(reader, PLACE_OF(draft, block_size), "the blockSize of '%s' is beyond 64 bits", memory->name);
  bool comparable = size && block && memory->size.unit == memory->block_size.unit;
  if (comparable && block > size)
    msl_error(reader, PLACE_OF(draft, block_size), "blockSize is larger than the memory");
  if (exceeds(&memory->sector_bytes, &memory->line_bytes) ||
      (memory->sector_bytes.state == MSL_GIVEN && memory->line_bytes.state == MSL_GIVEN &&
       memory->line_bytes.value % memory->sector_bytes.value))
    msl_error(reader, PLACE_OF(draft, sector_bytes), "a line is not a whole number of sectors");
  if (memory->usable_bytes.state == MSL_GIVEN && size && memory->size.unit == MSL_BYTES &&
      memory->usable_bytes.value > size)
    msl_error(reader, PLACE_OF(draft, usable_bytes), "usable is larger than the memory");
}

static void check_memory(struct msl_reader *reader, unsigned i) {
  struct place_memory *memory = &reader->memories[i];
  const struct msl_draft *draft = &reader->drafts[i];
  for (unsigned j = 0; j < i; j++) {
    if (!strcmp(memory->name, reader->memories[j].name))
      msl_error(reader, PLACE_OF(draft, name), "there are two memories named '%s'", memory->name);
    if (memory->id == reader->memories[j].id)
      msl_error(reader, PLACE_OF(draft, id), "'%s' and '%s' have the same id", reader->memories[j].name, memory->name);
  }
  check_sizes(reader, memory, draft);
  if (memory->serial)
    msl_bind_condition(reader, memory);
}

/* ---- derived ----------------------------------------------------------------------------------------------------- */

static const char *inferred_path(const char *name) {
  if (!strcmp(name, "constantMem") || !strncmp(name, "cL", 2))
    return "constant";
  if (!strcmp(name, "textureMem") || !strcmp(name, "readOnly") || !strncmp(name, "tL", 2))
    return "texture";
  return "global";
}

static unsigned path_index(struct place_machine *machine, const char *name) {
  unsigned i = 0;
  while (i < machine->path_count && strcmp(machine->path_names[i], name) != 0)
    i++;
  if (i == machine->path_count)
    machine->path_names[machine->path_count++] = name;
  return i;
}

static void derive(struct msl_reader *reader) {
  struct place_machine *m = reader->machine;
  if (m->tpcs_per_die.state == MSL_GIVEN && m->sms_per_tpc.state == MSL_GIVEN)
    m->sm_count = (unsigned)(m->tpcs_per_die.value * m->sms_per_tpc.value);
  m->warp_size = m->threads_per_warp.state == MSL_GIVEN ? (unsigned)m->threads_per_warp.value : 32;
  m->memory_count = reader->count;
  m->memories = msl_arena_copy(reader->arena, reader->memories, reader->count * sizeof reader->memories[0]);
  m->path_names = msl_arena_get(reader->arena, reader->count * sizeof m->path_names[0]);
  if (!m->memories || !m->path_names) {
    reader->out_of_memory = true;
    return;
  }
  for (unsigned i = 0; i < m->memory_count; i++) {
    const char *given = m->memories[i].path_name;
    m->memories[i].path = path_index(m, *given ? given : inferred_path(m->memories[i].name));
  }
}

void msl_check(struct msl_reader *reader) {
  check_processor(reader);
  for (unsigned i = 0; i < reader->count; i++)
    check_memory(reader, i);
  if (!reader->broken)
    msl_resolve_levels(reader);
  if (!reader->diagnostics->count)
    derive(reader);
}
