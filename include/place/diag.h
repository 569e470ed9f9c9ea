/* One message that a library call leaves for its caller: what went wrong, where, and the remedy.
 *
 * Owner: the caller; nothing is allocated. Thread-safety: one diagnostic belongs to one thread at a time.
 * Errors: a message that does not fit is cut at the end of the buffer, never refused. A null diagnostic is allowed
 * everywhere and drops the message. */
#ifndef PLACE_DIAG_H
#define PLACE_DIAG_H

#ifdef __cplusplus
extern "C" {
#endif

struct place_diag {
  char text[512]; /* one line, no newline at the end; empty: no message */
};

/* Formats a message into `diag` (as printf). Returns -1, so that `return place_diag_set(...)` reports an error. */
int place_diag_set(struct place_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
