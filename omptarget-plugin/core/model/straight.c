#include "straight.h"

#include <math.h>

#include "occupancy.h"
#include "rates.h"

static const double without_barriers = 0.93; /* of the original's time; the mean of 13 kernels is 0.944 */
static const double entering_ns = 1500;      /* more than the original: parameters, timer */

/* Warps on an SM that carry out iterations, all chunks of `chunk` iterations dealt out to teams of so many threads. */
static double working_warps(const struct model_input *in, uint64_t chunk, uint64_t threads) {
  uint64_t trips = in->launch->trip_count, last = trips < chunk ? trips : chunk;
  uint64_t each = ((last < threads ? last : threads) + SHAPE_WARP - 1) / SHAPE_WARP;
  double chunks = ceil((double)trips / (double)chunk), most = occupancy_resident(in->region, in->launch, in->machine, 0) *
                  (double)shape_warps_per_team(in->region, in->launch);
  return fmin(chunks * (double)each / rates_sm_count(in->machine), most);
}

/* Whether a store in a loop of an iteration goes where data says. */
static bool scatters(const struct model_input *in, size_t access) {
  const struct walk_access *a = &in->walk->access[access];
  double each = a->executions * in->walk->total_warps * SHAPE_WARP / (double)in->launch->trip_count;
  return in->region->accesses[access].kind != PLACE_READ && (a->logged || a->assumed) && each > 1.5;
}

static bool begins_too_much(const struct model_input *in) {
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  double bytes = 0;
  if (chain.count < 2) return false;
  for (size_t i = 0; i < in->region->array_count; i++) {
    bool scattered = false;
    for (size_t k = 0; k < in->region->access_count; k++)
      scattered |= in->region->accesses[k].array == (int)i && scatters(in, k);
    if (scattered) bytes += in->candidates[i].window.known ? (double)in->candidates[i].window.bytes : INFINITY;
  }
  return bytes > (double)msl_capacity_bytes(chain.level[chain.count - 2]);
}

/* Whether nothing but the distribution over teams and threads goes round. */
static bool has_loops(const struct place_region *region) {
  for (size_t i = 0; i < region->loop_count; i++) {
    int parent = region->loops[i].parent;
    if (parent >= 0 && region->loops[parent].parent >= 0) return true;
  }
  return false;
}

static double barriers_ratio(double launch_ns) {
  return launch_ns > 0 ? fmin(1, without_barriers + entering_ns / launch_ns) : 1;
}

double straight_ratio(const struct model_input *in, double launch_ns) {
  const struct place_region *region = in->region;
  uint32_t threads, teams;
  if (!region->threads || region->reduction || region->teams != PLACE_TEAMS_OPEN || !in->launch->trip_count) return 1;
  shape_unasked(region, in->launch, &threads, &teams);
  if (threads >= region->threads) return has_loops(region) ? 1 : barriers_ratio(launch_ns);
  double ratio = working_warps(in, region->threads, threads) / working_warps(in, region->threads, region->threads);
  return begins_too_much(in) ? 1 / ratio : ratio;
}

int straight_estimate(const struct model_input *in, const struct place_version *version, const struct model_base *base,
                      struct place_estimate *out, struct place_diag *diag) {
  *out = (struct place_estimate){PLACE_ESTIMATE_NONE, 0, "no model knows its loop"};
  if (place_loop_estimate(version->loop) != PLACE_ESTIMATE_BY_CHUNKS) return 0;
  double ns = base->cost * straight_ratio(in, base->launch_ns);
  if (!(isfinite(ns) && ns > 0))
    return place_diag_set(diag, "%s: the prediction of version %s is no number (%g ns)", in->region->entry, version->entry, ns);
  *out = (struct place_estimate){PLACE_ESTIMATE_KNOWN, ns, NULL};
  return 0;
}
