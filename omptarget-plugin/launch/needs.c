#include "needs.h"

#include "place/launch_reason.h"
#include "versions.h"

/* What is asked about. */
struct question {
  const struct rt_region *region;
  const struct place_version *version;
  int number; /* of the version */
  const struct view *view;
  const struct place_plan *plan; /* or NULL */
};

/* The value of a version's expression at the launch; false: there is none, or it is not known. */
static bool value_at(const struct rt_region *region, const struct place_launch *launch, place_expr e, uint64_t *value) {
  struct place_point at = {.arg = launch->arg, .arg_known = launch->arg_known, .args = launch->args};
  return e != PLACE_EXPR_NONE && place_expr_eval(&region->table->exprs, e, &at, value);
}

static bool value_of(const struct question *q, place_expr e, uint64_t *value) { return value_at(q->region, &q->view->launch, e, value); }

/* ---- arrays ---- */

/* The program promises what could not be shown, and nothing is seen that it breaks (view.h). */
static bool is_promised(const struct question *q) {
  return q->region->region->apart && !q->region->region->unknown_writes && !q->view->overlap[0];
}

static const char *name_of(const struct question *q, size_t array) { return q->region->region->arrays[array].name; }

/* Whether nothing that the region writes can be in the array's memory. */
static bool is_unwritten(const struct question *q, size_t a) {
  const struct place_array *array = &q->region->region->arrays[a];
  const struct view *view = q->view;
  bool only_read = array->placeable >= 0 && !array->written && !array->atomic;
  if (only_read && is_promised(q)) return true;
  return only_read && !view->refused && !view->array[a].why_global && view->extent[a].known;
}

static int check_reads(const struct question *q, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  for (size_t a = 0; a < r->array_count; a++)
    if (r->arrays[a].read && !is_unwritten(q, a))
      return place_diag_set(why, WHY_READ_MAY_BE_WRITTEN, name_of(q, a));
  return 0;
}

static int check_writes(const struct question *q, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  if (is_promised(q)) return 0;
  for (size_t a = 0; a < r->array_count; a++)
    if ((r->arrays[a].written || r->arrays[a].atomic) && q->view->array[a].why_global)
      return place_diag_set(why, WHY_WRITTEN_MAY_BE_OTHER, name_of(q, a));
  return 0;
}

/* As restrict promises: nothing that the region writes can be in another array's memory. */
static int check_apart(const struct question *q, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  if (is_promised(q)) return 0;
  if (q->view->refused) return place_diag_set(why, "%s", q->view->refused);
  for (size_t a = 0; a < r->array_count; a++) {
    const struct place_array *array = &r->arrays[a];
    bool used = array->read || array->written || array->atomic;
    if (used && (q->view->array[a].why_global || !q->view->extent[a].known))
      return place_diag_set(why, WHY_MAY_BE_OTHER, name_of(q, a));
  }
  return 0;
}

static enum place_space space_of(const struct question *q, size_t a) {
  int p = q->region->region->arrays[a].placeable, space = p < 0 ? PLACE_GLOBAL : q->version->space[a];
  if (p >= 0 && q->plan) space = (int)q->plan->array[p].space;
  return space < 0 ? PLACE_GLOBAL : (enum place_space)space;
}

/* Device address of the kernel argument, up to a multiple of the section's own alignment: what a launch allocates itself is
 * aligned (device 0). */
static int check_alignment(const struct question *q, unsigned bytes, struct place_diag *why) {
  for (size_t a = 0; a < q->region->region->array_count; a++) {
    enum place_space space = space_of(q, a);
    bool copied = place_space_is_copy(space);
    uint64_t argument = (uint64_t)q->view->array[a].device - (uint64_t)q->view->extent[a].lo;
    if (copied && argument % bytes) return place_diag_set(why, WHY_NOT_ALIGNED, name_of(q, a), bytes);
  }
  return 0;
}

