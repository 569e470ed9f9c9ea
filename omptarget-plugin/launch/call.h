/* One launch of a target region as the program asked for it, without libomptarget's structures.
 *
 * Owner: everything is the caller's and lives for the duration of the call. Thread-safety: a call belongs to one thread. */
#ifndef PLACE_RT_CALL_H
#define PLACE_RT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of a map type (LLVM 19, tgt_map_type). */
enum {
  MAP_TO = 0x1,
  MAP_FROM = 0x2,
  MAP_ALWAYS = 0x4,
  MAP_DELETE = 0x8,
  MAP_PTR_AND_OBJ = 0x10,
  MAP_TARGET_PARAM = 0x20,
  MAP_RETURN_PARAM = 0x40,
  MAP_PRIVATE = 0x80,
  MAP_LITERAL = 0x100
};
#define MAP_MEMBER_OF ((int64_t)0xffff000000000000)
#define MAP_PRESENT ((int64_t)0x1000)
#define MAP_NON_CONTIG ((int64_t)0x100000000000)

/* What a data clause or a launch maps: parallel arrays of `count` entries. */
struct rt_maps {
  uint32_t count;
  void **base, **ptr;
  int64_t *size, *type;
  void **mapper; /* custom mappers, or NULL */
};

struct rt_call {
  /* Makes a data environment of what the launch maps, so that several launches find it in its place, and ends it. NULL: cannot be had. */
  void (*hold)(void *context, bool begin);
  int device;       /* number of an existing device */
  void *host_ptr;   /* the region's host address */
  struct rt_maps maps;
  uint64_t trip_count;
  int32_t teams;        /* -1: not a teams construct; 0: open */
  int32_t thread_limit; /* 0: none */
  uint32_t dynamic_shared_bytes;
  bool nowait;
  bool routine; /* its region has settled on the original, and no clock is due (dispatch_is_routine) */
};

/* How to launch: the original as it stands (words == NULL), or a version with further literal arguments. */
struct rt_request {
  void *host_ptr;
  const uint64_t *words;
  unsigned word_count;
  int parameters; /* of the original kernel, behind which the words go: what else a launch brings is left out; -1: not known */
  int32_t teams; /* as in rt_call */
  int32_t thread_limit; /* threads of a team that a version needs; 0: as in rt_call */
  uint32_t dynamic_shared_bytes;
  bool wait; /* of a nowait launch: return only when its kernel has ended */
};

/* Performs the launch and waits for it, unless the call is nowait and the request does not ask for it; what libomptarget returned
 * (0: it runs or ran on the device). */
typedef int (*rt_launcher)(void *context, const struct rt_request *request);

#endif
