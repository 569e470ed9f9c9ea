// What declare mapper maps: libomptarget asks the program's mapper function for it, which pushes one component after the other. Their
// device addresses are known when the mapping has been made: before the launch that maps them runs, or after `target data` begins.
#define _GNU_SOURCE
#include "extents.h"
#include "finding.h"
#include "simt_abi.h"

#include <dlfcn.h>
#include <stdlib.h>

struct component {
  const void *begin;
  uint64_t bytes;
};

static __thread struct component *components;
static __thread size_t count, capacity;

typedef void (*push_component)(void *, void *, void *, int64_t, int64_t, void *);

SIMT_EXPORT void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t bytes, int64_t type, void *name) {
  static push_component forward;
  if (!forward)
    forward = (push_component)dlsym(RTLD_NEXT, "__tgt_push_mapper_component");
  if (!forward)
    simt_fatal("no __tgt_push_mapper_component behind libsimt: link libsimt before libomptarget");
  if (count == capacity) {
    capacity = capacity ? 2 * capacity : 64;
    components = realloc(components, capacity * sizeof *components);
    if (!components)
      simt_fatal("no memory for what a mapper maps");
  }
  if (begin && bytes > 0)
    components[count++] = (struct component){begin, (uint64_t)bytes};
  forward(handle, base, begin, bytes, type, name);
}

void simt_mapper_note_mapped(int device) {
  for (size_t i = 0; i < count; i++) {
    simt_extents_note_mapped(device, components[i].begin, components[i].bytes);
    simt_extents_note_written(simt_mapped_pointer(components[i].begin, device), components[i].bytes);
  }
  count = 0;
}
