/* Cache hits with shared caches. */
#include "hits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "occupancy.h"
#include "rates.h"

double hits_missed(const struct model_input *in, const struct place_memory *cache, size_t array, double accesses,
                   unsigned users) {
  const struct candidate *c = &in->candidates[array];
  double portion = (double)msl_capacity_bytes(cache) / (users ? users : 1);
  bool one = cache->share_scope.state == MSL_GIVEN && cache->share_scope.value == MSL_DIE;
  double pieces = one ? 1 : rates_sm_count(in->machine);
  double line = (double)traits_line_bytes(cache);
  if (portion <= 0) return 1;
  if (c->window.known && (double)c->window.bytes <= portion)
    return accesses > 0 ? fmin(1, (double)c->window.bytes / line * pieces / accesses) : 0;
  double sms = pieces > 1 ? 1 : rates_sm_count(in->machine);
  return 1 - reuse_hit_ratio(&in->traits->array[array].reuse, portion / line / in->warps / sms);
}

static void note_cache(struct hits_cache *caches, unsigned *count, const struct chain *chain, unsigned level, unsigned space) {
  unsigned i = 0;
  while (i < *count && caches[i].memory != chain->level[level]) i++;
  if (i == SOLVE_MAX_SHARES) return;
  if (i == *count) caches[(*count)++] = (struct hits_cache){.memory = chain->level[level]};
  caches[i].spaces |= PLACE_SPACE_BIT(space);
  caches[i].level[space] = level;
}

unsigned hits_caches(const struct model_input *in, struct hits_cache *caches) {
  unsigned count = 0, fixed = 0;
  for (unsigned s = PLACE_GLOBAL; s <= PLACE_READONLY; s++) {
    struct chain chain = traits_chain(in->machine, (enum place_space)s);
    for (unsigned j = 0; j + 1 < chain.count; j++) note_cache(caches, &count, &chain, j, s);
  }
  for (size_t a = 0; a < in->region->array_count; a++) fixed += in->region->arrays[a].placeable < 0;
  for (unsigned i = 0; i < count; i++) caches[i].fixed = caches[i].spaces & PLACE_SPACE_BIT(PLACE_GLOBAL) ? fixed : 0;
  return count;
}

/* ---- as a table of the problem ---- */

/* The costs of all arrays at one number of users. */
static void fill_class(const struct model_input *in, const struct hits_cache *cache, unsigned class, unsigned users,
                       hits_price *price, const struct solve_problem *problem, struct solve_share *share) {
  double *row = solve_share_ns(problem, share, class, 0, 0);
  memset(row, 0, (problem->arrays + 1) * problem->spaces * 2 * sizeof *row);
  for (size_t i = 0; i < in->region->access_count; i++) {
    size_t array = (size_t)in->region->accesses[i].array;
    int placeable = in->region->arrays[array].placeable;
    for (unsigned s = PLACE_GLOBAL; s <= PLACE_READONLY; s++) {
      double ns[2] = {0, 0};
      bool may = placeable < 0 ? s == PLACE_GLOBAL : in->candidates[array].spaces >> s & 1;
      if (!may || !(cache->spaces >> s & 1)) continue;
      price(in, cache, i, (enum place_space)s, users, ns);
      double *to = solve_share_ns(problem, share, class, placeable < 0 ? problem->arrays : (unsigned)placeable, s);
      to[0] += ns[0];
      to[1] += ns[1];
    }
  }
}

int hits_share(const struct model_input *in, const struct hits_cache *cache, const uint8_t path[PLACE_SPACE_COUNT][2],
               hits_price *price, struct solve_problem *problem) {
  struct solve_share *share = &problem->share[problem->shares];
  size_t row = (problem->arrays + 1) * problem->spaces * 2;
  *share = (struct solve_share){.spaces = cache->spaces, .fixed = cache->fixed};
  share->ns = malloc((problem->arrays + 1) * row * sizeof *share->ns);
  if (!share->ns) return -1;
  problem->shares++;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) memcpy(share->path[s], path[s], sizeof share->path[s]);
  for (unsigned placed = 0; placed <= problem->arrays; placed++) {
    unsigned class = share->class_count, users = cache->fixed + placed;
    fill_class(in, cache, class, users, price, problem, share);
    double *mine = share->ns + class * row;
    bool same = class > 0 && memcmp(mine - row, mine, row * sizeof *mine) == 0;
    share->most[same ? class - 1 : class] = users;
    share->class_count += !same;
  }
  return 0;
}
