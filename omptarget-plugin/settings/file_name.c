#include "file_name.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "place/text.h"

bool file_name_is_valid(const char *pattern) {
  for (const char *p = strchr(pattern, '%'); p; p = strchr(p + 2, '%'))
    if (!p[1] || !strchr("pr%", p[1])) return false;
  return true;
}

/* Nothing but digits: what a launcher sets must not lead to another folder. */
const char *file_name_rank(const char *(*get)(const char *name)) {
  static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = get(variables[i]);
    if (value && *value && !value[strspn(value, "0123456789")]) return value;
  }
  return NULL;
}

const char *file_name_expand(const char *pattern, const char *(*get)(const char *name), char *out, size_t size) {
  struct place_text text = {out, size, 0};
  const char *rank = file_name_rank(get);
  for (const char *p = pattern; *p; p++) {
    if (*p != '%') place_text_add(&text, "%c", *p);
    else if (*++p == 'p') place_text_add(&text, "%ld", (long)getpid());
    else if (*p == 'r') place_text_add(&text, "%s", rank ? rank : "0");
    else place_text_add(&text, "%%");
  }
  return text.length < size ? out : NULL;
}
