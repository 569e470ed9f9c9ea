/* What a version of a kernel is, and what it needs of a launch: the record behind a `version` line of the region table.
 *
 *   version ::= 'version' entry-name (' ' key '=' value)* NL        each key once; no blank in a value
 *     role      base     the kernel as it is, with a timer: what others are measured against; at most one
 *               plan     can be launched in the original's place
 *               profile  logs what a few warps read, for the models; at most one
 *     loop      how it carries out the iterations: a name of loop.def
 *     space     where it has each array, separated by commas: letters of the spaces (g r c s t d); '*': wherever the launch says;
 *               '-': the array is not placeable. Left out where the region has no arrays
 *     routes    how its loads of each array get at global memory, where the array is there, separated by commas: names of route.def;
 *               '-': as the array's space says. Left out where that is so of all
 *     texels    bytes of a texel of each array that it may fetch from a texture, separated by commas: 4, 8 or 16; '-': it never does.
 *               Left out where that is so of all
 *     pitches   bytes of a row of each array that it may fetch from a texture of two dimensions: expressions separated by ';'; '-': it
 *               never does. Left out where that is so of all
 *     kernel    entry name of the version whose code it is launched with, other in its launch alone; left out: it has its own, of its
 *               entry name
 *     threads   of a team, what it must be launched with; left out: as the original
 *     each      iterations of the distributed loop for each thread: launched with as many teams as that takes, if the number of
 *               iterations is known and the number of teams the runtime's choice; right with any number
 *     short     with `each` or `fill`: an iteration has no loop of its own and updates nothing atomically, so that it is soon over; the bytes
 *               that its accesses are wide, together. It may be launched before anything was measured (docs/budget.md)
 *     rows      iterations of the distributed loop for each team: launched with as many teams as that takes, as `each` is
 *     fill      threads that a multiprocessor is to have: launched with as many teams as that takes, if the number of teams is the
 *               runtime's choice, and no more than have work or than it can hold at a time; right with any number.
 *     even      1, with `fill`: where there are fewer iterations than threads, all teams' first warps have the first ones: launched with as
 *               many teams on each multiprocessor, as long as each has iterations for a warp
 *     teams     how many teams have work: an expression (expr.h). With the need `all-teams` exactly so many are launched, else
 *               as many of them as the runtime likes
 *     slice     it can be launched in slices (abi.h): launched with teams for all of the space, each has so many iterations, in its order;
 *               with `block` it is the blocks that are in order; with `fill` it is 1, and a launch of any teams has an interval of iterations
 *     origin    with `slice` and `block`: 8, blocks may begin so many iterations of the outermost loop later, or a multiple; left out: they may not
 *     block     64x128: iterations of a block, dimension by dimension, outermost first; 1 to 3 dimensions. With it:
 *       team      8x32: how a team's threads lie in the block; divides `block`
 *       alike     8: so many threads to an iteration: one of the first `team` carries it out, the others fetch tiles with it. Left out: one
 *       lanes     how many dimensions out of the last one neighbouring threads lie, if not along the last
 *       adjacent  1x0: whether a thread's iterations along the dimension follow each other; else they lie a team's threads apart
 *       strip     iterations of the sequential loop whose operands are staged at a time
 *       pipelined 1: a strip is fetched while the one before it is worked on
 *       turned    1: accesses along columns go through tiles
 *       wide      1: a thread's iterations along the last dimension, which are neighbours, share one access where they can
 *     ahead     bytes of each array, from the kernel's argument on, of which it may read what the program does not, since its loops read
 *               ahead of where they may end: expressions separated by ';'; '-': of none. Left out where that is so of all
 *     extents   iterations of the collapsed loops, outermost first: expressions separated by ';', one for each of `block`
 *     tiles     arrays of which tiles go through shared memory: their numbers, ascending, separated by commas
 *     needs     names of need.def, separated by commas, some with ':' and a number
 * role, loop, and space where there are arrays, must be there. Entry names are opaque.
 *
 * Owner: the region table owns all of it. Thread-safety: pure functions. */
#ifndef PLACE_VERSION_H
#define PLACE_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "place/expr.h"
#include "place/route.h"

