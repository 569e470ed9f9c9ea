/* Finding the machine model: PLACE_MACHINE, else the built-in one of the device's name, else of its architecture.
 *
 * Owner: the caller frees with msl_free. Thread-safety: pure but for reading files. Errors: NULL and a message. */
#ifndef PLACE_RT_MACHINE_FILE_H
#define PLACE_RT_MACHINE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "ask_device.h"
#include "place/machine.h"

/* file: PLACE_MACHINE or NULL. device: what it says about itself. image_sm: what its code is for, e.g. 90; 0: for no NVIDIA
 * GPU, or not known. *note says where the model comes from and what is assumed, or what is wrong with the file. */
struct place_machine *machine_file_load(const char *file, const struct device_facts *device, unsigned image_sm, char *note,
                                        size_t note_size);

/* The device as the user knows it: its name, or what is known instead. As snprintf. */
void machine_file_device(const struct device_facts *device, unsigned image_sm, char *out, size_t size);

/* Whether a note says that the user's own file could not be used. */
bool machine_file_is_refusal(const char *note);

#endif
