/* The list of reasons, and what is looked up in it. */
#include "place/reason.h"

#include <stdio.h>
#include <string.h>

const struct place_reason_properties place_reasons[PLACE_REASON_COUNT] = {
  {"", "", "", ""},
#define PLACE_REASON(identifier, name, explains, sentence, remedy) {name, explains, sentence, remedy},
#include "place/reason.def"
#undef PLACE_REASON
};

/* Where the parameter stands; the sentence's end if it has none. */
static size_t before_parameter(const char *sentence) {
  const char *at = strstr(sentence, "%s");
  return at ? (size_t)(at - sentence) : strlen(sentence);
}

size_t place_reason_print(enum place_reason reason, const char *parameter, char *out, size_t size) {
  const char *sentence = place_reasons[reason].sentence;
  size_t before = before_parameter(sentence);
  if (!sentence[before]) return (size_t)snprintf(out, size, "%s", sentence);
  return (size_t)snprintf(out, size, "%.*s%s%s", (int)before, sentence, parameter ? parameter : "", sentence + before + 2);
}

static int is_sentence(const char *sentence, const char *text) {
  size_t before = before_parameter(sentence), length = strlen(text);
  if (!sentence[before]) return !strcmp(sentence, text);
  const char *rest = sentence + before + 2;
  return length > before + strlen(rest) && !strncmp(sentence, text, before) && !strcmp(rest, text + length - strlen(rest));
}

enum place_reason place_reason_of(const char *sentence) {
  for (int r = PLACE_WHY_NONE + 1; sentence && r < PLACE_REASON_COUNT; r++)
    if (is_sentence(place_reasons[r].sentence, sentence)) return (enum place_reason)r;
  return PLACE_WHY_NONE;
}

enum place_reason place_reason_named(const char *name) {
  for (int r = PLACE_WHY_NONE + 1; r < PLACE_REASON_COUNT; r++)
    if (!strcmp(place_reasons[r].name, name)) return (enum place_reason)r;
  return PLACE_WHY_NONE;
}

size_t place_reason_document(char *out, size_t size) {
  size_t at = (size_t)snprintf(out, size, "| reason | of | in reports | what helps |\n|---|---|---|---|\n");
  for (int r = PLACE_WHY_NONE + 1; r < PLACE_REASON_COUNT; r++) {
    char sentence[256];
    place_reason_print((enum place_reason)r, "…", sentence, sizeof sentence);
    at += (size_t)snprintf(at < size ? out + at : NULL, at < size ? size - at : 0, "| `%s` | %s | %s | %s |\n", place_reasons[r].name,
                           place_reasons[r].explains, sentence, place_reasons[r].remedy);
  }
  return at;
}
