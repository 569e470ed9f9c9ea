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
 * Two paths beside the memories' own, which no placement avoids:
 *   issue     a warp access comes with the instructions around it: COST_INSTRUCTIONS of them in a loop whose trip count
 *             is known (it gets unrolled), COST_INSTRUCTIONS_SERIAL for an iteration of one that ends on what it loads
 *   latency   a warp waits for its own accesses (Little's law): N * (latency + COST_CHAIN_CLK) / (accesses in flight *
 *             active warps). In flight: the reads of a loop's body, times COST_UNROLL if its trip count is known
 * Staged copies take warps away, so only the latency path feels them: a search in a table of 40 KiB in shared memory, with
 * 20 warps left, takes longer than through L1 with 64 (measured, H200: 5.0 ms against 3.6), a look-up with 16 independent
 * loads does not.
 * Teams: where the program leaves their number open and does not reduce over them, a plan that stages copies chooses it.
 * If shared memory is what limits the teams on an SM (COST_FEW_TEAMS or fewer), exactly those that fit; else registers
 * may, which nobody knows here, and many short teams fill the last round best (measured: 3 to 8% between 2,112 and
 * 6,336): COST_MANY_TEAMS an SM if each still has enough iterations to pay for its copy, else libomptarget's number.
 * Not modelled: instructions that are not about memory, registers, the L1 capacity that staged copies take away, refreshing constants (it happens when
 * they change, not at every launch). */
#ifndef PLACE_CORE_COST_H
#define PLACE_CORE_COST_H

#include "candidates.h"
#include "solve.h"
#include "traits.h"

enum {
  COST_INSTRUCTIONS = 2,
  COST_INSTRUCTIONS_SERIAL = 9,
  COST_ISSUE_PER_CLK = 4,
  COST_CHAIN_CLK = 50,            /* between an access and the next one that depends on it */
  COST_CHAIN_IRREGULAR_CLK = 100, /* the same where the loaded value decides the next address */
  COST_UNROLL = 4,
  COST_MOST_IN_FLIGHT = 8,
  COST_FEW_TEAMS = 7,
  COST_MANY_TEAMS = 48,
  COST_DEFAULT_SMS = 64,
  COST_REGISTERS = 32,  /* of a thread: what full occupancy leaves on recent GPUs */
  COST_COPY_BYTES = 16, /* of a thread's copying loop in flight: four loads of four bytes */
  COST_COPY_CLK = 600   /* entering a staged kernel: first load and barrier */
};
#define COST_CACHE_SPEEDUP 1.5
#define COST_OVERLAP_LOSS 0.2
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
