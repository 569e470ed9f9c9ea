/* Packed images (place/packed.h) within the program's device images.
 *
 * Owner: what packed_open returns is the caller's (free). Thread-safety: pure functions. Errors: what is damaged is refused with a reason. */
#ifndef PLACE_RT_PACKED_H
#define PLACE_RT_PACKED_H

#include "module.h"

/* The names of the packed images within one, into `names` (which point into the image), as many as fit. Returns their number, which is too
 * large by those that it could not tell from others where not all fit. */
size_t packed_names(const struct elf_image *image, const char **names, size_t most);

/* The packed image of that name, unpacked, and its size; NULL: *wrong says why. */
void *packed_open(const struct elf_image *image, const char *name, size_t *bytes, const char **wrong);

/* Unpacks them all: *unpacked[0..n) (the caller's: packed_free), n is returned. What cannot be unpacked is left out, and a
 * message kept (refused.h). */
size_t packed_unpack(const struct reg_descriptor *d, struct reg_unpacked **unpacked);
void packed_free(struct reg_unpacked *unpacked, size_t count);

#endif
