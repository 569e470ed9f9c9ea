/* Forests for cases. */
#include "held_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20, NAME_BYTES = 1024 };

static FILE *open_file(const char *folder, const struct place_region *region, char *name) {
  const char *file = region->file ? region->file : region->entry, *slash = strrchr(file, '/');
  if (slash) file = slash + 1;
  const char *dot = strrchr(file, '.');
  snprintf(name, NAME_BYTES, "%.480s/%.*s.forest", folder, (int)(dot ? dot - file : (long)strlen(file)) % 480, file);
  FILE *own = fopen(name, "rb");
  if (own) return own;
  snprintf(name, NAME_BYTES, "%.480s/default.forest", folder);
  return fopen(name, "rb");
}

static struct place_forest *read_forest(const char *folder, const struct place_region *region, struct place_diag *diag) {
  char name[NAME_BYTES], *text = malloc(MAX_BYTES);
  struct place_diag why = {"it cannot be opened"};
  FILE *file = text ? open_file(folder, region, name) : NULL;
  struct place_forest *forest = NULL;
  if (!text) place_diag_set(diag, "out of memory");
  else if (file) forest = place_forest_read(text, fread(text, 1, MAX_BYTES, file), &why);
  if (text && !forest) place_diag_set(diag, "%s: %s", name, why.text);
  if (file) fclose(file);
  free(text);
  return forest;
}

int held_out_open(const char *folder, struct place_case *cases, size_t count, struct place_forest **forest, struct place_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    forest[i] = read_forest(folder, cases[i].region, diag);
    if (!forest[i]) return -1;
    cases[i].forest = forest[i];
  }
  return 0;
}

void held_out_close(struct place_forest **forest, size_t count) {
  for (size_t i = 0; forest && i < count; i++) place_forest_free(forest[i]);
  free(forest);
}
