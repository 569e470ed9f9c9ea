/* What the tests of the core share: cmocka, a random generator with a fixed seed, files, tables without checksums. */
#ifndef PLACE_TEST_SUPPORT_H
#define PLACE_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "place/region.h"

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_u64(void) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * UINT64_C(2685821657736338717);
}

static inline uint64_t random_below(uint64_t n) {
  return (random_u64() >> 11) % n;
}

static inline char *read_text(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot open %s", path);
  char *text = malloc(1 << 20);
  *length = fread(text, 1, (1 << 20) - 64, file);
  fclose(file);
  text[*length] = 0;
  return text;
}

/* Replaces what follows the last "end" line's keyword by the right checksum, so that tables can be written by hand. */
static inline void seal(char *text, size_t *length) {
  char *end = NULL;
  for (char *at = text; (at = strstr(at, "\nend")); at++) end = at + 1;
  if (!end && strncmp(text, "end", 3) == 0) end = text;
  if (!end) return;
  *length = (size_t)(end - text) +
            (size_t)sprintf(end, "end %016llx\n", (unsigned long long)place_fnv1a(text, (size_t)(end - text)));
}

static inline void load_table(const char *name, struct place_table *table) {
  char path[512];
  size_t length;
  struct place_diag diag = {""};
  snprintf(path, sizeof path, TABLES "/%s.table", name);
  char *text = read_text(path, &length);
  seal(text, &length);
  if (place_table_read(text, length, table, &diag)) fail_msg("%s: %s", path, diag.text);
  free(text);
}

/* Reads the table of one region whose head is given, with those versions; text keeps it, sealed. */
static inline int read_with(const char *head, const char *versions, struct place_table *table, struct place_diag *diag, char *text,
                            size_t size) {
  size_t length = (size_t)snprintf(text, size, "%s%send 0", head, versions);
  assert_true(length < size);
  seal(text, &length);
  return place_table_read(text, length, table, diag);
}

#endif
