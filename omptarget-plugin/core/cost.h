/* The cost model: paper 000's path model (3.1.2), T = max over paths of sum over arrays and levels of N * T_level * alpha,
 * fed by a machine file, as a placement problem for the solvers. Internal.
 *
 * Unit of cost: nanoseconds of the launch, as one SM sees them (its share of the launch's warp accesses).
 *
 * One level's time per warp access, the first that the file gives: `transactions` curve (beyond its last point, a clock
 * for each further transaction); transaction time; bytes a clock;
 * bandwidth of the die; for a cache whose backing memory has a bandwidth, COST_CACHE_SPEEDUP times that; latency times
 * concurrency factor, as in the paper.
 * Paths overlap, but not perfectly: COST_OVERLAP_LOSS of what the slowest path hides counts too, so that a dear access
 * hidden behind a busier path is not taken for free (paper 000 has none of this).
 * Hits: an array that fits into its portion of a cache (equal portions for all arrays that use it) misses on first
 * touch only; otherwise the reuse histogram of a warp decides, at the warp's part of the portion.
 * Device memory: a regular array's bytes cross the bus once; those of an irregular array larger than its portion of the
 * last cache, as often as that portion does not hold them.
 * Constant memory: each distinct address is a transaction; their price grows with the bytes of all arrays there.
 * Occupancy (Little's law): COST_NEEDED_WARPS warps per SM keep a memory busy, COST_NEEDED_WARPS_SHARED shared memory
 * with its shorter latency. With fewer, everything takes proportionally longer.
 * Teams: where the program leaves their number open and does not reduce over them, a plan that stages copies launches as
 * many as the GPU holds at a time; each copies its windows at entry.
 * Not modelled: instruction issue, the L1 capacity that staged copies take away, refreshing constants (it happens when
 * they change, not at every launch). */
#ifndef PLACE_CORE_COST_H
#define PLACE_CORE_COST_H

#include "candidates.h"
#include "solve.h"
#include "traits.h"

enum {
  COST_NEEDED_WARPS = 16,
  COST_NEEDED_WARPS_SHARED = 8,
  COST_DEFAULT_SMS = 64,
  COST_REGISTERS = 32,  /* of a thread: what full occupancy leaves on recent GPUs */
  COST_COPY_BYTES = 16, /* of a thread's copying loop in flight: four loads of four bytes */
  COST_COPY_CLK = 600   /* entering a staged kernel: first load and barrier */
};
#define COST_CACHE_SPEEDUP 1.5
#define COST_OVERLAP_LOSS 0.1
#define COST_READONLY 1.001 /* the read-only path is preferred only where it gains something */

/* Everything that ranking a launch needs to know. */
struct cost_input {
  const struct place_region *region;
  const struct place_launch *launch;
  const struct place_machine *machine;
  const struct candidate *candidates; /* [array_count] */
  const struct walk *walk;
  const struct traits *traits;
};

/* Teams to launch when that many bytes of a team's shared memory hold copies; 0: the program's own number. */
uint32_t cost_staged_teams(const struct place_region *region, const struct place_launch *launch,
                           const struct place_machine *machine, uint64_t staged_bytes);

/* The problem whose array a is the region's array of placeable index a and whose spaces are those of space.h. */
void cost_problem(const struct cost_input *in, struct solve_problem *problem);

#endif
