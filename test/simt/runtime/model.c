#include "model.h"

#include "finding.h"
#include "machine_file.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINE_BYTES = 128, DEFAULT_FILL_BYTES = 32, MAX_SECTORS = 64 };

static struct simt_model model;

const char *simt_count_space_name(enum simt_count_space space) {
  return space == SIMT_COUNT_LOCAL ? "local" : place_space_name((enum place_space)space);
}

static uint64_t power_of_two(const struct place_memory *memory, const char *what, uint64_t bytes) {
  if (!bytes || bytes & (bytes - 1))
    simt_fatal("%s of %s is %llu bytes: counting needs a power of two", what, memory->name, (unsigned long long)bytes);
  return bytes;
}

static bool is_cache(const struct place_memory *memory) {
  return memory->software_managed.state == MSL_GIVEN && !memory->software_managed.value;
}

static void add_level(struct simt_chain *chain, unsigned index) {
  const struct place_memory *memory = &model.machine->memories[index];
  if (chain->count == SIMT_MAX_LEVELS)
    simt_fatal("more than %d levels above %s", SIMT_MAX_LEVELS, chain->memory->name);
  struct simt_level *level = &chain->level[chain->count++];
  uint64_t block = msl_extent_bytes(&memory->block_size, 4);
  bool line = memory->line_bytes.state == MSL_GIVEN, sector = memory->sector_bytes.state == MSL_GIVEN;
  bool die = memory->share_scope.state == MSL_GIVEN && memory->share_scope.value == MSL_DIE;
  *level = (struct simt_level){.memory = memory, .index = index, .cache = is_cache(memory), .near = !die};
  level->line_bytes = line ? memory->line_bytes.value : block ? block : DEFAULT_LINE_BYTES;
  level->fill_bytes = sector ? memory->sector_bytes.value : block ? block : DEFAULT_FILL_BYTES;
  if (level->fill_bytes > level->line_bytes)
    level->fill_bytes = level->line_bytes;
  power_of_two(memory, "a line", level->line_bytes);
  power_of_two(memory, "what a miss brings in", level->fill_bytes);
  if (level->line_bytes / level->fill_bytes > MAX_SECTORS)
    simt_fatal("a line of %s has more than %d sectors", memory->name, MAX_SECTORS);
  level->lines = level->cache ? msl_capacity_bytes(memory) / level->line_bytes : 0;
}

static bool make_chain(enum simt_count_space space, const char *name) {
  struct simt_chain *chain = &model.chain[space];
  const struct place_memory *memory = msl_memory_by_name(model.machine, name);
  *chain = (struct simt_chain){.memory = memory};
  if (!memory)
    return false;
  for (unsigned i = memory->upper.count; !is_cache(memory) && i > 0; i--)
    add_level(chain, memory->upper.memory[i - 1]);
  add_level(chain, (unsigned)(memory - model.machine->memories));
  for (unsigned i = 0; is_cache(memory) && i < memory->lower.count; i++)
    add_level(chain, memory->lower.memory[i]);
  return true;
}

static const struct place_machine *load_machine(void) {
  char note[512] = "";
  const struct device_facts unknown = {"", 0, 0};
  const char *file = getenv("PLACE_MACHINE");
  const struct place_machine *machine = machine_file_load(file && *file ? file : NULL, &unknown, 0, note, sizeof note);
  if (!machine || machine_file_is_refusal(note))
    simt_fatal("nothing to count by: %s", note); // counts of another machine than asked for would mislead
  return machine;
}

const struct simt_model *simt_model_load(void) {
  if (model.machine)
    return &model;
  model.machine = load_machine();
  model.sms = model.machine->sm_count ? model.machine->sm_count : 1;
  model.sms_per_tpc = model.machine->sms_per_tpc.state == MSL_GIVEN ? (unsigned)model.machine->sms_per_tpc.value : 1;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    bool known = make_chain((enum simt_count_space)s, place_spaces[s].memory);
    if (!known && place_spaces[s].home == PLACE_HOME_GLOBAL) // without that cache, the same as a plain load
      make_chain((enum simt_count_space)s, place_spaces[PLACE_GLOBAL].memory);
  }
  return &model;
}