#ifdef __cplusplus
extern "C" {
#endif

enum place_role { PLACE_ROLE_BASE, PLACE_ROLE_PLAN, PLACE_ROLE_PROFILE, PLACE_ROLE_COUNT };

enum place_loop_form {
#define PLACE_LOOP_FORM(identifier, name, text, estimate) PLACE_LOOP_##identifier,
#include "place/loop.def"
#undef PLACE_LOOP_FORM
  PLACE_LOOP_COUNT
};

/* How models come to the time of a version that is nothing but its loop form (loop.def). */
enum place_loop_estimate { PLACE_ESTIMATE_BY_NONE, PLACE_ESTIMATE_BY_CHUNKS };

enum place_need_kind {
#define PLACE_NEED(identifier, name, numbered) PLACE_NEED_##identifier,
#include "place/need.def"
#undef PLACE_NEED
  PLACE_NEED_COUNT
};

struct place_need {
  enum place_need_kind kind;
  unsigned value; /* 0 where the kind takes none */
};

enum { PLACE_MAX_DIMS = 3 };

struct place_block {
  unsigned dims;                    /* 0: no blocks */
  unsigned threads[PLACE_MAX_DIMS]; /* of a team along the dimension, outermost first */
  unsigned each[PLACE_MAX_DIMS];    /* iterations of a thread along it */
  bool adjacent[PLACE_MAX_DIMS];    /* they follow each other; else they lie `threads` apart */
  unsigned strip;                   /* iterations of the sequential loop staged at a time; 0: none */
  bool pipelined, turned, wide;
  unsigned alike;                   /* threads to an iteration: the first carries it out, the others fetch tiles with it */
  unsigned lanes;                   /* how many dimensions out of the last one neighbouring threads lie */
};

struct place_version {
  char *entry;
  char *kernel;     /* entry of the version whose code it shares, one of the region that has its own; or NULL: it has its own */
  enum place_role role;
  enum place_loop_form loop;
  int8_t *space;    /* [array_count] enum place_space; -1: any, or not placeable */
  uint8_t *route;   /* [array_count] enum place_route of loads of what is in global memory, or NULL: as the spaces say */
  uint8_t *texel;   /* [array_count] bytes of a texel of what it may fetch from a texture, 0 of other arrays; or NULL: of none */
  place_expr *pitch; /* [array_count] bytes of a row of what it may fetch from a texture of two dimensions, PLACE_EXPR_NONE of other
                        arrays; or NULL: of none */
  place_expr *ahead; /* [array_count] bytes from the kernel's argument on of which it may read more than the program does, PLACE_EXPR_NONE
                        of other arrays; or NULL: of none */
  unsigned threads; /* of a team, what it must be launched with; 0: as the original */
  unsigned each;    /* iterations for each thread, 0: as many teams as the original, or as `teams` says */
  unsigned brief;   /* an iteration is soon over: bytes that it accesses; 0: it may not be */
  bool even;        /* warps of all teams share few iterations */
  unsigned rows;    /* iterations for each team, 0: likewise */
  unsigned fill;    /* threads of a multiprocessor, 0: as many teams as the original, or as `each`, `rows` or `teams` says */
  place_expr teams; /* how many have work, or PLACE_EXPR_NONE */
  unsigned slice;   /* iterations of a team, if it can be launched in slices; 0: it cannot */
  unsigned origin;  /* iterations of the outermost loop that blocks of a slice may begin later, or a multiple; 0: none */
  struct place_block block;
  unsigned extent_count; /* block.dims, or 0: not known */
  place_expr extent[PLACE_MAX_DIMS];
  bool *tiled; /* [array_count] whether tiles of it go through shared memory, or NULL: of none */
  struct place_need *needs;
  size_t need_count;
};

struct place_region;

/* "base", ...; "?" for a value out of range. Static storage; and back: -1 if there is none of that name. */
const char *place_role_name(enum place_role role);
const char *place_loop_name(enum place_loop_form form);
const char *place_loop_text(enum place_loop_form form);
enum place_loop_estimate place_loop_estimate(enum place_loop_form form); /* PLACE_ESTIMATE_BY_NONE for a value out of range */
const char *place_need_name(enum place_need_kind kind);
bool place_need_is_numbered(enum place_need_kind kind);
int place_role_parse(const char *name, size_t length);
int place_loop_parse(const char *name, size_t length);
int place_need_parse(const char *name, size_t length);

/* The words behind a kernel's own parameters in a version (abi.h). */
unsigned place_version_words(const struct place_region *region, const struct place_version *version);

bool place_version_needs(const struct place_version *version, enum place_need_kind kind);

/* Whether it leaves open where arrays are; whether it has some array elsewhere than in global memory. */
bool place_version_is_open(const struct place_region *region, const struct place_version *version);
bool place_version_moves(const struct place_region *region, const struct place_version *version);

/* What nothing but its spaces tells from others of its loop form: a plan that the models of spaces judge. */
bool place_version_is_placement(const struct place_region *region, const struct place_version *version);

/* Differs from the original in how it carries out iterations, and leaves every array where it is, without blocks. */
bool place_version_is_plain(const struct place_region *region, const struct place_version *version);

/* Whether it can have the spaces, by placeable index; and its own, PLACE_GLOBAL where they are open. */
bool place_version_has_spaces(const struct place_region *region, const struct place_version *version, const uint8_t *space);
void place_version_spaces(const struct place_region *region, const struct place_version *version, uint8_t *space);

/* The version of the region that would be launched for the spaces alone: the first placement that has them, else the first that
 * leaves them open, else -1. */
int place_version_find(const struct place_region *region, const uint8_t *space);

/* How its loads of an array get at global memory: PLACE_ROUTE_DEFAULT where its record does not say. */
enum place_route place_version_route(const struct place_version *version, size_t array);

/* The version whose code it is launched with, often itself; NULL: `kernel` names none of the region's that has its own. */
const struct place_version *place_version_code(const struct place_region *region, const struct place_version *version);

/* The version that it differs from by nothing but routes: an earlier one, or itself. */
size_t place_version_host(const struct place_region *region, size_t version);

/* Iterations of a block along a dimension. */
unsigned place_block_extent(const struct place_block *block, unsigned dim);

/* The shape of a version's blocks in short: "64x64t256k16p": iterations of a block, t: threads of a team, k: strip, p: pipelined,
 * c: columns through tiles, a: a thread's iterations along the last dimension follow each other. "" without blocks. As snprintf. */
size_t place_version_shape(const struct place_version *version, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
