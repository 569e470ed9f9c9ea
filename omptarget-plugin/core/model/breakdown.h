/* What a model's estimate is made of: values by name, the last of them T, the estimate. Internal.
 *
 * Owner: the breakdown owns its terms; breakdown_free. Thread-safety: none of its own. Errors: a term that there is no memory for is
 * left out, which `short_of_memory` says. */
#ifndef PLACE_CORE_BREAKDOWN_H
#define PLACE_CORE_BREAKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "place/text.h"

struct breakdown_term {
  char name[88];
  double value;
  const char *unit; /* static storage; "": a ratio or a number */
};

struct breakdown {
  struct breakdown_term *term;
  size_t count, capacity;
  bool short_of_memory;
};

/* A null `breakdown` is left alone. The name is formatted as by printf. Returns the value. */
double breakdown_add(struct breakdown *breakdown, double value, const char *unit, const char *name, ...)
  __attribute__((format(printf, 4, 5)));

/* One term a line: "  name = value unit". */
void breakdown_print(const struct breakdown *breakdown, struct place_text *text);

void breakdown_free(struct breakdown *breakdown);

#endif
