#include "force_clause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_file_line(const char *pattern, const struct place_region *region) {
  const char *colon = strrchr(pattern, ':'), *file = region->file ? region->file : "";
  char *end;
  if (!colon || strtoul(colon + 1, &end, 10) != region->line || *end || end == colon + 1) return false;
  size_t length = (size_t)(colon - pattern), all = strlen(file);
  if (length > all || strncmp(file + all - length, pattern, length)) return false;
  return length == all || file[all - length - 1] == '/';
}

bool force_is_region(const char *pattern, const struct place_region *region) {
  char *end;
  if (!strcmp(pattern, "*") || !strcmp(pattern, region->entry)) return true;
  if (region->function && !strcmp(pattern, region->function)) return true;
  if (strtoul(pattern, &end, 10) == region->line && !*end && end != pattern) return true;
  return is_file_line(pattern, region);
}

bool force_is_array(const char *pattern, const struct place_array *array) {
  char by_number[24];
  snprintf(by_number, sizeof by_number, "arg%d", array->arg);
  return !strcmp(pattern, array->name) || !strcmp(pattern, by_number);
}
