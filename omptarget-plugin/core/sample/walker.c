/* Walking the sampled warps of a launch. */
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "walker.h"

/* ---- how often ---- */

static void set_loop(struct walker *w, size_t loop, uint64_t iteration) {
  w->loop[loop] = iteration;
  bound_loop(&w->bound, loop, iteration);
}

static void set_warp(struct walker *w, uint64_t tid, uint64_t team) {
  w->at.tid = tid;
  w->at.team = team;
  bound_warp(&w->bound, tid, team);
}

/* The lanes' trip counts of a loop at the current point, NULL if unknown. */
static const struct lanes *trips_now(struct walker *w, int loop) {
  return bound_eval(&w->bound, w->trips[loop], w->at.loops);
}

/* The most iterations that a lane makes. A lane that has none of an enclosing loop may find fewer than none, a number that has
 * wrapped around. */
uint64_t walker_most_trips(const struct lanes *trips) {
  const uint64_t wrapped = (uint64_t)1 << 31;
  uint64_t most = lanes_most(trips);
  if (most < wrapped) return most;
  most = 0;
  for (unsigned l = 0; l < SHAPE_WARP; l++)
    if (lanes_at(trips, l) < wrapped && lanes_at(trips, l) > most) most = lanes_at(trips, l);
  return most;
}

double walker_distributed_trips(const struct walker *w) {
  double per_sweep = (double)w->walk->teams * w->at.threads;
  return w->launch->trip_count ? ceil((double)w->launch->trip_count / per_sweep) : 1;
}

/* Executions of the body of a loop by this warp, at the current point, given those of its parent's body. */
static double body_executions(const struct walker *w, int loop, const struct lanes *trips, double parent) {
  if (trips) return parent * (double)walker_most_trips(trips);
  if (w->trips_each[loop] > 0) return parent * w->trips_each[loop];
  if (w->region->loops[loop].parent < 0) return parent * walker_distributed_trips(w);
  return parent * WALK_DEFAULT_TRIPS;
}

static void count_executions(struct walker *w) {
  double body[MAX_LOOPS];
  bool counted[MAX_LOOPS];
  for (size_t i = 0; i < w->region->loop_count; i++) { /* all loops at their first iteration */
    int parent = w->region->loops[i].parent;
    set_loop(w, i, 0);
    w->at.loops = i;
    const struct lanes *trips = trips_now(w, (int)i);
    counted[i] = trips != NULL;
    body[i] = body_executions(w, (int)i, trips, parent < 0 ? 1 : body[parent]);
  }
  for (size_t i = 0; i < w->region->access_count; i++) {
    const struct place_access *a = &w->region->accesses[i];
    w->executions[i] = (a->loop < 0 ? 1 : body[a->loop]) * w->taken[i];
    w->walk->access[i].counted = a->loop >= 0 && counted[a->loop];
  }
}

/* ---- where ---- */

enum { ROWS = 31 };
struct walk_rows {
  struct walk_rows *before;
  unsigned used;
  int64_t row[ROWS][LANES];
};

/* Room for the offsets of 32 lanes, or NULL. */
static int64_t *row_new(struct walker *w) {
  struct walk_rows *rows = w->walk->rows;
  if (!rows || rows->used == ROWS) {
    rows = malloc(sizeof *rows);
    if (!rows) return w->out_of_memory = true, NULL;
    rows->before = w->walk->rows;
    rows->used = 0;
    w->walk->rows = rows;
  }
  return rows->row[rows->used++];
}

static struct walk_event *event_new(struct walker *w, size_t access, uint32_t active) {
  struct walk *walk = w->walk;
  if (walk->count == walk->capacity) {
    size_t capacity = walk->capacity ? 2 * walk->capacity : 256;
    struct walk_event *events = realloc(walk->events, capacity * sizeof *events);
    if (!events) return w->out_of_memory = true, NULL;
    walk->events = events;
    walk->capacity = capacity;
  }
  struct walk_event *event = &walk->events[walk->count++];
  *event = (struct walk_event){.access = (uint16_t)access, .warp = (uint16_t)walk->warps, .active = active};
  return event;
}

