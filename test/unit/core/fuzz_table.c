/* libFuzzer target: any bytes as a region table. The checksum is put right, or nothing would come past it; what is accepted
 * must print and read back the same, and its expressions must have values within their bounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/region.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const struct place_table *table) {
  struct place_table again;
  size_t n = place_table_print(table, NULL, 0), m;
  char *first = malloc(n + 1), *second = malloc(n + 1);
  place_table_print(table, first, n + 1);
  if (place_table_read(first, n, &again, NULL)) abort();
  m = place_table_print(&again, second, n + 1);
  if (m != n || memcmp(first, second, n + 1)) abort();
  place_table_free(&again);
  free(first);
  free(second);
}

static void check_bounds(const struct place_table *table, const uint8_t *data, size_t size) {
  uint64_t loop[4], arg[8];
  bool known[8] = {true, true, true, true, true, true, true};
  struct place_range range[4];
  for (size_t i = 0; i < 8; i++) arg[i] = size > i ? data[size - 1 - i] * (i % 2 ? UINT64_C(0x1000193) : UINT64_C(1)) : i;
  for (size_t i = 0; i < 4; i++) loop[i] = arg[i] % 100, range[i] = (struct place_range){0, 99, true};
  struct place_point at = {.tid = arg[0] % 128, .team = arg[2] % 64, .threads = 128, .teams = 64, .loop = loop, .loops = 4,
                           .arg = arg, .arg_known = known, .args = 8};
  struct place_box box = {.tid = {0, 127, true}, .team = {0, 63, true}, .threads = {128, 128, true}, .teams = {64, 64, true},
                          .loop = range, .loops = 4, .arg = arg, .arg_known = known, .args = 8};
  for (size_t r = 0; r < table->region_count; r++)
    for (size_t i = 0; i < table->regions[r].access_count; i++) {
      place_expr e = table->regions[r].accesses[i].offset;
      uint64_t value;
      struct place_range bound = place_expr_bound(&table->exprs, e, &box);
      if (!place_expr_eval(&table->exprs, e, &at, &value) || !bound.known) continue;
      if ((int64_t)value < bound.lo || (int64_t)value > bound.hi) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct place_table table;
  struct place_diag diag = {""};
  char *text = malloc(size + 32);
  memcpy(text, data, size);
  size_t body = size; /* cut an end line that is already there */
  for (size_t i = 0; i + 4 < size; i++)
    if ((i == 0 || text[i - 1] == '\n') && !memcmp(text + i, "end ", 4)) body = i;
  size_t length = body + (size_t)sprintf(text + body, "end %016llx\n", (unsigned long long)place_fnv1a(text, body));
  if (place_table_read(text, length, &table, &diag) == 0) {
    check_print(&table);
    check_bounds(&table, data, size);
    place_table_free(&table);
  } else if (!diag.text[0]) {
    abort();
  }
  free(text);
  return 0;
}
