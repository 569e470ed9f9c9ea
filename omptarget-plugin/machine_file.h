/* Finding the machine model: PLACE_MACHINE, else by the architecture of the device image.
 *
 * Owner: the caller frees with msl_free. Thread-safety: pure but for reading files. Errors: NULL and a message. */
#ifndef PLACE_RT_MACHINE_FILE_H
#define PLACE_RT_MACHINE_FILE_H

#include <stddef.h>

#include "place/machine.h"

/* file: PLACE_MACHINE or NULL. sm: architecture, e.g. 90; 0: not known. *note says where the model comes from, or what is
 * wrong with the file. */
struct place_machine *machine_file_load(const char *file, unsigned sm, char *note, size_t note_size);

#endif