static int check_arrays_aligned(const struct question *q, unsigned bytes, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  for (size_t a = 0; a < r->array_count; a++) {
    const struct view_array *v = &q->view->array[a];
    bool used = r->arrays[a].read || r->arrays[a].written || r->arrays[a].atomic;
    bool known = q->view->extent[a].known && ((v->kind == VIEW_OBJECT && v->device) || v->kind == VIEW_FRESH);
    uint64_t argument = (uint64_t)v->device - (uint64_t)q->view->extent[a].lo;
    if (used && (!known || argument % bytes))
      return place_diag_set(why, WHY_ALIGNMENT_UNKNOWN, name_of(q, a), bytes);
  }
  return 0;
}

/* The same of all arrays that are only read, wherever they are. */
static int check_reads_aligned(const struct question *q, unsigned bytes, struct place_diag *why) {
  for (size_t a = 0; a < q->region->region->array_count; a++) {
    const struct view_array *v = &q->view->array[a];
    uint64_t argument = (uint64_t)v->device - (uint64_t)q->view->extent[a].lo;
    if (q->region->region->arrays[a].placeable < 0) continue;
    if (v->kind == VIEW_UNKNOWN || !q->view->extent[a].known || argument % bytes)
      return place_diag_set(why, WHY_ALIGNMENT_UNKNOWN, name_of(q, a), bytes);
  }
  return 0;
}

/* All that a loop reads before it knows whether it goes on so far. */
static int check_reads_mapped(const struct question *q, struct place_diag *why) {
  for (size_t a = 0; q->version->ahead && a < q->region->region->array_count; a++) {
    const struct place_extent *e = &q->view->extent[a];
    uint64_t bytes = 0;
    if (q->version->ahead[a] == PLACE_EXPR_NONE) continue;
    bool known = e->known && e->lo <= 0 && value_of(q, q->version->ahead[a], &bytes);
    if (!known || bytes > INT64_MAX || (__int128)bytes - e->lo > (__int128)e->bytes) return place_diag_set(why, WHY_NOT_MAPPED_SO_FAR, name_of(q, a));
  }
  return 0;
}

/* A texture is of whole texels, and its first lies as the driver wants it: so do they all, and the kernel argument must. */
static int check_textures(const struct question *q, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  for (size_t a = 0; q->version->texel && a < r->array_count; a++) {
    const struct view_array *v = &q->view->array[a];
    unsigned bytes = q->version->texel[a];
    uint64_t argument = (uint64_t)v->device - (uint64_t)q->view->extent[a].lo;
    if (!bytes || place_space_home(space_of(q, a)) != PLACE_HOME_TEXTURE) continue;
    if (v->why_texture) return place_diag_set(why, WHY_NOT_FETCHED, name_of(q, a), v->why_texture);
    if (argument % bytes) return place_diag_set(why, WHY_NOT_ALIGNED, name_of(q, a), bytes);
    if (space_of(q, a) == PLACE_TEXTURE2D && !needs_row_bytes(q->region, q->number, a, &q->view->launch))
      return place_diag_set(why, WHY_NOT_FETCHED, name_of(q, a), WHY_NO_ROWS);
  }
  return 0;
}

/* ---- shape ---- */

uint32_t needs_teams(const struct rt_region *region, int version, const struct place_launch *launch) {
  const struct place_version *v = &region->region->versions[version];
  uint64_t teams = 0;
  if (v->each || v->rows) {
    uint64_t each = v->rows ? v->rows : (uint64_t)v->each * (v->threads ? v->threads : launch->threads);
    teams = each ? (launch->trip_count + each - 1) / each : 0;
    return teams <= INT32_MAX ? (uint32_t)teams : 0;
  }
  if (!value_at(region, launch, v->teams, &teams)) return 0;
  return teams > 0 && teams <= INT32_MAX ? (uint32_t)teams : 0;
}

