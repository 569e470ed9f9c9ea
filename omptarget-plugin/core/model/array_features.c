/* Features of arrays. */
#include "array_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "occupancy.h"
#include "rates.h"

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE(identifier) #identifier,
#include "array_features.def"
#undef FEATURE
};

struct sums { /* of an array, or of the launch; warp accesses of an SM, those of a launch's loads and stores */
  double loads, stores, transactions, distinct, conflicts, bytes;
};

static void add_access(const struct model_input *in, size_t access, struct sums *s) {
  const struct place_access *a = &in->region->accesses[access];
  const struct access_traits *t = &in->traits->access[access];
  double n = t->executions / rates_sm_count(in->machine);
  if (a->kind != PLACE_READ) {
    s->stores += n;
    return;
  }
  s->loads += n;
  s->transactions += n * t->transactions[PLACE_GLOBAL][0];
  s->distinct += n * t->distinct;
  s->conflicts += n * t->transactions[PLACE_SHARED][0];
  s->bytes += n * SHAPE_WARP * a->width_bytes;
}

static double log2_over(double part, double whole) {
  return part > 0 && whole > 0 ? log2(part / whole) : FEATURES_UNKNOWN;
}

/* Time of the launch's accesses at the nearest level of global memory, and the loads' waiting, ns of an SM. */
static void add_times(const struct model_input *in, size_t access, double *busy, double *waiting) {
  const struct chain *chain = &in->traits->chain[PLACE_GLOBAL];
  const struct access_traits *t = &in->traits->access[access];
  double n = t->executions / rates_sm_count(in->machine);
  if (!chain->count) return;
  *busy += n * rates_level_ns(in->machine, chain, 0, t->transactions[PLACE_GLOBAL][0]);
  if (in->region->accesses[access].kind == PLACE_READ)
    *waiting += n * rates_latency_ns(in->machine, chain->level[0]) / model_place_in_flight(in, access) / fmax(1, in->warps);
}

static void of_launch(const struct model_input *in, const struct sums *all, double *row) {
  struct occupancy o = occupancy_of(in->region, in->launch, in->machine, 0);
  const struct msl_count *most = &in->machine->warps_per_sm;
  double busy = 0, waiting = 0, accesses = all->loads + all->stores;
  for (size_t i = 0; i < in->region->access_count; i++) add_times(in, i, &busy, &waiting);
  row[FEATURE_active_warps] = o.warps;
  row[FEATURE_occupancy] = most->state == MSL_GIVEN && most->value ? o.warps / (double)most->value / occupancy_unevenness(in->machine, &o) : 1;
  row[FEATURE_stall_dependency] = busy + waiting > 0 ? waiting / (busy + waiting) : 0;
  row[FEATURE_ldst_executed] = log2(1 + accesses);
  row[FEATURE_share_of_stores] = accesses > 0 ? all->stores / accesses : 0;
}

/* What is left of the active warps when the array has a copy in shared memory. */
static double left_warps(const struct model_input *in, const struct place_extent *window, double warps) {
  if (!window->known || !window->bytes) return 0;
  uint64_t slot = candidates_shared_slot(window->bytes);
  if (slot > candidates_shared_capacity(in->machine, in->launch)) return 0;
  return occupancy_of(in->region, in->launch, in->machine, slot).warps / fmax(1, warps);
}

static double nearest_bytes(const struct chain *chain) {
  return chain->count ? (double)msl_capacity_bytes(chain->level[0]) : 0;
}

static void of_array(const struct model_input *in, size_t array, const struct sums *own, const struct sums *all, double *row) {
  const struct place_extent *window = &in->candidates[array].window;
  double accesses = all->loads + all->stores, bytes = window->known ? (double)window->bytes : 0;
  row[FEATURE_left_warps] = left_warps(in, window, row[FEATURE_active_warps]);
  row[FEATURE_gld_transactions] = own->loads > 0 ? own->transactions / own->loads : 0;
  row[FEATURE_distinct_words] = own->loads > 0 ? own->distinct / own->loads : 0;
  row[FEATURE_bank_conflicts] = own->loads > 0 ? own->conflicts / own->loads : 0;
  row[FEATURE_loads_executed] = log2(1 + in->traits->array[array].accesses_per_warp);
  row[FEATURE_share_of_ldst] = accesses > 0 ? (own->loads + own->stores) / accesses : 0;
  row[FEATURE_constant_fill] = log2_over(bytes, nearest_bytes(&in->traits->chain[PLACE_CONSTANT]));
  row[FEATURE_shared_fill] = log2_over(bytes, (double)candidates_shared_capacity(in->machine, in->launch));
  row[FEATURE_cache_fill] = log2_over(bytes, nearest_bytes(&in->traits->chain[PLACE_GLOBAL]));
  row[FEATURE_loads_per_byte] = own->bytes > 0 ? log2_over(own->bytes, bytes) : 0;
}

int features_find(const struct model_input *in, double (*out)[FEATURE_COUNT]) {
  struct sums all = {0}, *own = calloc(in->region->array_count + 1, sizeof *own);
  double launch[FEATURE_COUNT] = {0};
  if (!own) return -1;
  for (size_t i = 0; i < in->region->access_count; i++) {
    add_access(in, i, &own[in->region->accesses[i].array]);
    add_access(in, i, &all);
  }
  of_launch(in, &all, launch);
  for (size_t a = 0; a < in->region->array_count; a++) {
    memcpy(out[a], launch, sizeof launch);
    of_array(in, a, &own[a], &all, out[a]);
    for (unsigned f = 0; f < FEATURE_COUNT; f++)
      if (!isfinite(out[a][f])) out[a][f] = FEATURES_UNKNOWN;
  }
  free(own);
  return 0;
}
