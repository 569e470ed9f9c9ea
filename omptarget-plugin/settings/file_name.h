/* Names of files and folders of one process among many: %p is its process id, %r its rank among the processes of an MPI program
 * (0 without one), %% a percent sign.
 *
 * Owner: the caller. Thread-safety: none of its own. Errors: NULL. */
#ifndef PLACE_RT_FILE_NAME_H
#define PLACE_RT_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Digits: the rank; NULL: the process has none. */
const char *file_name_rank(const char *(*get)(const char *name));

/* Whether no other letter follows a %. */
bool file_name_is_valid(const char *pattern);

/* The name as it is now; NULL: it does not fit. get: secure_getenv, or a test's. */
const char *file_name_expand(const char *pattern, const char *(*get)(const char *name), char *out, size_t size);

#endif
