/* Stored launches, for tests. */
#ifndef PLACE_TEST_STORED_CASE_H
#define PLACE_TEST_STORED_CASE_H

#include "place/case.h"
#include "support.h"

/* The case of that name in a folder; the test fails without it. For place_case_free. */
static inline void open_case(const char *folder, const char *name, struct place_case *c) {
  char path[512];
  size_t length;
  struct place_diag diag = {""};
  snprintf(path, sizeof path, "%s/%s.case", folder, name);
  char *text = read_text(path, &length);
  if (place_case_read(text, length, c, &diag)) fail_msg("%s: %s", path, diag.text);
  free(text);
}

#endif
