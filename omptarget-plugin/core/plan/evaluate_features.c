/* Features of cases' arrays as text, to train on. */
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "array_features.h"
#include "session.h"

void evaluate_features_head(struct place_text *text) {
  place_text_add(text, "case,source,array,number,candidates");
  for (unsigned f = 0; f < FEATURE_COUNT; f++) place_text_add(text, ",%s", feature_names[f]);
  place_text_add(text, "\n");
}

/* Features have six digits: what the last ones are depends on the machine's mathematics. */
static void add_row(const struct session *s, const char *name, size_t array, const double *row, struct place_text *text) {
  const struct place_region *region = s->in.region;
  const char *slash = region->file ? strrchr(region->file, '/') : NULL, *file = slash ? slash + 1 : region->file;
  place_text_add(text, "%s,%s,%s,%zu,", name, file ? file : region->entry, region->arrays[array].name, array);
  for (unsigned k = 0; k < PLACE_SPACE_COUNT; k++)
    if (s->in.candidates[array].spaces >> k & 1) place_text_add(text, "%c", place_spaces[k].letter);
  for (unsigned f = 0; f < FEATURE_COUNT; f++) place_text_add(text, ",%.6g", row[f]);
  place_text_add(text, "\n");
}

int evaluate_features(const struct place_case *c, const char *name, const struct place_machine *machine, struct place_text *text,
                      struct place_diag *diag) {
  const struct place_question question = place_case_question(c, machine, PLACE_MODEL_RULES);
  double(*row)[FEATURE_COUNT] = malloc((c->region->array_count + 1) * sizeof *row);
  struct session *s = row ? session_open(&question, diag) : NULL;
  int rc = s ? features_find(&s->in, row) : -1;
  if (!row || (s && rc)) place_diag_set(diag, "out of memory");
  for (size_t a = 0; rc == 0 && a < c->region->array_count; a++)
    if (c->region->arrays[a].placeable >= 0) add_row(s, name, a, row[a], text);
  if (s) session_close(s);
  free(row);
  return rc;
}
