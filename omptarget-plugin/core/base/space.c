/* The list of spaces, and what is looked up in it. */
#include "place/space.h"

#include <string.h>

const struct place_space_properties place_spaces[PLACE_SPACE_COUNT] = {
#define PLACE_SPACE(identifier, name, letter, home, route, memory, copy, text) \
  {name, letter, PLACE_HOME_##home, PLACE_ROUTE_##route, PLACE_COPY_##copy, memory, text},
#include "place/space.def"
#undef PLACE_SPACE
};

place_space_set place_space_set_of(enum place_home home) {
  place_space_set set = 0;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
    if (place_spaces[s].home == home) set |= PLACE_SPACE_BIT(s);
  return set;
}

const char *place_space_name(enum place_space space) {
  return (unsigned)space < PLACE_SPACE_COUNT ? place_spaces[space].name : "?";
}

const char *place_space_text(enum place_space space) {
  return (unsigned)space < PLACE_SPACE_COUNT ? place_spaces[space].text : "?";
}

char place_space_letter(enum place_space space) {
  return (unsigned)space < PLACE_SPACE_COUNT ? place_spaces[space].letter : '?';
}

int place_space_of_letter(char letter) {
  for (int s = 0; s < PLACE_SPACE_COUNT; s++)
    if (place_spaces[s].letter == letter) return s;
  return -1;
}

int place_space_parse(const char *name, unsigned long length, enum place_space *space) {
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (strlen(place_spaces[s].name) == length && memcmp(place_spaces[s].name, name, length) == 0) {
      *space = (enum place_space)s;
      return 0;
    }
  }
  return -1;
}