uint64_t needs_row_bytes(const struct rt_region *region, int version, size_t array, const struct place_launch *launch) {
  const struct place_version *v = &region->region->versions[version];
  uint64_t bytes = 0;
  if (!v->pitch || !value_at(region, launch, v->pitch[array], &bytes)) return 0;
  return bytes <= INT32_MAX ? bytes : 0;
}

/* Whether libomptarget may launch fewer threads than the kernel was compiled for: it does for short loops, where the program asks for
 * neither teams nor threads. A version asks for its number. */
static bool may_be_fewer(const struct view *view) {
  bool asked = (view->thread_limit && !view->most_threads) || view->launch.teams;
  return view->launch.trip_count && !asked;
}

static int check_threads(const struct question *q, enum place_need_kind kind, unsigned value, struct place_diag *why) {
  uint32_t threads = q->view->launch.threads;
  if (kind == PLACE_NEED_THREADS && !q->region->region->open_threads && may_be_fewer(q->view)) return place_diag_set(why, WHY_THREADS_SEEN);
  bool met = kind == PLACE_NEED_THREADS ? threads == value : kind == PLACE_NEED_THREADS_LEAST ? threads >= value : threads <= value;
  if (met) return 0;
  return place_diag_set(why, WHY_OTHER_THREADS, threads,
                        kind == PLACE_NEED_THREADS ? "" : kind == PLACE_NEED_THREADS_LEAST ? "at least " : "at most ", value);
}

static int check_trips(const struct question *q, enum place_need_kind kind, unsigned value, struct place_diag *why) {
  uint64_t trips = q->view->launch.trip_count;
  if (!trips) return place_diag_set(why, WHY_TRIPS_UNKNOWN);
  if (kind == PLACE_NEED_TRIPS_LEAST ? trips >= value : trips <= value) return 0;
  return place_diag_set(why, WHY_OTHER_TRIPS, (unsigned long long)trips, kind == PLACE_NEED_TRIPS_LEAST ? "least" : "most", value);
}

/* What the program asks for are wishes for its original kernel, unless the kernel can see what it got. */
static int check_open_threads(const struct question *q, struct place_diag *why) {
  if (q->region->region->open_threads || !q->view->thread_limit) return 0;
  return place_diag_set(why, WHY_THREADS_LIMITED);
}

static int check_open_teams(const struct question *q, struct place_diag *why) {
  if (q->region->region->teams == PLACE_TEAMS_OPEN || !q->view->launch.teams) return 0;
  return place_diag_set(why, WHY_TEAMS_ASKED);
}

/* Whoever changes the number of teams must not be seen to, nor change how sums are formed. */
static int check_all_teams(const struct question *q, struct place_diag *why) {
  const struct place_region *r = q->region->region;
  if (q->view->teams_limited) return place_diag_set(why, WHY_TEAMS_LIMITED);
  if (r->teams != PLACE_TEAMS_OPEN || r->reduction)
    return place_diag_set(why, WHY_TEAMS_NOT_FREE);
  if (needs_teams(q->region, q->number, &q->view->launch)) return 0;
  return place_diag_set(why, WHY_TEAMS_UNKNOWN);
}

static int check_extents(const struct question *q, struct place_diag *why) {
  bool known = q->version->extent_count > 0;
  for (unsigned d = 0; d < q->version->extent_count; d++) {
    uint64_t extent;
    known = known && value_of(q, q->version->extent[d], &extent);
    known = known && extent > 0 && extent <= INT32_MAX;
  }
  return known ? 0 : place_diag_set(why, WHY_EXTENTS_UNKNOWN);
}

/* Whether a version may be launched with other numbers of teams or threads than the original. */
static bool changes_shape(const struct place_version *v) {
  return v->each || v->rows || v->fill || v->teams != PLACE_EXPR_NONE || place_version_needs(v, PLACE_NEED_OPEN_THREADS) ||
         place_version_needs(v, PLACE_NEED_OPEN_TEAMS) || place_version_needs(v, PLACE_NEED_ALL_TEAMS);
}

