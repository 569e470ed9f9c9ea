/* libomptarget's table of what is mapped, used by several threads: what version 19 does wrong there is asked for in other words
 * while queues carry out calls (queue.h).
 *
 * It unlocks an entry of its table once too often in two cases. The lock of another thread that is busy with the same entry may be
 * opened so, and glibc ends the program when it notices: Assertion `mutex->__data.__owner == 0' failed.
 *
 * - An update from a device unlocks the entry where it leaves targetDataContiguous (offload/src/omptarget.cpp), and once more after
 *   the transfer. The beginning and the end of an environment, map(always, from:), transfer the same.
 * - A member is attached to what it points to, which is not mapped yet: on the way to its place in the table the entry of the
 *   structure, beside it there, is unlocked (TargetPointerResultTy::setEntry). What a member points to is mapped by itself before.
 *
 * A program of one thread never sees either, but a queue is another one. Thread-safety: any thread. Errors: none of its own. */
#ifndef PLACE_RT_TABLE_H
#define PLACE_RT_TABLE_H

#include <stdbool.h>

struct deferred_maps;

/* An update. Sections with gaps and those with mappers are libomptarget's in any case: OpenACC has neither. */
void table_update(void *location, const struct deferred_maps *maps);

/* The beginning of a data environment. */
void table_begin(void *location, const struct deferred_maps *maps);

/* Around a launch that waits for the kernel, where a queue was started: what members point to is mapped as the launch would, and then
 * released, copied back or not. */
void table_hold(void *location, const struct deferred_maps *maps);
void table_release(void *location, const struct deferred_maps *maps, bool copy_back);

#endif
