/* The structures of LLVM 19's libomptarget that cross its exported functions, as they lie in memory. Included by
 * interpose.c and deferred.c alone: everything else in the runtime works on the neutral structures of call.h and registry.h.
 *
 * Source of truth: LLVM 19.1 offload/include/Shared/APITypes.h and clang's code generation. */
#ifndef PLACE_RT_OMPTARGET_ABI_H
#define PLACE_RT_OMPTARGET_ABI_H

#include <stddef.h>
#include <stdint.h>

struct tgt_entry { /* __tgt_offload_entry */
  void *addr;
  char *name;
  size_t size;   /* 0: a kernel */
  int32_t flags;
  int32_t data;
};

struct tgt_image { /* __tgt_device_image */
  void *start, *end;
  struct tgt_entry *entries_begin, *entries_end;
};

struct tgt_desc { /* __tgt_bin_desc */
  int32_t image_count;
  struct tgt_image *images;
  struct tgt_entry *entries_begin, *entries_end;
};

enum { TGT_ENTRY_REQUIRES = 0x10 }; /* entry flags: `data` holds the clauses of `requires` */
enum { TGT_REQ_UNIFIED_SHARED_MEMORY = 0x8 };

enum { TGT_KERNEL_ARGS_VERSION = 3 };

struct tgt_kernel_args { /* KernelArgsTy */
  uint32_t version;
  uint32_t count; /* libomptarget overwrites it with the number of kernel arguments */
  void **base, **ptr;
  int64_t *size, *type;
  void **name, **mapper;
  uint64_t trip_count;
  uint64_t flags; /* bit 0: nowait */
  uint32_t teams[3], threads[3];
  uint32_t dynamic_shared_bytes;
};
enum { TGT_KERNEL_NOWAIT = 1 };

#endif