/* libomptarget launches no more threads than a kernel's registers let there be, without a word: of the original as many as of a version only
 * if all fit. A team has 65,536 registers, given to a thread by eights and to four warps at once, on all GPUs since sm_70. */
static int check_registers(const struct question *q, struct place_diag *why) {
  enum { REGISTERS_OF_TEAM = 65536, UNIT = 8, THREADS_AT_ONCE = 128 };
  unsigned registers = q->region->versions[q->number].registers, threads = q->view->launch.threads;
  if (!registers || q->version->threads || q->region->region->open_threads) return 0;
  unsigned given = (registers + UNIT - 1) / UNIT * UNIT;
  if (threads <= REGISTERS_OF_TEAM / given / THREADS_AT_ONCE * THREADS_AT_ONCE) return 0;
  return place_diag_set(why, WHY_TOO_MANY_REGISTERS, threads, registers);
}

/* ---- all ---- */

static int check(const struct question *q, const struct place_need *need, struct place_diag *why) {
  switch (need->kind) {
    case PLACE_NEED_THREADS:
    case PLACE_NEED_THREADS_LEAST:
    case PLACE_NEED_THREADS_MOST: return check_threads(q, need->kind, need->value, why);
    case PLACE_NEED_OPEN_THREADS: return check_open_threads(q, why);
    case PLACE_NEED_OPEN_TEAMS: return check_open_teams(q, why);
    case PLACE_NEED_ONE_TEAM: return q->view->launch.teams == 1 ? 0 : place_diag_set(why, WHY_NOT_ONE_TEAM);
    case PLACE_NEED_SEVERAL_TEAMS: return q->view->launch.teams == 1 ? place_diag_set(why, WHY_ONE_TEAM_ASKED) : 0;
    case PLACE_NEED_ALL_TEAMS: return check_all_teams(q, why);
    case PLACE_NEED_TRIPS_LEAST:
    case PLACE_NEED_TRIPS_MOST: return check_trips(q, need->kind, need->value, why);
    case PLACE_NEED_EXTENTS: return check_extents(q, why);
    case PLACE_NEED_READS_UNWRITTEN: return check_reads(q, why);
    case PLACE_NEED_WRITES_APART: return check_writes(q, why);
    case PLACE_NEED_APART: return check_apart(q, why);
    case PLACE_NEED_ARRAYS_ALIGNED: return check_arrays_aligned(q, need->value, why);
    case PLACE_NEED_READS_ALIGNED: return check_reads_aligned(q, need->value, why);
    case PLACE_NEED_READS_MAPPED: return check_reads_mapped(q, why);
    case PLACE_NEED_TEXTURES: return check_textures(q, why);
    case PLACE_NEED_ALIGNED: return check_alignment(q, need->value, why);
    case PLACE_NEED_COUNT: break;
  }
  return place_diag_set(why, WHY_NEED_UNKNOWN);
}

int needs_check(const struct rt_region *region, int version, const struct view *view, const struct place_plan *plan,
                struct place_diag *why) {
  const struct place_version *v = &region->region->versions[version];
  const struct question q = {region, v, version, view, plan};
  if (view->keeps_shape && changes_shape(v))
    return place_diag_set(why, WHY_SHAPE_KEPT);
  /* libomptarget keeps to the environment whatever it is asked for, and the driver refuses any other number than the version's. */
  if (view->most_threads && v->threads > view->most_threads)
    return place_diag_set(why, WHY_THREADS_OF_ENVIRONMENT, v->threads, view->most_threads);
  for (size_t i = 0; i < v->need_count; i++)
    if (check(&q, &v->needs[i], why)) return -1;
  return check_registers(&q, why);
}

void needs_usable(const struct rt_region *region, const struct view *view, bool *usable) {
  for (size_t v = 0; v < region->region->version_count; v++)
    usable[v] = versions_is_launchable(region, (int)v) && !needs_check(region, (int)v, view, NULL, NULL);
}
