/* What size classes settled on, from one run to the next: a file with an SQLite database.
 *
 * The file is open only while rows are read or written: nothing is held over a fork, and other processes wait for milliseconds. Writers
 * use SQLite's rollback journal, which needs nothing but locks on the file (no shared memory, so it works on network file systems as
 * far as their locks do); a process that is killed while it writes leaves a journal, which the next one rolls back. A file that is
 * damaged, or not of place's making, is moved aside. The rows that were used last are kept, up to STORE_ROWS.
 *
 * Owner: rows own their strings; store_rows_free. Thread-safety: none of its own. Errors: -1 and a message; what was read is then
 * empty, and a file that could not be written is as it was. */
#ifndef PLACE_RT_STORE_H
#define PLACE_RT_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "place/diag.h"

enum { STORE_ROWS = 4096 };

/* What a row is found by, and what it says. Only `key` and `verdict` are for programs. */
struct store_row {
  char *key;     /* all that the verdict depends on, hashed */
  char *image;   /* the device image, hashed: what a process reads at once */
  char *kernel;  /* its name in the image */
  char *where;   /* function and file:line */
  char *device;  /* its name, architecture and driver */
  char *verdict; /* verdict.h, as a line */
  int64_t used;  /* when, in seconds since 1970 */
};

struct store_rows {
  struct store_row *row;
  size_t count;
};

void store_rows_free(struct store_rows *rows);

/* The rows of an image (NULL: all). No file: none, without an error. *aside: said once, by the one that has moved a file aside. */
int store_read(const char *file, const char *image, struct store_rows *rows, struct place_diag *aside, struct place_diag *diag);

/* Adds rows, or replaces them. Makes the file and the folder that it is in. Waits up to wait_ms for other processes. */
int store_write(const char *file, const struct store_row *rows, size_t count, unsigned wait_ms, struct place_diag *aside,
                struct place_diag *diag);

/* Removes the rows whose keys begin so ("": all); their number, or -1. */
int store_drop(const char *file, const char *key, struct place_diag *diag);

/* The file that PLACE_STORE says: NULL: none. value: the variable, or NULL. get: getenv, or a test's. */
const char *store_file(const char *value, const char *(*get)(const char *name), char *out, size_t size);

#endif
