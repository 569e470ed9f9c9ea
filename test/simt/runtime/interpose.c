// The entry points of libomptarget that the runner stands in front of. This is the only file that knows libomptarget's
// ABI: KernelArgsTy version 3 and the data-mapping calls of LLVM 19.
#define _GNU_SOURCE
#include "extents.h"
#include "finding.h"
#include "launch.h"

#include <dlfcn.h>
#include <stdbool.h>

// KernelArgsTy of LLVM 19 (offload/include/Shared/APITypes.h).
struct kernel_arguments {
  uint32_t version, count;
  void **base_pointers, **pointers;
  int64_t *sizes, *types;
  void **names, **mappers;
  uint64_t trip_count, flags;
  uint32_t teams[3], threads[3];
  uint32_t dynamic_shared_bytes;
};
#define NO_TEAMS UINT32_MAX // a target region without teams

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function)
    function = dlsym(RTLD_DEFAULT, name);
  if (!function)
    simt_fatal("no %s behind libsimt: link libsimt before libomptarget", name);
  return function;
}

#define FORWARD(name, type)                                                                                            \
  static type forward;                                                                                                 \
  if (!forward)                                                                                                        \
    forward = (type)next(name);

static struct simt_request request_of(const struct kernel_arguments *arguments) {
  return (struct simt_request){
      .known = true,
      .teams = arguments->teams[0] == NO_TEAMS ? 1 : arguments->teams[0],
      .threads = arguments->threads[0],
      .trip_count = arguments->trip_count,
      .dynamic_shared_bytes = arguments->dynamic_shared_bytes,
      .map_count = arguments->count,
      .map_bases = arguments->base_pointers,
      .map_begins = arguments->pointers,
      .map_bytes = arguments->sizes,
      .map_types = arguments->types,
      .map_names = arguments->names,
  };
}

typedef int (*target_kernel)(void *, int64_t, int32_t, int32_t, void *, void *);

SIMT_EXPORT int __tgt_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *host_pointer,
                                    struct kernel_arguments *arguments) {
  FORWARD("__tgt_target_kernel", target_kernel)
  struct simt_request outer = simt_request;
  simt_request = request_of(arguments);
  int result = forward(location, device, teams, threads, host_pointer, arguments);
  simt_request = outer;
  if (arguments->mappers)
    simt_extents_recheck(); // what they have mapped for this launch alone
  return result;
}

typedef int (*target_kernel_nowait)(void *, int64_t, int32_t, int32_t, void *, void *, int32_t, void *, int32_t,
                                    void *);

SIMT_EXPORT int __tgt_target_kernel_nowait(void *location, int64_t device, int32_t teams, int32_t threads,
                                           void *host_pointer, struct kernel_arguments *arguments, int32_t dep_count,
                                           void *deps, int32_t no_alias_count, void *no_alias) {
  FORWARD("__tgt_target_kernel_nowait", target_kernel_nowait)
  struct simt_request outer = simt_request;
  simt_request = request_of(arguments);
  int result = forward(location, device, teams, threads, host_pointer, arguments, dep_count, deps, no_alias_count,
                       no_alias);
  simt_request = outer;
  return result;
}

typedef void (*data_mapper)(void *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);

// A region's extents are looked up after it begins, when libomptarget knows the device addresses.
static void note_mapped(int64_t device, int32_t count, void **begins, const int64_t *sizes, const int64_t *types) {
  for (int32_t i = 0; i < count; i++) {
    if (sizes[i] <= 0 || !begins[i] || types[i] & SIMT_MAP_LITERAL)
      continue;
    simt_extents_note_mapped((int)device, begins[i], (uint64_t)sizes[i]);
    if (types[i] & SIMT_MAP_TO)
      simt_extents_note_written(simt_mapped_pointer(begins[i], (int)device), (uint64_t)sizes[i]);
  }
  simt_mapper_note_mapped((int)device);
}

typedef void *(*get_mapped_ptr)(const void *, int);

void *simt_mapped_pointer(const void *host, int device) {
  static get_mapped_ptr function;
  if (!function)
    function = (get_mapped_ptr)next("omp_get_mapped_ptr");
  return function(host, device < 0 ? 0 : device);
}

SIMT_EXPORT void __tgt_target_data_begin_mapper(void *location, int64_t device, int32_t count, void **bases,
                                                void **begins, int64_t *sizes, int64_t *types, void **names,
                                                void **mappers) {
  FORWARD("__tgt_target_data_begin_mapper", data_mapper)
  forward(location, device, count, bases, begins, sizes, types, names, mappers);
  note_mapped(device, count, begins, sizes, types);
}

static void note_updated(int64_t device, int32_t count, void **begins, const int64_t *sizes, const int64_t *types) {
  for (int32_t i = 0; i < count; i++)
    if (sizes[i] > 0 && begins[i] && types[i] & SIMT_MAP_TO)
      simt_extents_note_written(simt_mapped_pointer(begins[i], (int)device), (uint64_t)sizes[i]);
}

