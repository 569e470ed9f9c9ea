/* Memories as accesses meet them. */
#include "traits.h"

#include <stdlib.h>

struct chain traits_chain(const struct place_machine *machine, enum place_space space) {
  struct chain chain = {.count = 0};
  const struct place_memory *memory = candidates_memory(machine, space);
  if (!memory) return chain;
  bool cache = memory->software_managed.state == MSL_GIVEN && !memory->software_managed.value;
  for (unsigned i = memory->upper.count; !cache && i > 0 && chain.count < TRAITS_MAX_LEVELS - 1; i--)
    chain.level[chain.count++] = &machine->memories[memory->upper.memory[i - 1]];
  chain.level[chain.count++] = memory;
  for (unsigned i = 0; cache && i < memory->lower.count && chain.count < TRAITS_MAX_LEVELS; i++)
    chain.level[chain.count++] = &machine->memories[memory->lower.memory[i]];
  return chain;
}

unsigned traits_count_level(const struct place_machine *machine, enum place_space space) {
  struct chain chain = traits_chain(machine, space);
  const struct place_memory *memory = candidates_memory(machine, space);
  unsigned level = 0;
  while (level + 1 < chain.count && chain.level[level] != memory) level++;
  return level;
}

const struct place_memory *traits_banks(const struct place_machine *machine) {
  struct chain chain = traits_chain(machine, PLACE_GLOBAL);
  const struct place_memory *shared = candidates_memory(machine, PLACE_SHARED);
  bool known = chain.count > 1 && chain.level[0]->transactions.state == MSL_GIVEN;
  return known && shared && shared->serial ? shared : NULL;
}

uint64_t traits_block_bytes(const struct place_memory *memory) {
  uint64_t bytes = msl_extent_bytes(&memory->block_size, 4);
  if (memory->sector_bytes.state == MSL_GIVEN && memory->sector_bytes.value) return memory->sector_bytes.value;
  return bytes ? bytes : TRAITS_BLOCK_BYTES;
}

uint64_t traits_line_bytes(const struct place_memory *memory) {
  uint64_t bytes = msl_extent_bytes(&memory->block_size, 4);
  if (memory->line_bytes.state == MSL_GIVEN && memory->line_bytes.value) return memory->line_bytes.value;
  return bytes ? bytes : TRAITS_LINE_BYTES;
}

void traits_free(struct traits *traits) {
  free(traits->access);
  free(traits->array);
  *traits = (struct traits){.access = NULL};
}
