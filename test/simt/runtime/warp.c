// Operations of a warp: the lanes of the mask meet, then each gets its result. A lane that has ended counts as arrived.
// activemask has no mask: the lanes that stand at the same site when no other lane of the warp can run are the
// active ones, which is the greatest convergence that the program allows.
#include "team.h"

#include <stddef.h>

static uint64_t with_predicate(uint32_t value, bool predicate) { return value | (uint64_t)predicate << 32; }

static uint64_t shuffle(struct simt_team *team, uint32_t warp, uint32_t lane, uint32_t members) {
  const struct simt_warp_request *own = &simt_lane(team, warp, lane)->request;
  uint32_t segment = own->clamp >> 8 & 31, clamp = own->clamp & 31, delta = own->lane & 31;
  uint32_t low = lane & segment, high = low | (clamp & ~segment);
  int source = (int)lane;
  bool inside = false;
  switch ((enum simt_shuffle)own->mode) {
  case SIMT_SHUFFLE_UP:
    source = (int)lane - (int)delta;
    inside = source >= (int)high;
    break;
  case SIMT_SHUFFLE_DOWN:
    source = (int)(lane + delta);
    inside = source <= (int)high;
    break;
  case SIMT_SHUFFLE_BFLY:
    source = (int)(lane ^ delta);
    inside = source <= (int)high;
    break;
  case SIMT_SHUFFLE_IDX:
    source = (int)(low | (delta & ~segment));
    inside = source <= (int)high;
    break;
  }
  if (!inside)
    source = (int)lane;
  const struct simt_warp_request *from = own; // a lane outside of the mask gives no value: take the own one
  if (members >> source & 1)
    from = &simt_lane(team, warp, (uint32_t)source)->request;
  return with_predicate((uint32_t)from->value, inside);
}

static uint32_t lanes_that_match(struct simt_team *team, uint32_t warp, uint32_t members, uint64_t value) {
  uint32_t match = 0;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (members >> lane & 1 && simt_lane(team, warp, lane)->request.value == value)
      match |= 1u << lane;
  return match;
}

static uint64_t vote(struct simt_team *team, uint32_t warp, uint32_t lane, uint32_t members) {
  uint32_t yes = lanes_that_match(team, warp, members, 1);
  switch ((enum simt_vote)simt_lane(team, warp, lane)->request.mode) {
  case SIMT_VOTE_ALL:
    return yes == members;
  case SIMT_VOTE_ANY:
    return yes != 0;
  case SIMT_VOTE_UNI:
    return yes == members || yes == 0;
  case SIMT_VOTE_BALLOT:
    break;
  }
  return yes;
}

static uint64_t match(struct simt_team *team, uint32_t warp, uint32_t lane, uint32_t members) {
  const struct simt_warp_request *own = &simt_lane(team, warp, lane)->request;
  uint32_t equal = lanes_that_match(team, warp, members, own->value);
  if (own->mode == SIMT_MATCH_ANY)
    return equal;
  return with_predicate(equal == members ? members : 0, equal == members);
}

static uint32_t fold(enum simt_redux mode, uint32_t a, uint32_t b) {
  switch (mode) {
  case SIMT_REDUX_ADD:
    return a + b;
  case SIMT_REDUX_MIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case SIMT_REDUX_MAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case SIMT_REDUX_UMIN:
    return a < b ? a : b;
  case SIMT_REDUX_UMAX:
    return a > b ? a : b;
  case SIMT_REDUX_AND:
    return a & b;
  case SIMT_REDUX_OR:
    return a | b;
  case SIMT_REDUX_XOR:
    return a ^ b;
  }
  return 0;
}

static uint64_t redux(struct simt_team *team, uint32_t warp, uint32_t lane, uint32_t members) {
  enum simt_redux mode = simt_lane(team, warp, lane)->request.mode;
  bool first = true;
  uint32_t total = 0;
  for (uint32_t i = 0; i < SIMT_WARP_LANES; i++)
    if (members >> i & 1) {
      uint32_t value = (uint32_t)simt_lane(team, warp, i)->request.value;
      total = first ? value : fold(mode, total, value);
      first = false;
    }
  return total;
}

static uint64_t result_for(struct simt_team *team, uint32_t warp, uint32_t lane, uint32_t members) {
  switch (simt_lane(team, warp, lane)->request.operation) {
  case SIMT_OPERATION_SHUFFLE:
    return shuffle(team, warp, lane, members);
  case SIMT_OPERATION_VOTE:
    return vote(team, warp, lane, members);
  case SIMT_OPERATION_MATCH:
    return match(team, warp, lane, members);
  case SIMT_OPERATION_REDUX:
    return redux(team, warp, lane, members);
  case SIMT_OPERATION_ACTIVEMASK:
    return members;
  case SIMT_OPERATION_SYNC:
    break;
  }
  return 0;
}