SIMT_EXPORT void __tgt_target_data_update_mapper(void *location, int64_t device, int32_t count, void **bases,
                                                 void **begins, int64_t *sizes, int64_t *types, void **names,
                                                 void **mappers) {
  FORWARD("__tgt_target_data_update_mapper", data_mapper)
  forward(location, device, count, bases, begins, sizes, types, names, mappers);
  note_updated(device, count, begins, sizes, types);
}

typedef void (*data_nowait)(void *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **, int32_t,
                            void *, int32_t, void *);

SIMT_EXPORT void __tgt_target_data_update_nowait_mapper(void *location, int64_t device, int32_t count, void **bases,
                                                        void **begins, int64_t *sizes, int64_t *types, void **names,
                                                        void **mappers, int32_t dep_count, void *deps,
                                                        int32_t no_alias_count, void *no_alias) {
  FORWARD("__tgt_target_data_update_nowait_mapper", data_nowait)
  forward(location, device, count, bases, begins, sizes, types, names, mappers, dep_count, deps, no_alias_count,
          no_alias);
  note_updated(device, count, begins, sizes, types);
}

SIMT_EXPORT void __tgt_target_data_end_mapper(void *location, int64_t device, int32_t count, void **bases,
                                              void **begins, int64_t *sizes, int64_t *types, void **names,
                                              void **mappers) {
  FORWARD("__tgt_target_data_end_mapper", data_mapper)
  forward(location, device, count, bases, begins, sizes, types, names, mappers);
  simt_extents_recheck();
}

SIMT_EXPORT void __tgt_target_data_begin_nowait_mapper(void *location, int64_t device, int32_t count, void **bases,
                                                       void **begins, int64_t *sizes, int64_t *types, void **names,
                                                       void **mappers, int32_t dep_count, void *deps,
                                                       int32_t no_alias_count, void *no_alias) {
  FORWARD("__tgt_target_data_begin_nowait_mapper", data_nowait)
  forward(location, device, count, bases, begins, sizes, types, names, mappers, dep_count, deps, no_alias_count,
          no_alias);
  note_mapped(device, count, begins, sizes, types);
}

SIMT_EXPORT void __tgt_target_data_end_nowait_mapper(void *location, int64_t device, int32_t count, void **bases,
                                                     void **begins, int64_t *sizes, int64_t *types, void **names,
                                                     void **mappers, int32_t dep_count, void *deps,
                                                     int32_t no_alias_count, void *no_alias) {
  FORWARD("__tgt_target_data_end_nowait_mapper", data_nowait)
  forward(location, device, count, bases, begins, sizes, types, names, mappers, dep_count, deps, no_alias_count,
          no_alias);
  simt_extents_recheck();
}

typedef void *(*target_alloc)(size_t, int);

SIMT_EXPORT void *omp_target_alloc(size_t bytes, int device) {
  FORWARD("omp_target_alloc", target_alloc)
  void *memory = forward(bytes, device);
  simt_extents_note_allocated(memory, bytes);
  return memory;
}

typedef void (*target_free)(void *, int);

SIMT_EXPORT void omp_target_free(void *memory, int device) {
  FORWARD("omp_target_free", target_free)
  simt_extents_note_freed(memory);
  forward(memory, device);
}

// The extensions of LLVM that allocate memory of one kind, and the way back.
#define ALLOCATOR(name)                                                                                                \
  SIMT_EXPORT void *llvm_omp_target_alloc_##name(size_t bytes, int device) {                                           \
    FORWARD("llvm_omp_target_alloc_" #name, target_alloc)                                                              \
    void *memory = forward(bytes, device);                                                                             \
    simt_extents_note_allocated(memory, bytes);                                                                        \
    return memory;                                                                                                     \
  }                                                                                                                    \
  SIMT_EXPORT void llvm_omp_target_free_##name(void *memory, int device) {                                             \
    FORWARD("llvm_omp_target_free_" #name, target_free)                                                                \
    simt_extents_note_freed(memory);                                                                                   \
    forward(memory, device);                                                                                           \
  }
ALLOCATOR(device)
ALLOCATOR(host)
ALLOCATOR(shared)

typedef int (*target_memcpy)(void *, const void *, size_t, size_t, size_t, int, int);

SIMT_EXPORT int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                                  int to_device, int from_device) {
  FORWARD("omp_target_memcpy", target_memcpy)
  int result = forward(to, from, bytes, to_offset, from_offset, to_device, from_device);
  simt_extents_note_written((char *)to + to_offset, bytes);
  return result;
}

typedef void *(*target_memset)(void *, int, size_t, int);

SIMT_EXPORT void *omp_target_memset(void *to, int byte, size_t bytes, int device) {
  FORWARD("omp_target_memset", target_memset)
  void *result = forward(to, byte, bytes, device);
  simt_extents_note_written(to, bytes);
  return result;
}

typedef int (*target_memcpy_async)(void *, const void *, size_t, size_t, size_t, int, int, int, void *);

SIMT_EXPORT int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                                        int to_device, int from_device, int dependence_count, void *dependences) {
  FORWARD("omp_target_memcpy_async", target_memcpy_async)
  int result = forward(to, from, bytes, to_offset, from_offset, to_device, from_device, dependence_count, dependences);
  simt_extents_note_written((char *)to + to_offset, bytes);
  return result;
}
