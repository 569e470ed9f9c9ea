/* How a load of global memory gets at it: what route.def lists.
 *
 * Nothing but equality is to be read from the values: what a route does is asked of its properties. A route that some space stands for
 * (readonly: nc) is chosen by its space; the others belong to versions (version.h), array by array.
 * Thread-safety: constants and pure functions only. */
#ifndef PLACE_ROUTE_H
#define PLACE_ROUTE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum place_route {
#define PLACE_ROUTE(identifier, name, operator_, sm, ptx, l1, prefetch, written) PLACE_ROUTE_##identifier,
#include "place/route.def"
#undef PLACE_ROUTE
  PLACE_ROUTE_COUNT
};

/* What becomes of a line that a load brings into L1. */
enum place_l1 {
  PLACE_L1_KEEPS,  /* it is held as others are */
  PLACE_L1_YIELDS, /* it is the first to make room */
  PLACE_L1_STAYS,  /* it is the last to make room */
  PLACE_L1_PASSES  /* it is not held: the load goes to L2 */
};

enum { PLACE_ROUTE_NEVER = 1 << 30 };

struct place_route_properties {
  const char *name;         /* static storage, like `instruction` */
  const char *instruction;  /* what follows `ld.global` in PTX */
  unsigned least_sm, least_ptx;
  enum place_l1 l1;
  unsigned prefetch_bytes;
  unsigned written_sm; /* PLACE_ROUTE_NEVER: for no array that the launch writes */
};

/* By route. */
extern const struct place_route_properties place_routes[PLACE_ROUTE_COUNT];

/* Its name; "?" for a value out of range. Static storage. And back: the route, or -1. */
const char *place_route_name(enum place_route route);
int place_route_parse(const char *name, unsigned long length);

/* Whether a version can give it to an array: it is not the plain load, and no space stands for it. */
bool place_route_is_choice(enum place_route route);

/* Whether code for such a GPU and version of PTX can have it, for an array that the launch writes, or only reads. 0: not known. */
bool place_route_exists(enum place_route route, unsigned sm, unsigned ptx, bool written);

#ifdef __cplusplus
}
#endif
#endif
