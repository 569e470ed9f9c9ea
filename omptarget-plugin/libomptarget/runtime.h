/* The one runtime of the process: made when the library is loaded, reported when it goes.
 *
 * Thread-safety: any thread once runtime_start has returned. Errors: whatever fails leaves the runtime inactive. */
#ifndef PLACE_RT_RUNTIME_H
#define PLACE_RT_RUNTIME_H

#include "state.h"

extern struct runtime runtime;

/* Reads the settings, and arranges for what is to be done at the end (ending.h); `ops` and `prepare` reach the offloading library. */
void runtime_start(const struct rt_ops *ops, void (*prepare)(int device));

/* The state of an existing device, made on first use; NULL: no such device, or nothing is to be done for it. */
struct rt_device *runtime_device(int number);

/* unified_shared_memory: the device reads the program's own memory, and nothing can be known about changes. */
/* libomptarget has seen a library with device code. */
void runtime_set_registered(void);
void runtime_set_unified(void);

/* Called at each launch: at the first one, says what of PLACE_FORCE names nothing in the images registered by then. */
void runtime_check_force(void);

/* Called at a launch for which there is no device: where images are there but no device is seen, says once what the reason
 * may be, if it is one that libomptarget does not tell. */
void runtime_check_devices(void);

#endif
