#include "routes.h"

#include "versions.h"

struct fit {
  unsigned wanted, unasked; /* arrays that `all@` is right for; that have a route for nothing */
};

/* false: an array that is named has another route. */
static bool fits(const struct place_region *r, const struct place_version *version, const struct force_choice *force, struct fit *fit) {
  *fit = (struct fit){0, 0};
  for (size_t a = 0; a < r->array_count; a++) {
    int asked = a < FORCE_ARRAYS ? force->route[a] : -1, route = (int)place_version_route(version, a);
    if (asked >= 0 && asked != route) return false;
    if (asked >= 0) continue;
    fit->wanted += route == force->all_route;
    fit->unasked += route != PLACE_ROUTE_DEFAULT && route != force->all_route;
  }
  return true;
}

static bool is_version(const struct rt_region *region, int v, const uint8_t *space, const struct force_choice *force) {
  const struct place_version *version = &region->region->versions[v];
  bool form = force->version == FORCE_ANY || (force->version == FORCE_LOOP && version->loop == force->loop);
  return form && version->role == PLACE_ROLE_PLAN && versions_is_launchable(region, v) && !place_version_is_open(region->region, version) &&
         place_version_has_spaces(region->region, version, space);
}

int routes_version(const struct rt_region *region, const enum place_space *spaces, const struct force_choice *force) {
  struct fit best = {0, 0}, fit;
  uint8_t space[PLACE_MAX_PLACEABLE];
  int found = -1;
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) space[i] = (uint8_t)spaces[i];
  for (int v = 0; v < (int)region->region->version_count; v++) {
    if (!is_version(region, v, space, force) || !fits(region->region, &region->region->versions[v], force, &fit)) continue;
    bool better = fit.wanted > best.wanted || (fit.wanted == best.wanted && fit.unasked < best.unasked);
    if (found < 0 || better) found = v, best = fit;
  }
  return found >= 0 && force->all_route > PLACE_ROUTE_DEFAULT && !best.wanted ? -1 : found;
}
