#define _GNU_SOURCE
#include "registry.h"

#include "finding.h"
#include "image_file.h"

#include <dlfcn.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARIABLES = 4096, SHARED_GAP = 64, SHARED_UNIT = 128, CONSTANT_CAPACITY_BYTES = 64 * 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct simt_shared shared[MAX_VARIABLES]; // their offsets ascend
static const struct simt_global_variable *globals[MAX_VARIABLES];
static size_t shared_count, global_count;
static uint64_t shared_bytes;
static uint32_t instrumentation;

uint32_t simt_registry_instrumentation(void) { return instrumentation; }

uint64_t simt_registry_shared_bytes(void) { return (shared_bytes + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT; }

static bool has_storage(const struct simt_shared_variable *variable) {
  for (size_t i = 0; i < shared_count; i++)
    if (shared[i].variable->offset == variable->offset)
      return true;
  return false;
}

static bool is_of_runtime(const struct simt_shared_variable *variable) {
  static const char *const names[] = {"_ZL20KernelEnvironmentPtr", "_ZL26KernelLaunchEnvironmentPtr",
                                      "_ZN12_GLOBAL__N_122SharedMemorySmartStackE",
                                      "_ZL29SharedMemVariableSharingSpace",
                                      "_ZL32SharedMemVariableSharingSpacePtr", "_ZL3Cnt", "_ZL9ThreadDST", "IsSPMDMode",
                                      "__openmp_nvptx_data_transfer_temporary_storage"};
  if (strncmp(variable->name, "_ZN4ompx", 8) == 0 || strstr(variable->name, "__kmpc_"))
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(variable->name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

// Weak variables of several translation units share one offset; the first that registers lays it out. A gap behind
// each lets the checks tell a step over a variable's end.
static void add_shared(const struct simt_shared_variable *variable) {
  if (has_storage(variable))
    return;
  if (shared_count == MAX_VARIABLES)
    simt_fatal("more than %d shared variables", MAX_VARIABLES);
  uint64_t alignment = variable->alignment < 16 ? 16 : variable->alignment;
  uint64_t offset = (shared_bytes + alignment - 1) / alignment * alignment;
  *variable->offset = offset;
  shared_bytes = offset + variable->bytes + SHARED_GAP;
  shared[shared_count++] = (struct simt_shared){.variable = variable, .of_runtime = is_of_runtime(variable)};
}

static int by_address(const void *a, const void *b) {
  const char *x = (*(const struct simt_global_variable *const *)a)->address;
  const char *y = (*(const struct simt_global_variable *const *)b)->address;
  return (x > y) - (x < y);
}

// Where the image begins that has the variable.
static const void *image_of(const struct simt_global_variable *variable) {
  Dl_info info;
  return dladdr(variable->address, &info) ? info.dli_fbase : NULL;
}

// ptxas refuses an image whose constant variables exceed the bank; each image of a program has its own. Weak variables of several
// units are one.
static void check_constant_capacity(void) {
  const void *image = NULL;
  uint64_t bytes = 0;
  for (size_t i = 0; i < global_count; i++) {
    if (globals[i]->space != SIMT_CONSTANT || (i > 0 && globals[i]->address == globals[i - 1]->address))
      continue;
    if (image_of(globals[i]) != image)
      image = image_of(globals[i]), bytes = 0;
    bytes += globals[i]->bytes;
    if (bytes > CONSTANT_CAPACITY_BYTES && bytes - globals[i]->bytes <= CONSTANT_CAPACITY_BYTES)
      simt_finding_host("constant-capacity", "%llu bytes of constant variables: a GPU has %d", (unsigned long long)bytes,
                        CONSTANT_CAPACITY_BYTES);
  }
}

void simt_register_module(const struct simt_module *module) {
  if (module->version != SIMT_ABI_VERSION)
    simt_fatal("%s was lowered for another version of libsimt", module->source);
  simt_drop_image_file(module);
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < module->shared_count; i++)
    add_shared(&module->shared[i]);
  for (uint32_t i = 0; i < module->global_count; i++) {
    if (global_count == MAX_VARIABLES)
      simt_fatal("more than %d global variables", MAX_VARIABLES);
    globals[global_count++] = &module->globals[i];
  }
  qsort(globals, global_count, sizeof *globals, by_address);
  check_constant_capacity();
  instrumentation |= module->instrumentation;
  pthread_mutex_unlock(&lock);
}

static int against_shared(const void *key, const void *element) {
  uint64_t offset = *(const uint64_t *)key;
  const struct simt_shared_variable *variable = ((const struct simt_shared *)element)->variable;
  return offset < *variable->offset ? -1 : offset - *variable->offset >= variable->bytes;
}

const struct simt_shared *simt_registry_shared_at(uint64_t offset) {
  return bsearch(&offset, shared, shared_count, sizeof *shared, against_shared);
}

static int against_global(const void *key, const void *element) {
  const struct simt_global_variable *variable = *(const struct simt_global_variable *const *)element;
  const char *address = key, *begin = variable->address;
  return address < begin ? -1 : (uint64_t)(address - begin) >= variable->bytes;
}

const struct simt_global_variable *simt_registry_global_at(const void *address) {
  const struct simt_global_variable *const *found = bsearch(address, globals, global_count, sizeof *globals, against_global);
  return found ? *found : NULL;
}

size_t simt_registry_globals(const struct simt_global_variable *const **variables) {
  *variables = globals;
  return global_count;
}

const struct simt_shared_variable *simt_registry_shared(size_t index) {
  return index < shared_count ? shared[index].variable : NULL;
}