static void evaluated_offsets(struct walker *w, const struct lanes *offset, struct walk_event *event) {
  int64_t *row = offset->affine ? NULL : row_new(w);
  event->base = offset->base;
  event->step = offset->step;
  if (row) memcpy(row, offset->value, sizeof offset->value);
  event->lane = row;
}

static uint64_t next_random(struct walker *w) {
  w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return w->random >> 33;
}

static void guess_offsets(struct walker *w, const struct place_access *a, struct walk_event *event) {
  const struct place_extent *window = &w->window[a->array];
  uint64_t elements = window->known && window->bytes >= a->width_bytes ? window->bytes / a->width_bytes : 1 << 20;
  int64_t *row = row_new(w);
  for (unsigned l = 0; row && l < LANES; l++)
    row[l] = (int64_t)((uint64_t)window->lo + next_random(w) % elements * a->width_bytes);
  event->lane = row;
}

static void logged_offsets(struct walker *w, const struct place_access *a, struct walk_event *event, uint32_t e) {
  const uint32_t *entry = walker_log_entry(w, a->log, e);
  bool is_signed = w->window[a->array].lo < 0; /* indices are logged modulo 2^32 */
  int64_t *row = row_new(w);
  for (unsigned l = 0; row && l < LANES; l++)
    row[l] = (is_signed ? (int64_t)(int32_t)entry[l] : (int64_t)entry[l]) * a->width_bytes;
  event->lane = row;
}

static void note_event(struct walker *w, size_t access, const struct walk_event *event) {
  unsigned first = (unsigned)__builtin_ctz(event->active), last = 31 - (unsigned)__builtin_clz(event->active);
  w->sampled[access]++;
  w->walk->access[access].events++;
  w->index_sum += ((double)walk_offset(event, first) + (double)walk_offset(event, last)) / 2 /
                  w->region->accesses[access].width_bytes;
  w->index_count++;
}

static void walk_access_once(struct walker *w, size_t access, uint32_t active) {
  const struct place_access *a = &w->region->accesses[access];
  uint32_t most, e = a->log >= 0 ? w->logged[a->log] : 0;
  if (a->log >= 0) w->logged[a->log]++;
  if (w->sampled[access] >= w->events_each) return;
  const struct lanes *offset = bound_eval(&w->bound, w->offset[access], w->at.loops);
  bool logged = !offset && a->log >= 0 && w->slot_logged[w->slot];
  if (logged) active = e < PLACE_PROFILE_ENTRIES ? walker_log_active(w, a->log, e, &most) : 0;
  if (!active) w->sampled[access] = w->events_each; /* the log is used up */
  if (!offset && !logged && w->slot >= GUESSED_WARPS) w->sampled[access] = w->events_each;
  if (w->sampled[access] >= w->events_each) return;
  struct walk_event *event = event_new(w, access, active);
  if (!event) return;
  if (logged) logged_offsets(w, a, event, e), w->walk->access[access].logged = true;
  else if (!offset) guess_offsets(w, a, event), w->walk->access[access].assumed = true;
  else evaluated_offsets(w, offset, event);
  event->entering = a->loop < 0 || w->loop[a->loop] == 0;
  note_event(w, access, event);
}

/* ---- program order ---- */

/* The loop directly inside of `body` (-1: the kernel) that holds the access; -2: the access is in the body itself, -3: it
 * is elsewhere. */
static int child_towards(const struct place_region *region, int inner, int body) {
  int child = -2;
  for (; inner != body; inner = region->loops[inner].parent) {
    if (inner < 0) return -3;
    child = inner;
  }
  return child;
}

