#include "versions.h"

bool versions_is_launchable(const struct rt_region *region, int version) {
  bool exists = version >= 0 && (size_t)version < region->region->version_count;
  return exists && region->versions && region->versions[version].host_ptr;
}

int versions_of_role(const struct rt_region *region, enum place_role role) {
  for (int v = 0; v < (int)region->region->version_count; v++)
    if (region->region->versions[v].role == role && versions_is_launchable(region, v)) return v;
  return -1;
}

int versions_open(const struct rt_region *region) {
  const struct place_region *r = region->region;
  for (int v = 0; v < (int)r->version_count; v++) {
    bool plan = r->versions[v].role == PLACE_ROLE_PLAN && place_version_is_open(r, &r->versions[v]);
    if (plan && versions_is_launchable(region, v)) return v;
  }
  return -1;
}

int versions_plain(const struct rt_region *region) {
  for (int v = 0; v < (int)region->region->version_count; v++)
    if (place_version_is_plain(region->region, &region->region->versions[v]) && versions_is_launchable(region, v)) return v;
  return -1;
}

int versions_of_loop(const struct rt_region *region, enum place_loop_form loop, unsigned n) {
  const struct place_region *r = region->region;
  for (int v = 0; v < (int)r->version_count; v++) {
    bool plan = r->versions[v].role == PLACE_ROLE_PLAN && r->versions[v].loop == loop;
    if (plan && versions_is_launchable(region, v) && !--n) return v;
  }
  return -1;
}

bool versions_spreads_team(const struct rt_region *region, int version) {
  const struct place_version *v = &region->region->versions[version];
  for (size_t i = 0; v->fill && i < v->need_count; i++)
    if (v->needs[i].kind == PLACE_NEED_ONE_TEAM) return place_version_is_plain(region->region, v);
  return false;
}

bool versions_is_likely(const struct rt_region *region, int version) {
  return region->region->versions[version].brief || versions_spreads_team(region, version);
}

int versions_base(const struct rt_region *region) {
  int base = versions_of_role(region, PLACE_ROLE_BASE);
  return base >= 0 ? base : versions_plain(region);
}
