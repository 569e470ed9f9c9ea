/* Shared by the files that define libomptarget's functions in front of it.
 *
 * Each definition forwards to the next one and tells the runtime what happened. Thread-safety: any thread. */
#ifndef PLACE_RT_INTERPOSE_H
#define PLACE_RT_INTERPOSE_H

#include <stdint.h>

#include "state.h"

#define EXPORTED __attribute__((visibility("default")))

/* Not 0: this thread is inside a call that the runtime itself makes; calls are passed on unseen. */
extern _Thread_local int interpose_depth;

/* The state of a device as a call names it (-1: the default device); NULL: pass the call on. */
struct rt_device *interpose_device(int64_t number);

/* After a data environment was entered, before any launch: looks up what libomptarget has loaded meanwhile, and its launching
 * function, so that a region's first launch need not. */
void interpose_make_ready(struct rt_device *device);

#endif
