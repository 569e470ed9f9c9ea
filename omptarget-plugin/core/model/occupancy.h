/* How many teams and warps of a launch an SM holds. Internal.
 *
 * Teams: where the program leaves their number open and does not reduce over them, a plan that stages copies chooses it.
 * If shared memory is what limits the teams on an SM (OCCUPANCY_FEW_TEAMS or fewer), exactly those that fit; else registers
 * may, which nobody knows here, and many short teams fill the last round best (measured: 3 to 8% between 2,112 and
 * 6,336): OCCUPANCY_MANY_TEAMS an SM if each still has enough iterations to pay for its copy, else libomptarget's number. */
#ifndef PLACE_CORE_OCCUPANCY_H
#define PLACE_CORE_OCCUPANCY_H

#include "launch_shape.h"

enum {
  OCCUPANCY_REGISTERS = 32, /* of a thread: what full occupancy leaves on recent GPUs */
  OCCUPANCY_FEW_TEAMS = 7,
  OCCUPANCY_MANY_TEAMS = 48
};

struct occupancy {
  double teams, resident, waves, busiest; /* launched; on an SM at a time; rounds of them; of all on the busiest SM */
  double warps;                           /* active on an SM */
};

/* Teams to launch when that many bytes of a team's shared memory hold copies; 0: the program's own number. */
uint32_t occupancy_staged_teams(const struct place_region *region, const struct place_launch *launch,
                                const struct place_machine *machine, uint64_t staged_bytes);

/* Teams that an SM holds at a time with that many staged bytes each, at least 1. */
unsigned occupancy_resident(const struct place_region *region, const struct place_launch *launch,
                            const struct place_machine *machine, uint64_t staged_bytes);

struct occupancy occupancy_of(const struct place_region *region, const struct place_launch *launch,
                              const struct place_machine *machine, uint64_t staged_bytes);

/* The busiest SM's part of the launch, as a factor on the mean part: uneven teams. */
double occupancy_unevenness(const struct place_machine *machine, const struct occupancy *o);

#endif
