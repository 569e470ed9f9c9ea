/* The memories that an array of a target region can be placed in, and the ways to them: what space.def lists.
 *
 * Nothing but their place in an index or a word is to be read from the values: which spaces have something in common is asked of
 * their properties, below.
 * Thread-safety: constants and pure functions only. */
#ifndef PLACE_SPACE_H
#define PLACE_SPACE_H

#include <stdbool.h>

#include "place/route.h"

#ifdef __cplusplus
extern "C" {
#endif

enum place_space {
#define PLACE_SPACE(identifier, name, letter, home, route, memory, copy, text) PLACE_##identifier,
#include "place/space.def"
#undef PLACE_SPACE
  PLACE_SPACE_COUNT
};

/* A set of spaces: bit (1u << space). */
typedef unsigned place_space_set;
#define PLACE_SPACE_BIT(space) (1u << (space))

enum place_home {
  PLACE_HOME_GLOBAL,   /* where libomptarget put the array */
  PLACE_HOME_CONSTANT, /* the constant bank */
  PLACE_HOME_SHARED,   /* a team's dynamic shared memory */
  PLACE_HOME_TEXTURE   /* the array where it is, bound to a texture */
};

enum place_copy {
  PLACE_COPY_NONE,    /* the array itself */
  PLACE_COPY_PROGRAM, /* one for all teams, made by the runtime and refreshed when the array has changed */
  PLACE_COPY_TEAM     /* one a team, made at the kernel's entry */
};

struct place_space_properties {
  const char *name; /* static storage, like `memory` and `text` */
  char letter;
  enum place_home home;
  enum place_route route;
  enum place_copy copy;
  const char *memory, *text;
};

/* By space. */
extern const struct place_space_properties place_spaces[PLACE_SPACE_COUNT];

/* Of a space in range. */
static inline enum place_home place_space_home(enum place_space space) { return place_spaces[space].home; }
static inline enum place_route place_space_route(enum place_space space) { return place_spaces[space].route; }
static inline enum place_copy place_space_copy(enum place_space space) { return place_spaces[space].copy; }
static inline bool place_space_is_copy(enum place_space space) { return place_space_copy(space) != PLACE_COPY_NONE; }

/* All spaces of a home. */
place_space_set place_space_set_of(enum place_home home);

/* Its name; "?" for a value out of range. Static storage. */
const char *place_space_name(enum place_space space);

/* "in shared memory" and such: how reports say that an array is there; "?" for a value out of range. Static storage. */
const char *place_space_text(enum place_space space);

/* The letter that stands for it in a version's record; '?' for a value out of range. And back: the space, or -1. */
char place_space_letter(enum place_space space);
int place_space_of_letter(char letter);

/* The space of that name in *space and 0, or -1 if there is none. `length` bytes of name are looked at. */
int place_space_parse(const char *name, unsigned long length, enum place_space *space);

#ifdef __cplusplus
}
#endif
#endif
