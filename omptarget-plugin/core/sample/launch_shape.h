/* The shape of a launch and the range of every symbol at it. Internal.
 *
 * Kernels of a `target teams distribute parallel for` walk the iteration space with an outer loop of step
 * threads * teams. Where the program leaves the number of teams open, libomptarget 19 launches one team for each
 * `threads` iterations, and 3,200 at most. */
#ifndef PLACE_CORE_LAUNCH_SHAPE_H
#define PLACE_CORE_LAUNCH_SHAPE_H

#include "place/plan.h"

enum { SHAPE_DEFAULT_THREADS = 128, SHAPE_DEFAULT_TEAMS = 3200, SHAPE_WARP = 32, SHAPE_LEAST_THREADS = 32 };

/* Threads of a team: the launch's, else as compiled, else libomptarget's default. */
uint32_t shape_threads(const struct place_region *region, const struct place_launch *launch);
/* Teams that run when no plan says otherwise. */
uint32_t shape_default_teams(const struct place_region *region, const struct place_launch *launch);
uint32_t shape_warps_per_team(const struct place_region *region, const struct place_launch *launch);

/* Threads and teams of a launch that asks for neither, as libomptarget 19 chooses them: where the iterations do not fill
 * SHAPE_DEFAULT_TEAMS teams, teams get fewer threads (a power of two, SHAPE_LEAST_THREADS at least). Special and block
 * versions, which are made for a number of threads, ask for it. */
void shape_unasked(const struct place_region *region, const struct place_launch *launch, uint32_t *threads, uint32_t *teams);

/* Fills a box that holds every point of the launch, whatever the number of teams turns out to be. loop: room for
 * region->loop_count ranges, which the box refers to. */
void shape_box(const struct place_table *table, const struct place_region *region, const struct place_launch *launch,
               struct place_range *loop, struct place_box *box);

#endif
