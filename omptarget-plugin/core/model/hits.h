/* Which accesses the caches serve (paper 000, 3.1.1), for arrays that share them in equal portions. Internal.
 *
 * An array that fits into its portion misses on first touch only; otherwise the reuse histogram of a warp decides, at the
 * warp's part of the portion. */
#ifndef PLACE_CORE_HITS_H
#define PLACE_CORE_HITS_H

#include "model.h"

/* Share of an array's accesses (warp accesses of the whole launch, in transactions) that a cache misses when `users`
 * arrays share it. */
double hits_missed(const struct model_input *in, const struct place_memory *cache, size_t array, double accesses,
                   unsigned users);

/* A cache that arrays in some spaces go through: level level[s] of the chain of space s. */
struct hits_cache {
  const struct place_memory *memory;
  place_space_set spaces;
  unsigned level[PLACE_SPACE_COUNT];
  unsigned fixed; /* arrays that always use it: those that have no placement */
};

/* The caches of accesses to device memory itself, by whatever route; returns how many, at most SOLVE_MAX_SHARES. */
unsigned hits_caches(const struct model_input *in, struct hits_cache *caches);

/* Adds a shared cache to a problem, or takes it from in->stated: what an access of an array (index in the region) in a space
 * costs beyond cost_ns when `users` arrays share the cache: its time on two paths, the same for accesses that are alike
 * (traits.h). Neighbouring numbers of users that cost the same become one class. 0, or -1 when out of memory. */
typedef void hits_price(const struct model_input *in, const struct hits_cache *cache, size_t access, enum place_space space,
                        unsigned users, double ns[2]);
int hits_share(const struct model_input *in, const struct hits_cache *cache, const uint8_t path[PLACE_SPACE_COUNT][2],
               hits_price *price, struct solve_problem *problem);

#endif
