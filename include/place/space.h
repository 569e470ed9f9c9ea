/* The memories that an array of a target region can be placed in.
 *
 * Values are part of the ABI between the plugin and the runtime (a placement word's selector byte, see abi.h) and never
 * change meaning; new spaces are appended.
 * Thread-safety: constants and pure functions only. */
#ifndef PLACE_SPACE_H
#define PLACE_SPACE_H

#ifdef __cplusplus
extern "C" {
#endif

enum place_space {
  PLACE_GLOBAL = 0,   /* ld.global: where libomptarget put the array */
  PLACE_READONLY = 1, /* ld.global.nc: the same memory through the read-only path */
  PLACE_CONSTANT = 2, /* ld.const: a copy in the constant bank, shared by all teams */
  PLACE_SHARED = 3,   /* ld.shared: a copy made by each team at kernel entry */
  PLACE_SPACE_COUNT = 4
};

/* A set of spaces: bit (1u << space). */
typedef unsigned place_space_set;
#define PLACE_SPACE_BIT(space) (1u << (space))

/* "global", "readonly", "constant", "shared"; "?" for a value out of range. Static storage. */
const char *place_space_name(enum place_space space);

/* The letter that stands for it in a version's record: g r c s; '?' for a value out of range. And back: the space, or -1. */
char place_space_letter(enum place_space space);
int place_space_of_letter(char letter);

/* The space of that name in *space and 0, or -1 if there is none. `length` bytes of name are looked at. */
int place_space_parse(const char *name, unsigned long length, enum place_space *space);

#ifdef __cplusplus
}
#endif
#endif
