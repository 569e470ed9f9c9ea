#define _GNU_SOURCE
#include "placement.h"

#include "extents.h"
#include "finding.h"
#include "registry.h"

#include "place/region.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 1024 };

static struct {
  const void *text; // the variable that held it
  struct place_table table;
} tables[MAX_TABLES];
static size_t table_count;

// The launch that runs.
static const struct place_region *region; // null: its kernel is in no table
static struct simt_copy copies[PLACE_MAX_PLACEABLE];
static uint32_t copy_count;

static bool is_known(const struct simt_global_variable *variable) {
  for (size_t i = 0; i < table_count; i++)
    if (tables[i].text == variable->address)
      return true;
  return false;
}

static void read_table(const struct simt_global_variable *variable) {
  struct place_diag diag = {{0}};
  if (table_count == MAX_TABLES)
    simt_fatal("more than %d region tables", MAX_TABLES);
  tables[table_count].text = variable->address;
  if (place_table_read(variable->address, strnlen(variable->address, variable->bytes), &tables[table_count].table, &diag)) {
    tables[table_count].table = (struct place_table){.region_count = 0};
    simt_finding_host("region-table", "%s cannot be read: %s", variable->name, diag.text);
  }
  table_count++;
}

static void read_tables(void) {
  static size_t seen; // variables are only ever added
  const struct simt_global_variable *const *variables;
  size_t count = simt_registry_globals(&variables);
  for (size_t i = 0; count != seen && i < count; i++)
    if (strncmp(variables[i]->name, PLACE_TABLE_PREFIX, strlen(PLACE_TABLE_PREFIX)) == 0 && !is_known(variables[i]))
      read_table(variables[i]);
  seen = count;
}

static const struct place_version *version_named(const struct place_region *r, const char *entry) {
  for (size_t v = 0; v < r->version_count; v++)
    if (strcmp(r->versions[v].entry, entry) == 0)
      return &r->versions[v];
  return NULL;
}

// Sets `region` to the kernel's, and returns the version that it is; null for the original.
static const struct place_version *find_version(const char *entry) {
  region = NULL;
  for (size_t t = 0; t < table_count; t++)
    for (size_t i = 0; i < tables[t].table.region_count; i++) {
      const struct place_region *r = &tables[t].table.regions[i];
      const struct place_version *version = version_named(r, entry);
      if (!version && strcmp(r->entry, entry) != 0)
        continue;
      region = r;
      return version;
    }
  return NULL;
}

static void add_copy(const struct simt_launch_state *launch, const struct place_version *version, size_t a) {
  const struct place_array *array = &region->arrays[a];
  uint32_t own = place_version_words(region, version);
  if (array->placeable < 0 || launch->kernel->argument_count < own)
    return;
  const uint64_t *words = launch->arguments + (launch->kernel->argument_count - own) + PLACE_CONTROL_WORDS +
                          PLACE_WORDS_PER_ARRAY * (uint32_t)array->placeable;
  uint64_t select = words[PLACE_WORD_SELECT];
  int space = version->space[a] >= 0 ? version->space[a] : (int)(select & 0xff);
  if ((space != PLACE_CONSTANT && space != PLACE_SHARED) || !(select >> 8))
    return;
  copies[copy_count++] = (struct simt_copy){
      .array = array->name,
      .source = (const char *)(uintptr_t)(launch->arguments[array->arg + 1] + words[PLACE_WORD_LO]),
      .bytes = select >> 8,
      .argument = array->arg + 1,
      .constant = space == PLACE_CONSTANT,
      .offset = (int64_t)(words[PLACE_WORD_LO] + words[PLACE_WORD_BIAS]),
  };
}

void simt_placement_begin_launch(const struct simt_launch_state *launch) {
  read_tables();
  copy_count = 0;
  const struct place_version *version = find_version(launch->kernel->name);
  for (size_t a = 0; version && a < region->array_count; a++)
    add_copy(launch, version, a);
}

static const void *image_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : NULL;
}

// That of the image in which the kernel is: versions that are packed have one of their own.
static const struct simt_global_variable *constant_bank(const struct simt_kernel *kernel) {
  const struct simt_global_variable *const *variables, *found = NULL;
  size_t count = simt_registry_globals(&variables);
  for (size_t i = 0; i < count; i++)
    if (strcmp(variables[i]->name, PLACE_CONST_SYMBOL) == 0 &&
        (!found || image_of(variables[i]->address) == image_of((const void *)(uintptr_t)kernel->entry)))
      found = variables[i];
  return found;
}

static void check_constant(const struct simt_launch_state *launch, const struct simt_copy *copy,
                           const struct simt_global_variable *bank) {
  if (copy->offset < 0 || (uint64_t)copy->offset > bank->bytes || copy->bytes > bank->bytes - (uint64_t)copy->offset) {
    simt_finding_launch("constant-copy", launch, copy->array,
                        "constant copy of %s: %llu bytes at offset %lld are not inside the constant bank", copy->array,
                        (unsigned long long)copy->bytes, (long long)copy->offset);
    return;
  }
  if (!simt_extents_find(copy->source, copy->bytes)) {
    simt_finding_launch("constant-copy", launch, copy->array,
                        "constant copy of %s: the %llu bytes that it stands for are not all in a mapped array",
                        copy->array, (unsigned long long)copy->bytes);
    return;
  }
  const char *slot = (const char *)bank->address + copy->offset;
  uint64_t at = 0;
  while (at < copy->bytes && slot[at] == copy->source[at])
    at++;
  if (at < copy->bytes)
    simt_finding_launch("constant-copy", launch, copy->array,
                        "constant copy of %s differs from its source: byte %llu of %llu is the first that does",
                        copy->array, (unsigned long long)at, (unsigned long long)copy->bytes);
}

void simt_placement_check_constants(const struct simt_launch_state *launch) {
  const struct simt_global_variable *bank = copy_count ? constant_bank(launch->kernel) : NULL;
  for (uint32_t i = 0; bank && i < copy_count; i++)
    if (copies[i].constant)
      check_constant(launch, &copies[i], bank);
}

const struct simt_copy *simt_placement_copied_at(const char *address, uint64_t bytes) {
  for (uint32_t i = 0; i < copy_count; i++)
    if (address < copies[i].source + copies[i].bytes && address + bytes > copies[i].source)
      return &copies[i];
  return NULL;
}

static const struct simt_copy *copy_at(bool constant, int64_t offset) {
  for (uint32_t i = 0; i < copy_count; i++)
    if (copies[i].constant == constant && offset >= copies[i].offset &&
        (uint64_t)(offset - copies[i].offset) < copies[i].bytes)
      return &copies[i];
  return NULL;
}

const struct simt_copy *simt_placement_constant_at(int64_t offset) { return copy_at(true, offset); }
const struct simt_copy *simt_placement_shared_at(int64_t offset) { return copy_at(false, offset); }

const char *simt_placement_argument_name(int argument) {
  for (size_t a = 0; region && a < region->array_count; a++)
    if (region->arrays[a].arg + 1 == argument)
      return region->arrays[a].name;
  return NULL;
}

const char *simt_version_of(const char *entry, int *kernel_length) {
  const char *version = strstr(entry, "_place_");
  *kernel_length = (int)(version ? (size_t)(version - entry) : strlen(entry));
  return version ? version + strlen("_place_") : "original";
}
