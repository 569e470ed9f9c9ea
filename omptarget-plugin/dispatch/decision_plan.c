/* What a launch is made with: the plan of a decision, and how many teams. */
#include "decision.h"

#include <stdio.h>
#include <string.h>

#include "class.h"
#include "needs.h"
#include "place/launch_reason.h"
#include "routes.h"
#include "versions.h"

static int refuse(struct decision *d, const char *why) {
  snprintf(d->refused, sizeof d->refused, "%s", why);
  return -1;
}

/* ---- teams ---- */

/* Teams for so many blocks: at most twice what can be resident, since each pays for finding out about the nest, and all with
 * about the same number of blocks. */
static uint32_t teams_for(uint64_t blocks, unsigned threads, const struct place_machine *machine) {
  enum { THREADS_OF_TWO_WAVES = 2 * 2048 };
  uint64_t most = (uint64_t)machine->sm_count * THREADS_OF_TWO_WAVES / threads;
  uint64_t each = most ? (blocks + most - 1) / most : 1;
  return (uint32_t)((blocks + each - 1) / each);
}

/* As many as have an iteration for each thread. Where warps share them evenly, multiprocessors are to have the same number of teams each, as long
 * as each team has some for a warp. */
static uint64_t teams_with_work(const struct place_version *version, uint64_t trips, unsigned threads, const struct place_machine *machine) {
  enum { WARP = 32 };
  uint64_t teams = (trips - 1) / threads + 1, warps = (trips - 1) / WARP + 1;
  if (!version->even || !machine->sm_count) return teams;
  uint64_t even = ((teams - 1) / machine->sm_count + 1) * machine->sm_count;
  return even < warps ? even : warps;
}

/* As many as the GPU holds at a time with so many threads on each multiprocessor, or as its registers and shared memory let it hold: the
 * others would begin when those have ended, and have it for themselves. None without an iteration. Of a reduction over teams no more than
 * the device runtime has slots for. */
static uint32_t teams_filling(const struct place_version *version, const struct rt_version *code, uint64_t trips, unsigned threads,
                              const struct place_machine *machine) {
  enum { REDUCTION_SLOTS = 1024 };
  uint64_t teams = (uint64_t)machine->sm_count * version->fill / threads;
  uint64_t working = trips ? teams_with_work(version, trips, threads, machine) : teams;
  uint64_t held = code->registers ? (uint64_t)machine->sm_count * msl_teams_per_sm(machine, threads, code->registers, code->static_shared) : 0;
  if (held && teams > held) teams = held;
  if (teams > working) teams = working;
  return teams > REDUCTION_SLOTS ? REDUCTION_SLOTS : teams ? (uint32_t)teams : 1;
}

/* Iterations of a loop that all threads of the grid share, where the launch does not say: how many it would have if there were one thread;
 * 0: not known. Which of them are a thread's depends on its team's number and on how many teams there are; of no other loop they do. */
static uint64_t trips_of_grid(const struct rt_region *region, const struct place_launch *launch) {
  struct place_point at = {.threads = 1, .teams = 1, .arg = launch->arg, .arg_known = launch->arg_known, .args = launch->args};
  const struct place_region *r = region->region;
  const struct place_expr_pool *pool = &region->table->exprs;
  for (size_t l = 0; l < r->loop_count; l++) {
    place_expr e = r->loops[l].trips;
    bool shared = r->loops[l].parent < 0 && place_expr_uses(pool, e, PLACE_EXPR_TEAM, 0) && place_expr_uses(pool, e, PLACE_EXPR_TEAMS, 0);
    uint64_t trips;
    if (shared && place_expr_eval(pool, e, &at, &trips)) return trips;
  }
  return 0;
}

/* Where it is not known how many have work, libomptarget decides. */
static void count_teams(struct decision *d, const struct rt_region *region, const struct place_machine *machine) {
  const struct place_version *version = &region->region->versions[d->plan.version];
  unsigned threads = version->threads ? version->threads : d->view.launch.threads;
  if (version->fill && threads) {
    uint64_t said = d->view.launch.trip_count, trips = said ? said : trips_of_grid(region, &d->view.launch);
    d->plan.teams = teams_filling(version, &region->versions[d->plan.version], trips, threads, machine);
  }
  if (version->teams == PLACE_EXPR_NONE && !version->each && !version->rows) return;
  uint32_t teams = needs_teams(region, d->plan.version, &d->view.launch);
  bool all = !teams || version->each || version->rows || place_version_needs(version, PLACE_NEED_ALL_TEAMS);
  d->plan.teams = all ? teams : teams_for(teams, threads, machine);
}

