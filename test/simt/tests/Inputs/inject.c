// Preloaded between place's runtime and libsimt: spoils the launch of a version, or the copy that it reads. The region of
// fault_copies.c has the arguments out and w, and one array to place: the words of its versions are the last five.
//   INJECT=alias   out is mapped to where w is: the kernel writes the array whose copy it reads
//   INJECT=bias    the version looks for its copy 256 bytes further on
//   INJECT=stale   byte 1001 of what is copied to constant memory is another one
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = 0, W = 1, ARRAY_BYTES = 4096, OWN_ARGUMENTS = 2, WORDS = 5 };

struct kernel_arguments { // the head of KernelArgsTy of libomptarget 19
  uint32_t version, count;
  void **base, **begin;
  int64_t *bytes, *types;
};

static bool asked(const char *fault) {
  const char *value = getenv("INJECT");
  return value && strcmp(value, fault) == 0;
}

int __tgt_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *host,
                        struct kernel_arguments *arguments) {
  int (*forward)(void *, int64_t, int32_t, int32_t, void *, void *);
  *(void **)&forward = dlsym(RTLD_NEXT, "__tgt_target_kernel");
  if (arguments->count == OWN_ARGUMENTS + WORDS && asked("alias")) {
    arguments->base[OUT] = arguments->base[W];
    arguments->begin[OUT] = arguments->begin[W];
    arguments->types[OUT] = arguments->types[W];
  }
  if (arguments->count == OWN_ARGUMENTS + WORDS && asked("bias")) {
    uint32_t last = arguments->count - 1;
    arguments->base[last] = arguments->begin[last] = (char *)arguments->base[last] + 256;
  }
  return forward(location, device, teams, threads, host, arguments);
}

int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                      int from_device) {
  int (*forward)(void *, const void *, size_t, size_t, size_t, int, int);
  *(void **)&forward = dlsym(RTLD_NEXT, "omp_target_memcpy");
  static char spoilt[ARRAY_BYTES];
  if (bytes == ARRAY_BYTES && asked("stale")) {
    memcpy(spoilt, (const char *)from + from_offset, bytes);
    spoilt[1001] ^= 1;
    return forward(to, spoilt, bytes, to_offset, 0, to_device, from_device);
  }
  return forward(to, from, bytes, to_offset, from_offset, to_device, from_device);
}