/* Whether some access in the loop still wants events of this warp. */
static bool wants_more(const struct walker *w, int loop) {
  for (size_t i = 0; i < w->region->access_count; i++)
    if (w->sampled[i] < w->events_each && child_towards(w->region, w->region->accesses[i].loop, loop) != -3) return true;
  return false;
}

static void walk_body(struct walker *w, int body, uint32_t active);

static bool holds_loops(const struct place_region *region, int loop) {
  for (size_t i = 0; i < region->loop_count; i++)
    if (region->loops[i].parent == loop) return true;
  return false;
}

/* Iterations to follow: all of a short inner loop, few of an outer one. */
static uint64_t iterations_wanted(const struct walker *w, int loop, bool known, uint64_t trips) {
  bool distribution = w->region->loops[loop].parent < 0 && holds_loops(w->region, loop);
  uint64_t limit = distribution ? MAX_OUTER_ITERATIONS : MAX_ITERATIONS;
  return known && trips < limit ? trips : limit;
}

static void walk_loop(struct walker *w, int loop, uint32_t active) {
  struct lanes trips;
  uint32_t counted;
  size_t loops_before = w->at.loops;
  const struct lanes *now = trips_now(w, loop);
  int log = now ? -1 : walker_witness(w, loop);
  uint64_t end = iterations_wanted(w, loop, now != NULL, now ? lanes_most(now) : 0);
  if (now) lanes_copy(&trips, now);
  if (w->at.loops < (size_t)loop + 1) w->at.loops = (size_t)loop + 1;
  for (uint64_t i = 0; i < end && wants_more(w, loop) && !w->out_of_memory; i++) {
    uint32_t lanes = now ? active & lanes_above(&trips, i) : active;
    if (log >= 0) lanes &= walker_log_active(w, log, w->logged[log], &counted);
    if (!lanes || w->steps++ >= MAX_STEPS) break;
    set_loop(w, (size_t)loop, i);
    walk_body(w, loop, lanes);
  }
  w->at.loops = loops_before;
}

static void walk_body(struct walker *w, int body, uint32_t active) {
  int last = -1;
  for (size_t i = 0; i < w->region->access_count; i++) {
    int child = child_towards(w->region, w->region->accesses[i].loop, body);
    if (child == -2) walk_access_once(w, i, active);
    if (child >= 0 && child != last) walk_loop(w, child, active);
    if (child >= 0) last = child;
  }
}

/* ---- warps ---- */

/* Moves to the warp of a slot and adds up how often it executes each access. */
static void enter_warp(struct walker *w, unsigned slot) {
  uint32_t warps = shape_warps_per_team(w->region, w->launch), teams = w->walk->teams;
  uint32_t stride = teams / PLACE_PROFILE_SLOTS ? teams / PLACE_PROFILE_SLOTS : 1;
  w->slot = slot;
  set_warp(w, slot % warps * SHAPE_WARP, (uint64_t)slot * stride);
  count_executions(w);
  for (size_t i = 0; i < w->region->access_count; i++) w->walk->access[i].executions += w->executions[i];
}

static void walk_warp(struct walker *w) {
  uint32_t threads = shape_threads(w->region, w->launch), first = (uint32_t)w->at.tid;
  uint32_t lanes = threads - first < 32 ? threads - first : 32;
  w->steps = 0;
  memset(w->logged, 0, sizeof w->logged);
  memset(w->sampled, 0, w->region->access_count * sizeof *w->sampled);
  w->at.loops = 0;
  walk_body(w, -1, lanes == 32 ? UINT32_MAX : (1u << lanes) - 1);
  w->walk->warps++;
}

/* ---- spread ---- */

