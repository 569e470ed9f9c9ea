/* Teams and warps on an SM. */
#include "occupancy.h"

#include <math.h>

#include "rates.h"

unsigned occupancy_resident(const struct place_region *region, const struct place_launch *launch,
                            const struct place_machine *machine, uint64_t staged_bytes) {
  unsigned teams = msl_teams_per_sm(machine, shape_threads(region, launch), OCCUPANCY_REGISTERS,
                                    launch->dynamic_shared_bytes + staged_bytes);
  return teams ? teams : 1;
}

uint32_t occupancy_staged_teams(const struct place_region *region, const struct place_launch *launch,
                                const struct place_machine *machine, uint64_t staged_bytes) {
  if (!staged_bytes || region->teams != PLACE_TEAMS_OPEN || region->reduction || launch->teams) return 0;
  uint32_t threads = shape_threads(region, launch), resident = occupancy_resident(region, launch, machine, staged_bytes);
  uint64_t chunks = launch->trip_count ? (launch->trip_count - 1) / threads + 1 : UINT32_MAX; /* of one round of a team */
  double sms = rates_sm_count(machine), wanted = sms * resident, many = sms * OCCUPANCY_MANY_TEAMS;
  if (resident > OCCUPANCY_FEW_TEAMS) {
    bool pays = (double)chunks >= many * (1 + (double)staged_bytes / (8.0 * threads)); /* half of a copy's loads */
    wanted = fmax(wanted, pays ? many : SHAPE_DEFAULT_TEAMS);
  }
  return (double)chunks < wanted ? (uint32_t)chunks : (uint32_t)wanted;
}

struct occupancy occupancy_of(const struct place_region *region, const struct place_launch *launch,
                              const struct place_machine *machine, uint64_t staged_bytes) {
  uint32_t teams = occupancy_staged_teams(region, launch, machine, staged_bytes);
  struct occupancy o = {.teams = teams ? teams : shape_default_teams(region, launch)};
  double sms = rates_sm_count(machine), resident = occupancy_resident(region, launch, machine, staged_bytes);
  o.busiest = o.teams > sms * resident ? o.teams / sms : ceil(o.teams / sms);
  o.resident = fmin(resident, o.busiest);
  o.waves = ceil(o.busiest / resident);
  o.warps = o.resident * shape_warps_per_team(region, launch);
  return o;
}

double occupancy_unevenness(const struct place_machine *machine, const struct occupancy *o) {
  return o->busiest * rates_sm_count(machine) / o->teams;
}
