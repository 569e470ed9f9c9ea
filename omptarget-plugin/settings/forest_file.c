#include "forest_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/region.h"

enum { MAX_BYTES = 1 << 22 };

static char *read_text(const char *path, size_t *length, struct place_diag *diag) {
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(MAX_BYTES) : NULL;
  if (!file) place_diag_set(diag, "it cannot be opened: %s; name another file", strerror(errno));
  else if (!text) place_diag_set(diag, "out of memory");
  if (text) *length = fread(text, 1, MAX_BYTES, file);
  if (file) fclose(file);
  return text;
}

void forest_file_load(struct config *config) {
  struct place_diag diag = {""};
  size_t length = 0;
  if (!config->forest_file || config->off) return;
  if (config->model != PLACE_MODEL_LEARNED) {
    config_message(config, "PLACE_FOREST has no effect without PLACE_MODEL=learned");
    return;
  }
  char *text = read_text(config->forest_file, &length, &diag);
  config->forest = text ? place_forest_read(text, length, &diag) : NULL;
  if (config->forest) config->forest_sum = place_fnv1a(text, length);
  free(text);
  if (config->forest) return;
  config->model = PLACE_MODEL_PLACE;
  config_message(config, "PLACE_FOREST=%.200s cannot be used: %s, or unset PLACE_FOREST; until then model place decides",
                 config->forest_file, diag.text);
}
