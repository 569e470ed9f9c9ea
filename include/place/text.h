/* Text that is added to bit by bit, into a buffer of the caller's; as snprintf, what does not fit is counted.
 *
 * Owner: the caller. Thread-safety: none of its own. Errors: none. */
#ifndef PLACE_TEXT_H
#define PLACE_TEXT_H

#include <stddef.h>

struct place_text {
  char *out;
  size_t size, length; /* length: what the whole text needs, without the terminator */
};

void place_text_add(struct place_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
