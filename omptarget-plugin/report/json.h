/* A JSON writer that knows when a comma is due. What it writes is valid UTF-8 whatever it is given: bytes that are none become U+FFFD.
 *
 * Owner: the stream is the caller's. Thread-safety: none of its own. Errors: those of the stream. */
#ifndef PLACE_RT_JSON_H
#define PLACE_RT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
  FILE *out;
  bool first; /* nothing yet in the innermost object or array */
};

/* name: NULL in arrays. bracket: '{' or '['; and its counterpart. */
void json_open(struct json *json, const char *name, char bracket);
void json_close(struct json *json, char bracket);

/* NULL: null. */
void json_text(struct json *json, const char *name, const char *value);

/* null where it is no finite number; json_known: also where it is 0 or less, which figures have that are not known. */
void json_number(struct json *json, const char *name, double value);
void json_known(struct json *json, const char *name, double value);

void json_count(struct json *json, const char *name, uint64_t value);
void json_truth(struct json *json, const char *name, bool value);

#endif
