/* Text in buffers of the caller's: added to bit by bit, where, as with snprintf, what does not fit is counted; and figures.
 *
 * Units: bytes. Owner: the caller. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_TEXT_H
#define PLACE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct place_text {
  char *out;
  size_t size, length; /* length: what the whole text needs, without the terminator */
};

void place_text_add(struct place_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { PLACE_BYTES_TEXT = 32 };

/* "512 B", "64.1 KiB", "4 MiB": with a decimal where it is no whole number. Returns out. */
char *place_bytes_text(uint64_t bytes, char out[PLACE_BYTES_TEXT]);

#endif
