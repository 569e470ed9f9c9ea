/* Calls of the offloading library that are made later, by a queue (queue.h): what they were given is kept until then.
 *
 * Arrays of arguments and private copies lie in the caller's frame and are copied; what is mapped is not. Thread-safety: any thread.
 * Each function returns whether the call was taken; false: the caller makes it now, and what its queue had before is done. */
#ifndef PLACE_RT_DEFERRED_H
#define PLACE_RT_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_kernel_args;

/* What a data environment's call is given. */
struct deferred_maps {
  int64_t device;
  int32_t count;
  void **base, **ptr;
  int64_t *size, *type;
  void **name, **mapper;
};

/* libomptarget's own, or what stands in front of it. */
typedef void (*deferred_data_call)(void *location, int64_t device, int32_t count, void **base, void **ptr, int64_t *size,
                                   int64_t *type, void **names, void **mappers);
typedef int (*deferred_kernel_call)(void *location, int64_t device, int32_t teams, int32_t thread_limit, void *host_ptr,
                                    struct tgt_kernel_args *args);

/* The beginning of a data environment. What is absent is there when this returns, as programs expect that ask for it at once; its
 * content comes later. Unless operations that map are still to come: then all of it waits for its turn, or, where no queue is open,
 * the caller for them. */
bool deferred_begin(deferred_data_call begin, deferred_data_call update, void *location, const struct deferred_maps *maps);

/* The end of one, called when its turn comes. Where no queue is open it is waited for what queues still do: they may use the data. */
bool deferred_end(deferred_data_call end, void *location, const struct deferred_maps *maps);

bool deferred_update(deferred_data_call update, void *location, const struct deferred_maps *maps);

struct deferred_launch {
  void *location;
  int64_t device;
  int32_t teams, thread_limit;
  void *host_ptr;
  struct tgt_kernel_args *args;
};
/* A launch that fails later ends the program: its host version cannot take its place any more. */
bool deferred_kernel(deferred_kernel_call call, const struct deferred_launch *launch);

/* Any other function, called with the current device that the queue is of. */
bool deferred_call(void (*call)(const void *), const void *argument);

#endif