// All members have arrived: each gets its result and may run.
static void finish(struct simt_team *team, uint32_t warp, uint32_t members) {
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (members >> lane & 1)
      simt_lane(team, warp, lane)->request.result = result_for(team, warp, lane, members);
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (members >> lane & 1)
      simt_lane(team, warp, lane)->state = SIMT_READY;
  struct simt_warp *state = &team->warps[warp];
  state->waiting &= ~members;
  if ((members & state->alive) == state->alive)
    state->epoch++;
}

static bool same_operation(const struct simt_warp_request *a, const struct simt_warp_request *b) {
  return a->operation == b->operation && a->mode == b->mode && a->mask == b->mask;
}

// Completes the operation that `lane` waits in if all of its mask have arrived at it.
static bool try_finish(struct simt_team *team, uint32_t warp, uint32_t lane) {
  struct simt_warp *state = &team->warps[warp];
  const struct simt_warp_request *request = &simt_lane(team, warp, lane)->request;
  uint32_t members = request->mask & state->alive;
  if ((state->waiting & members) != members)
    return false;
  for (uint32_t other = 0; other < SIMT_WARP_LANES; other++)
    if (members >> other & 1 && !same_operation(request, &simt_lane(team, warp, other)->request))
      return false;
  finish(team, warp, members | 1u << lane);
  return true;
}

static bool is_activemask(struct simt_team *team, uint32_t warp, uint32_t lane) {
  return team->warps[warp].waiting >> lane & 1 &&
         simt_lane(team, warp, lane)->request.operation == SIMT_OPERATION_ACTIVEMASK;
}

// Answers the lanes at the activemask that comes first in the program, so that they can join those further on.
static bool resolve_activemask(struct simt_team *team, uint32_t warp) {
  const struct simt_site *first = NULL;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (is_activemask(team, warp, lane)) {
      const struct simt_site *site = simt_lane(team, warp, lane)->site;
      if (!first || site->number < first->number)
        first = site;
    }
  if (!first)
    return false;
  uint32_t members = 0;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES; lane++)
    if (is_activemask(team, warp, lane) && simt_lane(team, warp, lane)->site == first)
      members |= 1u << lane;
  finish(team, warp, members);
  return true;
}

bool simt_warp_resolve(struct simt_team *team, uint32_t warp) {
  bool any = false;
  for (uint32_t lane = 0; lane < SIMT_WARP_LANES && team->warps[warp].waiting; lane++)
    if (team->warps[warp].waiting >> lane & 1 && !is_activemask(team, warp, lane))
      any |= try_finish(team, warp, lane);
  return any || resolve_activemask(team, warp);
}

static uint64_t meet(struct simt_warp_request request, const struct simt_site *site) {
  struct simt_team *team = simt_team;
  struct simt_thread *self = simt_thread_self();
  self->request = request;
  self->site = site;
  simt_warp_of(team, self)->waiting |= 1u << self->context.lane;
  self->state = SIMT_AT_WARP_OPERATION;
  if (request.operation == SIMT_OPERATION_ACTIVEMASK || !try_finish(team, self->context.warp, self->context.lane))
    simt_team_wait(SIMT_AT_WARP_OPERATION, site);
  return self->request.result;
}

void simt_warp_sync(uint32_t mask, const struct simt_site *site) {
  meet((struct simt_warp_request){.operation = SIMT_OPERATION_SYNC, .mask = mask}, site);
}

uint64_t simt_shuffle(uint32_t mode, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp,
                      const struct simt_site *site) {
  return meet((struct simt_warp_request){.operation = SIMT_OPERATION_SHUFFLE, .mode = mode, .mask = mask,
                                         .value = value, .lane = lane, .clamp = clamp}, site);
}

uint32_t simt_vote(uint32_t mode, uint32_t mask, uint32_t predicate, const struct simt_site *site) {
  return (uint32_t)meet((struct simt_warp_request){.operation = SIMT_OPERATION_VOTE, .mode = mode, .mask = mask,
                                                   .value = predicate != 0}, site);
}

uint64_t simt_match(uint32_t mode, uint32_t mask, uint64_t value, const struct simt_site *site) {
  return meet((struct simt_warp_request){.operation = SIMT_OPERATION_MATCH, .mode = mode, .mask = mask,
                                         .value = value}, site);
}

uint32_t simt_redux(uint32_t mode, uint32_t mask, uint32_t value, const struct simt_site *site) {
  return (uint32_t)meet((struct simt_warp_request){.operation = SIMT_OPERATION_REDUX, .mode = mode, .mask = mask,
                                                   .value = value}, site);
}

uint32_t simt_activemask(const struct simt_site *site) {
  return (uint32_t)meet((struct simt_warp_request){.operation = SIMT_OPERATION_ACTIVEMASK}, site);
}
