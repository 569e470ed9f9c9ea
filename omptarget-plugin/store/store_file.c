#define _GNU_SOURCE
#include "store.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

/* A program with more rights than its user must not be led to a file by the user's environment. */
static int is_privileged(void) { return getauxval(AT_SECURE) != 0; }

static int is_one_of(const char *value, const char *const *words) {
  while (*words && strcasecmp(value, *words)) words++;
  return *words != NULL;
}

static const char *joined(char *out, size_t size, const char *folder, const char *rest) {
  int length = snprintf(out, size, "%s/%s", folder, rest);
  return length > 0 && (size_t)length < size ? out : NULL;
}

const char *store_file(const char *value, const char *(*get)(const char *name), char *out, size_t size) {
  if (is_privileged()) return NULL;
  static const char *const off[] = {"off", "0", "no", "false", NULL}, *const on[] = {"on", "1", "yes", "true", NULL};
  if (value && is_one_of(value, off)) return NULL;
  if (value && *value && !is_one_of(value, on)) return value;
  const char *cache = get("XDG_CACHE_HOME"), *home = get("HOME");
  if (cache && *cache == '/') return joined(out, size, cache, "place/verdicts.sqlite"); /* a relative one is to be ignored */
  return home && *home == '/' ? joined(out, size, home, ".cache/place/verdicts.sqlite") : NULL;
}
