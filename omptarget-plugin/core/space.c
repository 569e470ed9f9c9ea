/* Names of the memories. */
#include "place/space.h"

#include <string.h>

static const char *const names[PLACE_SPACE_COUNT] = {"global", "readonly", "constant", "shared"};

const char *place_space_name(enum place_space space) {
  return (unsigned)space < PLACE_SPACE_COUNT ? names[space] : "?";
}

static const char letters[PLACE_SPACE_COUNT] = {'g', 'r', 'c', 's'};

char place_space_letter(enum place_space space) { return (unsigned)space < PLACE_SPACE_COUNT ? letters[space] : '?'; }

int place_space_of_letter(char letter) {
  for (int s = 0; s < PLACE_SPACE_COUNT; s++)
    if (letters[s] == letter) return s;
  return -1;
}

int place_space_parse(const char *name, unsigned long length, enum place_space *space) {
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (strlen(names[s]) == length && memcmp(names[s], name, length) == 0) {
      *space = (enum place_space)s;
      return 0;
    }
  }
  return -1;
}