/* ---- plans ---- */

/* What the version needs is a matter of this launch's addresses, too: never remembered for launches that look alike. */
static int check_needs(struct decision *d, const struct rt_region *region) {
  struct place_diag why = {""};
  d->unmet = needs_check(region, d->plan.version, &d->view, &d->plan, &why) != 0;
  return d->unmet ? refuse(d, why.text) : 0;
}

/* The solver's half is trusted with performance, not with safety: a window outside of what is mapped is never copied. */
static int check_plan(struct decision *d, const struct rt_region *region) {
  const struct place_region *r = region->region;
  for (size_t a = 0; a < r->array_count; a++) {
    if (r->arrays[a].placeable < 0) continue;
    const struct place_plan_array *p = &d->plan.array[r->arrays[a].placeable];
    const struct place_extent *e = &d->view.extent[a];
    if (p->space != PLACE_GLOBAL && !(d->view.allowed[a] & PLACE_SPACE_BIT(p->space)))
      return refuse(d, WHY_NOT_ALLOWED_THERE);
    if (!place_space_is_copy(p->space)) continue;
    uint64_t from = (uint64_t)(p->window_lo - e->lo);
    if (!e->known || p->window_lo < e->lo || from > e->bytes || p->window_bytes > e->bytes - from)
      return refuse(d, WHY_WINDOW_TOO_FAR);
  }
  return 0;
}

/* version: PLACE_VERSION_ANY, or the one to launch. */
static int make_plan(struct decision *d, const struct rt_region *region, const enum place_space *spaces, int version,
                     const struct place_machine *machine) {
  struct place_diag diag = {""};
  if (!machine) return refuse(d, WHY_NO_MACHINE_MODEL);
  const struct place_question question = {region->table, region->region, &d->view.launch, {NULL}, machine, PLACE_MODEL_PLACE, NULL};
  if (place_plan_make(&question, spaces, version, &d->plan, &diag))
    return refuse(d, diag.text);
  if (d->plan.version < 0) return refuse(d, WHY_NO_VERSION_WITH_SPACES);
  if (!versions_is_launchable(region, d->plan.version)) return refuse(d, WHY_VERSION_MISSING);
  if (check_plan(d, region) || check_needs(d, region)) return -1;
  count_teams(d, region, machine);
  return 0;
}

/* ---- memory for plans ---- */

/* All that place_plan_make looks at. */
static unsigned make_launch_key(const struct view *view, size_t arrays, uint64_t *key, unsigned most) {
  const struct place_launch *l = &view->launch;
  unsigned n = 0;
  if (4 + 3 * arrays + 2 * l->args > most) return 0;
  key[n++] = l->trip_count;
  key[n++] = (uint64_t)l->threads << 32 | l->teams;
  key[n++] = l->dynamic_shared_bytes;
  for (size_t a = 0; a < arrays; a++) {
    key[n++] = (uint64_t)view->extent[a].lo;
    key[n++] = view->extent[a].bytes;
    key[n++] = (uint64_t)view->allowed[a] << 1 | view->extent[a].known;
  }
  for (size_t i = 0; i < l->args; i++) {
    key[n++] = view->arg_known[i];
    key[n++] = view->arg_known[i] ? view->arg[i] : 0;
  }
  return n;
}

bool decision_recall(struct decision *d, const struct rt_region *region, int index) {
  uint64_t key[DECISION_MAX_WORDS];
  struct rt_class *c = d->in_class;
  unsigned words = make_launch_key(&d->view, d->arrays, key, DECISION_MAX_WORDS);
  const struct plan_memo *m = words ? plan_memory_find(&c->memory, key, words, index, c->generation) : NULL;
  if (!m) return false;
  d->plan = m->plan;
  memcpy(d->refused, m->refused, sizeof d->refused);
  d->planned = index;
  d->planned_generation = c->generation;
  if (!*d->refused) check_needs(d, region);
  return true;
}

void decision_remember(const struct decision *d, int index) {
  uint64_t key[DECISION_MAX_WORDS];
  struct rt_class *c = d->in_class;
  unsigned words = make_launch_key(&d->view, d->arrays, key, DECISION_MAX_WORDS);
  if (!words || d->unmet) return;
  struct plan_memo m = {key, words, index, c->generation, d->plan, ""};
  memcpy(m.refused, d->refused, sizeof m.refused);
  plan_memory_put(&c->memory, &m);
}

