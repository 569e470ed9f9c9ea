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

/* Of the array itself; of textures only where some array may be in one. */
static bool is_by_caches(const struct model_input *in, enum place_space space) {
  bool wanted = place_space_home(space) == PLACE_HOME_GLOBAL;
  for (size_t a = 0; a < in->region->array_count; a++) wanted |= in->candidates[a].spaces >> space & 1;
  return wanted && !place_space_is_copy(space);
}

unsigned hits_caches(const struct model_input *in, struct hits_cache *caches) {
  unsigned count = 0, fixed = 0;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (!is_by_caches(in, (enum place_space)s)) continue;
    struct chain chain = traits_chain(in->machine, (enum place_space)s);
    for (unsigned j = 0; j + 1 < chain.count; j++) note_cache(caches, &count, &chain, j, s);
  }
  for (size_t a = 0; a < in->region->array_count; a++) fixed += in->region->arrays[a].placeable < 0;
  for (unsigned i = 0; i < count; i++) caches[i].fixed = caches[i].spaces & PLACE_SPACE_BIT(PLACE_GLOBAL) ? fixed : 0;
  return count;
}

/* ---- as a table of the problem ---- */

/* An access in a space, and where its costs go: an entry in a class's part of the table. */
struct user {
  size_t access;
  enum place_space space;
  size_t to;
  size_t alike; /* the entry of the first that costs the same */
  double ns[2]; /* at the number of users that is looked at */
};

/* users: room for an entry for each space of an access; first: [access_count] of each access. Returns how many. */
static size_t list_users(const struct model_input *in, const struct hits_cache *cache, const struct solve_problem *problem,
                         struct user *users, size_t (*first)[PLACE_SPACE_COUNT]) {
  size_t count = 0;
  for (size_t i = 0; i < in->region->access_count; i++) {
    size_t array = (size_t)in->region->accesses[i].array, alike = in->traits->access[i].alike;
    int placeable = in->region->arrays[array].placeable;
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
      bool may = placeable < 0 ? s == PLACE_GLOBAL : in->candidates[array].spaces >> s & 1;
      if (!may || !(cache->spaces >> s & 1)) continue;
      size_t row = placeable < 0 ? problem->arrays : (unsigned)placeable;
      if (alike == i) first[i][s] = count;
      users[count++] = (struct user){i, (enum place_space)s, (row * problem->spaces + s) * 2, first[alike][s], {0, 0}};
    }
  }
  return count;
}

/* The costs of all arrays at one number of users of the cache, to a class's part of the table. */
static void fill_class(const struct model_input *in, const struct hits_cache *cache, unsigned sharing, hits_price *price,
                       struct user *users, size_t count, double *class) {
  for (size_t i = 0; i < count; i++) {
    struct user *u = &users[i], *as = &users[u->alike];
    if (as == u) price(in, cache, u->access, u->space, sharing, u->ns);
    class[u->to] += as->ns[0];
    class[u->to + 1] += as->ns[1];
  }
}

static int fill_classes(const struct model_input *in, const struct hits_cache *cache, hits_price *price,
                        const struct solve_problem *problem, struct solve_share *share) {
  size_t row = (problem->arrays + 1) * problem->spaces * 2, n = in->region->access_count;
  struct user *users = malloc((PLACE_SPACE_COUNT * n + 1) * sizeof *users);
  size_t(*first)[PLACE_SPACE_COUNT] = malloc((n + 1) * sizeof *first);
  size_t count = users && first ? list_users(in, cache, problem, users, first) : 0;
  for (unsigned placed = 0; users && first && placed <= problem->arrays; placed++) {
    double *mine = share->ns + share->class_count * row;
    memset(mine, 0, row * sizeof *mine);
    fill_class(in, cache, cache->fixed + placed, price, users, count, mine);
    bool same = share->class_count > 0 && memcmp(mine - row, mine, row * sizeof *mine) == 0;
    share->class_count += !same;
    share->most[share->class_count - 1] = cache->fixed + placed;
  }
  int rc = users && first ? 0 : -1;
  free(users);
  free(first);
  return rc;
}

/* The same as in a problem before, whose shares are of the same caches in the same order. */
static void copy_classes(const struct solve_problem *from, const struct solve_problem *problem, struct solve_share *share) {
  const struct solve_share *before = &from->share[problem->shares];
  share->class_count = before->class_count;
  memcpy(share->most, before->most, sizeof share->most);
  memcpy(share->ns, before->ns, before->class_count * (problem->arrays + 1) * problem->spaces * 2 * sizeof *share->ns);
}

int hits_share(const struct model_input *in, const struct hits_cache *cache, const uint8_t path[PLACE_SPACE_COUNT][2],
               hits_price *price, struct solve_problem *problem) {
  struct solve_share *share = &problem->share[problem->shares];
  size_t row = (problem->arrays + 1) * problem->spaces * 2;
  *share = (struct solve_share){.spaces = cache->spaces, .fixed = cache->fixed};
  share->ns = malloc((problem->arrays + 1) * row * sizeof *share->ns);
  if (!share->ns) return -1;
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) memcpy(share->path[s], path[s], sizeof share->path[s]);
  if (in->stated) copy_classes(in->stated, problem, share);
  else if (fill_classes(in, cache, price, problem, share)) return problem->shares++, -1;
  problem->shares++;
  return 0;
}
