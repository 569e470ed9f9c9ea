/* The list of routes, and what is looked up in it. */
#include "place/route.h"

#include <string.h>

#include "place/space.h"

enum { NEVER = PLACE_ROUTE_NEVER };

const struct place_route_properties place_routes[PLACE_ROUTE_COUNT] = {
#define PLACE_ROUTE(identifier, name, instruction, sm, ptx, l1, prefetch, written) \
  {name, instruction, sm, ptx, PLACE_L1_##l1, prefetch, written},
#include "place/route.def"
#undef PLACE_ROUTE
};

const char *place_route_name(enum place_route route) {
  return (unsigned)route < PLACE_ROUTE_COUNT ? place_routes[route].name : "?";
}

int place_route_parse(const char *name, unsigned long length) {
  for (int r = 0; r < PLACE_ROUTE_COUNT; r++)
    if (strlen(place_routes[r].name) == length && !memcmp(place_routes[r].name, name, length)) return r;
  return -1;
}

bool place_route_is_choice(enum place_route route) {
  for (int s = 0; s < PLACE_SPACE_COUNT; s++)
    if (place_spaces[s].route == route) return false;
  return (unsigned)route < PLACE_ROUTE_COUNT;
}

bool place_route_exists(enum place_route route, unsigned sm, unsigned ptx, bool written) {
  const struct place_route_properties *r = &place_routes[route];
  return sm >= r->least_sm && ptx >= r->least_ptx && (!written || sm >= r->written_sm);
}
