#include "verdict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verdict_free(struct verdict *verdict) {
  free(verdict->version);
  free(verdict->base);
  free(verdict->reason);
  *verdict = (struct verdict){.keeps_original = false};
}

size_t verdict_print(const struct verdict *v, char *out, size_t size) {
  return (size_t)snprintf(out, size, "verdict keeps=%s%s%s%s%s%s%s base-ns=%.17g version-ns=%.17g noise=%.17g period=%u%s%s",
                          v->keeps_original ? "original" : "version", v->version ? " version=" : "", v->version ? v->version : "",
                          *v->spaces ? " spaces=" : "", v->spaces, v->base ? " base=" : "", v->base ? v->base : "", v->base_ns,
                          v->version_ns, v->noise, v->period_launches, v->reason ? " reason=" : "", v->reason ? v->reason : "");
}

/* ---- reading ---- */

static int set_text(const char *value, size_t length, char **to) {
  free(*to);
  *to = malloc(length + 1);
  if (!*to) return -1;
  memcpy(*to, value, length);
  (*to)[length] = 0;
  return 0;
}

static int set_number(const char *value, size_t length, double *to) {
  char *end;
  errno = 0;
  double read = strtod(value, &end);
  if (end != value + length || !length || errno || !isfinite(read) || read < 0) return -1;
  *to = read;
  return 0;
}

static int set_count(const char *value, size_t length, unsigned *to) {
  double read;
  if (set_number(value, length, &read) || read > 1e6 || read != floor(read)) return -1;
  *to = (unsigned)read;
  return 0;
}

static int set_spaces(const char *value, size_t length, char *to) {
  if (length > PLACE_MAX_PLACEABLE) return -1;
  for (size_t i = 0; i < length; i++)
    if (place_space_of_letter(value[i]) < 0) return -1;
  memcpy(to, value, length);
  to[length] = 0;
  return 0;
}

static int set_keeps(const char *value, size_t length, bool *original) {
  bool is_original = length == 8 && !memcmp(value, "original", 8), is_version = length == 7 && !memcmp(value, "version", 7);
  *original = is_original;
  return is_original || is_version ? 0 : -1;
}

static bool is(const char *key, size_t length, const char *known) { return strlen(known) == length && !memcmp(key, known, length); }

/* One key; -1: its value is none. */
static int set(struct verdict *v, const char *key, size_t length, const char *value, size_t size) {
  if (is(key, length, "keeps")) return set_keeps(value, size, &v->keeps_original);
  if (is(key, length, "version")) return set_text(value, size, &v->version);
  if (is(key, length, "spaces")) return set_spaces(value, size, v->spaces);
  if (is(key, length, "base")) return set_text(value, size, &v->base);
  if (is(key, length, "base-ns")) return set_number(value, size, &v->base_ns);
  if (is(key, length, "version-ns")) return set_number(value, size, &v->version_ns);
  if (is(key, length, "noise")) return set_number(value, size, &v->noise);
  if (is(key, length, "period") || is(key, length, "lap")) /* its former name */
    return set_count(value, size, &v->period_launches);
  if (is(key, length, "reason")) return set_text(value, size, &v->reason);
  return 0;
}

static int refuse(struct verdict *v, struct place_diag *diag, const char *what, size_t length) {
  place_diag_set(diag, "not a verdict: %.*s", (int)(length < 80 ? length : 80), what);
  verdict_free(v);
  return -1;
}

/* What cannot be acted on is no verdict. */
static bool is_whole(const struct verdict *v) {
  if (!v->keeps_original) return v->version && v->base && v->base_ns > 0 && v->version_ns > 0;
  return v->reason != NULL;
}

int verdict_read(const char *text, struct verdict *v, struct place_diag *diag) {
  static const char word[] = "verdict";
  const char *at = text + strlen(word);
  bool keeps = false;
  *v = (struct verdict){.keeps_original = false};
  if (strncmp(text, word, strlen(word))) return refuse(v, diag, text, strlen(text));
  while (*at == ' ') {
    const char *key = ++at;
    size_t length = strcspn(key, "= "), size;
    const char *value = key + length + 1;
    if (key[length] != '=') return refuse(v, diag, key, length);
    size = is(key, length, "reason") ? strcspn(value, "\n") : strcspn(value, " \n");
    if (set(v, key, length, value, size)) return refuse(v, diag, key, length + 1 + size);
    keeps |= is(key, length, "keeps");
    at = value + size;
  }
  if (*at || !keeps || !is_whole(v)) return refuse(v, diag, text, strlen(text));
  return 0;
}