/* Puts the loops of a chain, innermost first, at some iteration each; false if no lane gets there. */
static bool pick_iterations(struct walker *w, const int *chain, unsigned depth, uint32_t *active) {
  w->at.loops = 0;
  while (depth-- > 0) {
    size_t loop = (size_t)chain[depth];
    while (w->at.loops < loop) set_loop(w, w->at.loops++, 0); /* loops beside: not mentioned by the access */
    const struct lanes *trips = w->fixed[loop] ? NULL : trips_now(w, (int)loop); /* none where all lanes take part */
    uint64_t most = w->fixed[loop] ? w->fixed[loop] : trips ? walker_most_trips(trips) : WALK_DEFAULT_TRIPS;
    uint64_t random = most ? next_random(w) : 0;
    uint64_t picked = most > 1 ? random % most : 0;
    if (trips && (trips->step || !trips->affine || !most)) *active &= lanes_above(trips, picked); /* else all are above */
    set_loop(w, loop, picked);
    w->at.loops = loop + 1;
    if (!*active) return false;
  }
  return true;
}

static void spread_access(struct walker *w, size_t access) {
  uint32_t threads = shape_threads(w->region, w->launch), warps = shape_warps_per_team(w->region, w->launch);
  int chain[MAX_LOOPS];
  unsigned depth = 0;
  for (int loop = w->region->accesses[access].loop; loop >= 0; loop = w->region->loops[loop].parent) chain[depth++] = loop;
  for (unsigned k = 0; k < WALK_SPREAD && !w->out_of_memory; k++) {
    uint64_t from = w->spread_begin[k], width = w->spread_begin[k + 1] - from;
    if (!width) continue;
    uint64_t warp = from + next_random(w) % width, team = warp / warps;
    uint32_t tid = (uint32_t)(warp - team * warps) * SHAPE_WARP, lanes = threads - tid;
    uint32_t active = lanes >= LANES ? UINT32_MAX : (1u << lanes) - 1;
    set_warp(w, tid, team);
    if (!pick_iterations(w, chain, depth, &active)) continue;
    const struct lanes *offset = bound_eval(&w->bound, w->offset[access], w->at.loops);
    if (!offset) return;
    struct walk_event *event = &w->walk->spread[w->walk->spread_count++];
    *event = (struct walk_event){.access = (uint16_t)access, .active = active};
    evaluated_offsets(w, offset, event);
    w->walk->access[access].spread++;
  }
}

static int spread_all(struct walker *w) {
  size_t n = w->region->access_count;
  uint64_t all = (uint64_t)w->walk->teams * shape_warps_per_team(w->region, w->launch);
  uint64_t share = walk_share(WALK_SPREAD_TOGETHER, n, WALK_LEAST_SPREAD, WALK_SPREAD), samples = all < share ? all : share;
  for (uint64_t k = 0; k <= WALK_SPREAD; k++) w->spread_begin[k] = k < samples ? all * k / samples : all;
  w->walk->spread = malloc((n * WALK_SPREAD + 1) * sizeof *w->walk->spread);
  if (!w->walk->spread) return -1;
  for (size_t i = 0; i < n; i++) spread_access(w, i);
  return w->out_of_memory ? -1 : 0;
}

static void walk_warps(struct walker *w) {
  double previous = 0, before = -1;
  bool stable = false;
  uint32_t slots = w->walk->teams < WALK_WARPS ? w->walk->teams : WALK_WARPS;
  for (unsigned slot = 0; slot < slots && !w->out_of_memory; slot++) {
    enter_warp(w, slot);
    if (stable) continue; /* only the executions of the others are of interest */
    walk_warp(w);
    double mean = w->index_count ? w->index_sum / w->index_count : 0;
    stable = slot >= 2 && walk_is_stable(mean, previous, before);
    before = previous;
    previous = mean;
  }
  for (size_t i = 0; i < w->region->access_count; i++) w->walk->access[i].executions /= slots;
}

