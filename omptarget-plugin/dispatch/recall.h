/* From one run to the next: a new size class takes up what an earlier run of the same code settled on, and what was settled on is
 * written when the program ends.
 *
 * A verdict is found by the hash of the device image, the kernel, the class's key, the device with its driver, the machine file and the
 * settings that trials depend on. An image's rows are read at once, when the first class of it is new.
 *
 * Owner: the rows that were read live until the process ends. Thread-safety: any thread; recall_class under the device's lock. Errors:
 * messages of the configuration (config_message); the program goes on without. */
#ifndef PLACE_RT_RECALL_H
#define PLACE_RT_RECALL_H

#include "flight.h"

/* The flight's class is new. True: it is settled now. */
bool recall_class(struct flight *flight);

/* Writes what is new, and what was used and is a day old. */
void recall_save(struct runtime *rt);

#endif
