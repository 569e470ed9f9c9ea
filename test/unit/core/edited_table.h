/* Stored tables with an edit each: what is refused, and with which message. */
#ifndef PLACE_TEST_EDITED_TABLE_H
#define PLACE_TEST_EDITED_TABLE_H

#include "support.h"

static inline char *sealed(const char *name, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, TABLES "/%s.table", name);
  char *text = read_text(path, length);
  seal(text, length);
  return text;
}

static inline void refused(const char *name, const char *from, const char *to, const char *message, const char *where) {
  size_t length;
  struct place_table table;
  struct place_diag diag = {""};
  char *text = sealed(name, &length), *at = strstr(text, from);
  assert_non_null(at);
  memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
  memcpy(at, to, strlen(to));
  length = strlen(text);
  seal(text, &length);
  assert_int_equal(place_table_read(text, length, &table, &diag), -1);
  if (!strstr(diag.text, message) || !strstr(diag.text, where) || !strstr(diag.text, "recompile"))
    fail_msg("'%s' -> '%s': message is '%s', expected '%s' at '%s'", from, to, diag.text, message, where);
  assert_int_equal(table.region_count, 0);
  free(text);
}

#endif