/* Adds a loop's trip count. The walk follows MAX_ITERATIONS of a loop of unknown trip count, else all at most. */
static int32_t bind_loop(struct walker *w, size_t loop) {
  place_expr expr = w->region->loops[loop].trips;
  struct place_range range = place_expr_bound(&w->table->exprs, expr, &w->bound.box);
  int32_t trips = bound_add(&w->bound, expr);
  uint64_t most = MAX_ITERATIONS;
  if (trips >= 0 && range.known && range.lo == range.hi) {
    trips = bound_add_number(&w->bound, (uint64_t)range.lo);
    w->fixed[loop] = (uint64_t)range.lo;
  }
  if (trips >= 0 && (!range.known || range.lo < 0)) most = UINT64_MAX;
  else if (trips >= 0 && range.hi > MAX_ITERATIONS) most = (uint64_t)range.hi;
  bound_next_loop(&w->bound, most);
  return trips;
}

static int bind(struct walker *w) {
  struct place_point last = w->at;
  last.tid = w->at.threads - 1, last.team = w->at.teams - 1;
  int rc = bound_open(&w->bound, BOUND_WARP, &w->table->exprs, &last, w->region->loop_count);
  w->offset = malloc((w->region->access_count + 1) * sizeof *w->offset);
  if (rc || !w->offset) return -1;
  for (size_t i = 0; rc != BOUND_NO_MEMORY && i < w->region->loop_count; i++) rc = w->trips[i] = bind_loop(w, i);
  for (size_t i = 0; rc != BOUND_NO_MEMORY && i < w->region->access_count; i++)
    rc = w->offset[i] = bound_add(&w->bound, w->region->accesses[i].offset);
  return rc == BOUND_NO_MEMORY ? -1 : bound_ready(&w->bound);
}

static int walk_all(struct walker *w) {
  size_t n = w->region->access_count;
  w->walk->access = calloc(n + 1, sizeof *w->walk->access);
  w->sampled = calloc(n + 1, sizeof *w->sampled);
  w->executions = calloc(n + 1, sizeof *w->executions);
  w->taken = calloc(n + 1, sizeof *w->taken);
  if (!w->walk->access || !w->sampled || !w->executions || !w->taken) return -1;
  walker_find_logged_slots(w);
  if (walker_read_profile(w) || bind(w)) return -1;
  walk_warps(w);
  return w->out_of_memory ? -1 : spread_all(w);
}

int walk_launch(const struct place_question *question, const struct place_extent *window, struct walk *walk,
                struct place_diag *diag) {
  const struct place_region *region = question->region;
  const struct place_launch *launch = question->launch;
  *walk = (struct walk){.teams = shape_default_teams(region, launch)};
  struct walker w = {.table = question->table, .region = region, .launch = launch, .window = window, .walk = walk, .random = 1};
  size_t n = region->access_count;
  if (region->loop_count > MAX_LOOPS || n > UINT16_MAX)
    return place_diag_set(diag, "%s: more than %d loops or %d accesses", region->entry, MAX_LOOPS, UINT16_MAX);
  w.events_each = walk_share(WALK_EVENTS_PER_WARP, n, WALK_LEAST_EVENTS, WALK_EVENTS);
  walk->total_warps = (double)walk->teams * shape_warps_per_team(region, launch);
  w.profile = walker_has_entries(question->profile.words) ? question->profile.words : NULL;
  w.at = (struct place_point){.threads = shape_threads(region, launch), .teams = walk->teams, .loop = w.loop,
                              .arg = launch->arg, .arg_known = launch->arg_known, .args = launch->args};
  int rc = walk_all(&w);
  bound_close(&w.bound);
  free(w.offset);
  free(w.sampled);
  free(w.executions);
  free(w.taken);
  if (rc == 0) return 0;
  walk_free(walk);
  return place_diag_set(diag, "%s: out of memory", region->entry);
}

void walk_free(struct walk *walk) {
  for (struct walk_rows *rows = walk->rows, *before; rows; rows = before) {
    before = rows->before;
    free(rows);
  }
  free(walk->events);
  free(walk->spread);
  free(walk->access);
  *walk = (struct walk){0};
}