static int make_class_plan(struct decision *d, const struct rt_region *region, int index, const struct place_machine *machine) {
  const struct rt_class *c = d->in_class;
  enum place_space spaces[PLACE_MAX_PLACEABLE];
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) spaces[i] = c->plan[index].array[i].space;
  return make_plan(d, region, spaces, c->plan[index].version, machine);
}

bool decision_has_plan(const struct decision *d, int index) {
  return d->planned == index && d->planned_generation == d->in_class->generation;
}

int decision_plan(struct decision *d, const struct rt_region *region, int index, const struct place_machine *machine) {
  const struct rt_class *c = d->in_class;
  if (decision_has_plan(d, index) || decision_recall(d, region, index)) return *d->refused ? -1 : 0;
  d->planned = index;
  d->planned_generation = c->generation;
  *d->refused = 0;
  d->unmet = false;
  int rc = make_class_plan(d, region, index, machine);
  decision_remember(d, index);
  return rc;
}

/* A version with spaces of its own, as it stands. */
static int force_version(struct decision *d, const struct rt_region *region, int version, const struct place_machine *machine) {
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  uint8_t own[PLACE_MAX_PLACEABLE] = {0};
  place_version_spaces(region->region, &region->region->versions[version], own);
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++) spaces[i] = (enum place_space)own[i];
  return make_plan(d, region, spaces, version, machine);
}

static bool try_version(struct decision *d, const struct rt_region *region, int version, const struct place_machine *machine) {
  *d->refused = 0;
  d->unmet = false;
  return !force_version(d, region, version, machine);
}

static void try_likely(struct decision *d, const struct rt_region *region, const struct place_machine *machine) {
  const struct place_version *versions = region->region->versions;
  int best = -1, tried = -1;
  refuse(d, WHY_NO_SUCH_VERSION);
  for (int v = 0; v < (int)region->region->version_count; v++) {
    bool wanted = versions_is_likely(region, v) && versions_is_launchable(region, v) &&
                  (best < 0 || versions[v].threads < versions[best].threads);
    if (!wanted) continue;
    tried = v;
    if (try_version(d, region, v, machine)) best = v;
  }
  if (tried != best && best >= 0) try_version(d, region, best, machine);
}

bool decision_presume(struct decision *d, const struct rt_region *region, int version, const struct place_machine *machine) {
  enum { PRESUMED = TUNE_MAX_ARMS + 2 }; /* behind the numbers of a class's plans and of PLACE_FORCE, with room for -1 */
  const int index = PRESUMED + version;
  if (d->planned == index || decision_recall(d, region, index)) return !*d->refused;
  if (version >= 0) try_version(d, region, version, machine);
  else try_likely(d, region, machine);
  d->planned = index;
  decision_remember(d, index);
  return !*d->refused;
}

bool decision_moves_nothing(const enum place_space *spaces) {
  for (unsigned i = 0; i < PLACE_MAX_PLACEABLE; i++)
    if (spaces[i] != PLACE_GLOBAL) return false;
  return true;
}

int decision_force(struct decision *d, const struct rt_region *region, const enum place_space *spaces,
                   const struct force_choice *force, const struct place_machine *machine) {
  int v = PLACE_VERSION_ANY;
  d->planned = TUNE_MAX_ARMS; /* no class has a plan of this number */
  *d->refused = 0;
  d->unmet = false;
  if (force->version == FORCE_LOOP && !force->routed) {
    v = versions_of_loop(region, force->loop, force->number);
    return v < 0 ? refuse(d, WHY_NO_SUCH_VERSION) : force_version(d, region, v, machine);
  }
  if (force->version == FORCE_AGNOSTIC) {
    v = versions_open(region);
    return v < 0 ? refuse(d, WHY_NO_AGNOSTIC_VERSION) : make_plan(d, region, spaces, v, machine);
  }
  if (force->routed) {
    v = routes_version(region, spaces, force);
    return v < 0 ? refuse(d, WHY_NO_SUCH_ROUTES) : make_plan(d, region, spaces, v, machine);
  }
  if (decision_moves_nothing(spaces)) {
    v = force->version == FORCE_ANY ? versions_plain(region) : -1;
    if (v < 0) v = versions_base(region);
    if (v < 0) return refuse(d, WHY_NO_GLOBAL_VERSION);
  }
  return make_plan(d, region, spaces, v, machine);
}
