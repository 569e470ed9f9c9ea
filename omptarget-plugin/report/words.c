#define _GNU_SOURCE
#include "words.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/text.h"

/* ---- figures ---- */

static int decimals(double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; }

char *words_time(double ns, char out[WORDS_FIGURE]) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  unsigned u = 0;
  if (!(ns > 0) || !isfinite(ns)) return strcpy(out, "-");
  while (ns >= 999.5 && u < 3) ns /= 1000, u++;
  snprintf(out, WORDS_FIGURE, "%.*f %s", u ? decimals(ns) : 0, ns, units[u]);
  return out;
}

char *words_ratio(double before_ns, double after_ns, char out[WORDS_FIGURE]) {
  bool slower = after_ns > before_ns;
  double ratio = slower ? after_ns / before_ns : before_ns / after_ns;
  if (ratio < 1.005) return strcpy(out, "no difference");
  snprintf(out, WORDS_FIGURE, ratio < 100 ? "%.2fx %s" : "%.0fx %s", ratio, slower ? "slower" : "faster");
  return out;
}

char *words_trips(uint64_t count, char out[WORDS_FIGURE]) {
  if (!count) return strcpy(out, "unknown size");
  snprintf(out, WORDS_FIGURE, "%llu iteration%s", (unsigned long long)count, count == 1 ? "" : "s");
  return out;
}

char *words_share(double share, char out[WORDS_FIGURE]) {
  double percent = 100 * share;
  if (percent < 0.1) return strcpy(out, "less than 0.1%");
  snprintf(out, WORDS_FIGURE, percent < 9.95 ? "%.1f%%" : "%.0f%%", percent);
  return out;
}

/* ---- names ---- */

typedef char *demangler(const char *symbol, char *buffer, size_t *length, int *status);

/* NULL: the program has none. */
static char *demangled(const char *symbol) {
  static demangler *found;
  static bool looked;
  int status = 0;
  if (!looked) *(void **)&found = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  looked = true;
  return found && !strncmp(symbol, "_Z", 2) ? found(symbol, NULL, NULL, &status) : NULL;
}

/* Where the parameters begin: the parenthesis that belongs to the last closing one at the end, after "const" and the like; at the
 * text's end where there are none. */
static size_t parameters_at(const char *name) {
  size_t end = strlen(name);
  int depth = 0;
  while (end && (islower((unsigned char)name[end - 1]) || strchr(" &", name[end - 1]))) end--;
  if (!end || name[end - 1] != ')') return strlen(name);
  for (size_t i = end; i-- > 0;) {
    depth += (name[i] == ')') - (name[i] == '(');
    if (!depth) return i;
  }
  return strlen(name);
}

/* Where the name begins, after what is returned: behind the last blank that no bracket holds and that "operator" does not precede. */
static size_t name_at(const char *name, size_t end) {
  size_t from = 0;
  int depth = 0;
  for (size_t i = 0; i < end; i++) {
    if (!strncmp(name + i, "operator", 8) && (!i || strchr(" :", name[i - 1]))) break;
    depth += (strchr("<({[", name[i]) != NULL) - (strchr(">)}]", name[i]) != NULL);
    if (name[i] == ' ' && !depth) from = i + 1;
  }
  return from;
}

char *words_clean(const char *text, char *out, size_t size) {
  snprintf(out, size, "%s", text);
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
  return out;
}

char *words_name(const char *symbol, char *out, size_t size) {
  char *name = symbol && *symbol ? demangled(symbol) : NULL;
  if (!name) return words_clean(symbol && *symbol ? symbol : "?", out, size);
  size_t end = parameters_at(name), from = name_at(name, end);
  snprintf(out, size, "%.*s", (int)(end - from), name + from);
  free(name);
  return out;
}

char *words_full_name(const char *symbol, char *out, size_t size) {
  char *name = symbol && *symbol ? demangled(symbol) : NULL;
  words_clean(name ? name : symbol && *symbol ? symbol : "?", out, size);
  free(name);
  return out;
}

/* A kernel is "__omp_offloading_DEVICE_FILE_FUNCTION_lLINE[_N]": the function, and its line, 0 where that is none. */
static unsigned take_kernel(const char *kernel, size_t length, char *function, size_t size) {
  const char *at = kernel + strlen("__omp_offloading_"), *end = kernel + length, *line = NULL;
  for (int part = 0; part < 2; part++) {
    const char *bar = memchr(at, '_', (size_t)(end - at));
    if (bar && bar > at) at = bar + 1;
  }
  for (const char *c = at; c + 2 < end; c++)
    if (c[0] == '_' && c[1] == 'l' && isdigit((unsigned char)c[2])) line = c;
  snprintf(function, size, "%.*s", (int)((line ? line : end) - at), at);
  return line ? (unsigned)strtoul(line + 2, NULL, 10) : 0;
}

char *words_plain(const char *text, char *out, size_t size) {
  static const char begin[] = "__omp_offloading_";
  struct place_text to = {out, size, 0};
  char function[256], name[256];
  if (size) *out = 0;
  while (*text) {
    const char *kernel = strstr(text, begin);
    place_text_add(&to, "%.*s", (int)(kernel ? (size_t)(kernel - text) : strlen(text)), text);
    if (!kernel) break;
    size_t length = strlen(begin);
    while (isalnum((unsigned char)kernel[length]) || strchr("_.$", kernel[length] ? kernel[length] : ' ')) length++;
    unsigned line = take_kernel(kernel, length, function, sizeof function);
    place_text_add(&to, "%s", words_name(function, name, sizeof name));
    if (line) place_text_add(&to, " (line %u)", line);
    text = kernel + length;
  }
  return out;
}

const char *words_file(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path && *path ? path : "?";
}

bool words_has_file(const struct place_region *r) { return r->file && *r->file && strcmp(r->file, "?") != 0; }

char *words_region(const struct place_region *r, char *out, size_t size) {
  char name[200], file[200];
  if (words_has_file(r))
    snprintf(out, size, "%s (%s:%u)", words_name(r->function, name, sizeof name), words_clean(words_file(r->file), file, sizeof file), r->line);
  else snprintf(out, size, "%s (line %u)", words_name(r->function, name, sizeof name), r->line);
  return out;
}
