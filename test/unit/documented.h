/* A document has the table that the source makes of itself. */
#ifndef PLACE_TEST_DOCUMENTED_H
#define PLACE_TEST_DOCUMENTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Included after cmocka.h. file: its path. make: writes the table, as snprintf does. */
static inline void expect_documented(const char *file, size_t (*make)(char *out, size_t size)) {
  size_t length = make(NULL, 0);
  char *table = malloc(length + 1), *text = calloc(1, 65536);
  FILE *in = fopen(file, "r");
  assert_non_null(in);
  assert_int_equal(make(table, length + 1), length);
  assert_true(fread(text, 1, 65535, in) > 0);
  fclose(in);
  if (!strstr(text, table)) print_message("%s", table); /* what to put there */
  assert_non_null(strstr(text, table));
  free(table);
  free(text);
}

#endif
