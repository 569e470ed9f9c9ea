/* Advice on duplication: the region as if an array's reads went to a copy. */
#include "place/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rates.h"
#include "session.h"

/* ---- which arrays ---- */

/* Whether both accesses of an iteration are at one address: the same expression, in which nothing is unknown. */
static bool is_same_address(const struct place_table *table, const struct place_access *a, const struct place_access *b) {
  if (a->offset == PLACE_EXPR_NONE || b->offset == PLACE_EXPR_NONE) return false;
  return place_expr_equal(&table->exprs, a->offset, b->offset) && !place_expr_uses(&table->exprs, a->offset, PLACE_EXPR_ANY, 0);
}

/* The first read that is of no element which the iteration writes, and a write; false: there are none. */
static bool is_separate(const struct place_table *table, const struct place_region *region, size_t array, size_t *read, size_t *write) {
  bool any_read = false, any_write = false;
  for (size_t i = 0; i < region->access_count; i++) {
    const struct place_access *a = &region->accesses[i];
    if ((size_t)a->array != array) continue;
    if (a->kind != PLACE_READ) {
      if (!any_write) *write = i;
      any_write = true;
      continue;
    }
    bool own = false;
    for (size_t k = 0; k < region->access_count; k++)
      own |= (size_t)region->accesses[k].array == array && region->accesses[k].kind != PLACE_READ &&
             is_same_address(table, a, &region->accesses[k]);
    if (own || any_read) continue;
    *read = i;
    any_read = true;
  }
  return any_read && any_write;
}

/* The first read of an array that is only read, but overlaps one that is written. */
static bool is_beside(const struct place_region *region, size_t array, const bool *overlaps, size_t *read) {
  const struct place_array *a = &region->arrays[array];
  if (!overlaps || !overlaps[array] || a->placeable < 0 || a->written || a->atomic) return false;
  for (*read = 0; *read < region->access_count; ++*read)
    if ((size_t)region->accesses[*read].array == array) return true;
  return false;
}

/* *write: region->access_count where it is not known which one. */
static bool is_candidate(const struct place_table *table, const struct place_region *region, size_t array, const bool *overlaps,
                         size_t *read, size_t *write) {
  const struct place_array *a = &region->arrays[array];
  *write = region->access_count;
  if (is_beside(region, array, overlaps, read)) return true;
  return a->placeable < 0 && a->read && (a->written || a->atomic) && region->placeable_count < PLACE_MAX_PLACEABLE &&
         is_separate(table, region, array, read, write);
}

bool place_advice_is_due(const struct place_table *table, const struct place_region *region, const bool *overlaps) {
  size_t read, write;
  for (size_t a = 0; a < region->array_count; a++)
    if (is_candidate(table, region, a, overlaps, &read, &write)) return true;
  return false;
}

/* ---- the region with a copy ---- */

struct imagined {
  struct place_region region;
  struct place_launch launch;
  struct place_array *arrays;
  struct place_access *accesses;
  struct place_extent *extent;
  place_space_set *allowed;
};

static void imagined_free(struct imagined *m) {
  free(m->arrays);
  free(m->accesses);
  free(m->extent);
  free(m->allowed);
}

/* The copy is the last array; what was loaded from the array, and made an address, is loaded from it as well. */
static void move_reads(struct imagined *m, int array, int copy) {
  for (size_t i = 0; i < m->region.access_count; i++) {
    struct place_access *a = &m->accesses[i];
    if (a->array == array && a->kind == PLACE_READ) a->array = copy;
    if (a->index_source == array) a->index_source = copy;
  }
}

/* The array's reads go to one more array. */
static void add_copy(struct imagined *m, size_t array) {
  size_t n = m->region.array_count++;
  m->arrays[n] = m->arrays[array];
  m->arrays[n].written = m->arrays[n].atomic = false;
  m->arrays[n].placeable = (int)m->region.placeable_count++;
  m->arrays[array].read = false;
  m->extent[n] = m->extent[array];
  move_reads(m, (int)array, (int)n);
}

/* An array that is only read, and overlaps another, is a copy if it does not. It is the last one here, or itself. */
static int imagine(const struct place_question *q, size_t array, struct imagined *m, struct place_diag *diag) {
  const struct place_region *r = q->region;
  size_t n = r->array_count;
  *m = (struct imagined){.region = *r, .launch = *q->launch};
  m->arrays = malloc((n + 1) * sizeof *m->arrays);
  m->accesses = malloc((r->access_count + 1) * sizeof *m->accesses);
  m->extent = malloc((n + 1) * sizeof *m->extent);
  m->allowed = malloc((n + 1) * sizeof *m->allowed);
  if (!m->arrays || !m->accesses || !m->extent || !m->allowed) return place_diag_set(diag, "%s: out of memory", r->entry);
  memcpy(m->arrays, r->arrays, n * sizeof *m->arrays);
  memcpy(m->accesses, r->accesses, r->access_count * sizeof *m->accesses);
  memcpy(m->extent, q->launch->extent, n * sizeof *m->extent);
  memcpy(m->allowed, q->launch->allowed, n * sizeof *m->allowed);
  m->region.arrays = m->arrays;
  m->region.accesses = m->accesses;
  m->region.versions = NULL, m->region.version_count = 0; /* costs need none */
  m->region.no_version = NULL;
  if (r->arrays[array].placeable < 0) add_copy(m, array);
  else n = array;
  /* Textures have versions only where the source asks for them. */
  m->arrays[n].candidates = m->allowed[n] = ((1u << PLACE_SPACE_COUNT) - 1) & ~place_space_set_of(PLACE_HOME_TEXTURE);
  m->arrays[n].reason = NULL;
  m->launch.extent = m->extent, m->launch.allowed = m->allowed;
  return 0;
}

/* ---- what it gains ---- */

enum { EMPTY_KERNEL_NS = 2000 }; /* where the machine file does not say; an H200: 1,700 */

static int best_of(const struct place_question *question, struct solve_result *best, double *cost_ns, struct place_diag *diag) {
  struct session *s = session_open(question, diag);
  int rc = s ? session_solve(s, PLACE_SOLVER_AUTO, best, diag) : -1;
  if (rc == 0) *cost_ns = session_cost(s, best->space, NULL);
  if (s) session_close(s);
  return rc == 0 && !isfinite(*cost_ns) ? place_diag_set(diag, "%s: what a copy gains is no number", question->region->entry) : rc;
}

/* Reading or writing so many bytes of device memory, by all SMs; where the file has no bandwidth, by what a transaction takes. */
static double stream_ns(const struct place_machine *machine, double bytes) {
  struct chain chain = traits_chain(machine, PLACE_GLOBAL);
  const struct place_memory *memory = chain.count ? chain.level[chain.count - 1] : NULL;
  if (!memory) return INFINITY;
  double rate = rates_bytes_per_ns(machine, memory);
  double ns = rate > 0 ? bytes / rate : bytes / (double)traits_block_bytes(memory) * rates_level_ns(machine, &chain, chain.count - 1, 1);
  return ns / rates_sm_count(machine);
}

static double copy_ns(const struct place_machine *machine, uint64_t bytes, enum place_space space) {
  const struct place_memory *home = candidates_memory(machine, space);
  double launch = msl_time_ns(machine, &machine->launch_time);
  double fill = place_space_copy(space) == PLACE_COPY_PROGRAM && home ? msl_time_ns(machine, &home->fill_time) : 0;
  return stream_ns(machine, 2 * (double)bytes) + (isfinite(launch) ? launch : EMPTY_KERNEL_NS) + (isfinite(fill) ? fill : 0);
}

static int advise_array(const struct place_question *q, size_t array, double now_ns, struct place_advice *out, struct place_diag *diag) {
  struct imagined m;
  struct solve_result best;
  int rc = imagine(q, array, &m, diag);
  struct place_question with = *q;
  with.region = &m.region, with.launch = &m.launch;
  if (rc == 0) rc = best_of(&with, &best, &out->then_ns, diag);
  if (rc == 0) {
    out->array = (int)array;
    out->now_ns = now_ns;
    int own = q->region->arrays[array].placeable;
    out->space = (enum place_space)best.space[own < 0 ? (int)q->region->placeable_count : own];
    out->copy_ns = copy_ns(q->machine, q->launch->extent[array].bytes, out->space);
  }
  imagined_free(&m);
  return rc;
}

static double gain_ns(const struct place_advice *a) { return a->now_ns - a->then_ns - a->copy_ns; }

/* In the order of gains; the least falls off. */
static int keep(struct place_advice *all, int count, const struct place_advice *one) {
  int at = count < PLACE_MAX_ADVICE ? count : PLACE_MAX_ADVICE - 1;
  if (count == PLACE_MAX_ADVICE && gain_ns(one) <= gain_ns(&all[at])) return count;
  while (at > 0 && gain_ns(one) > gain_ns(&all[at - 1])) all[at] = all[at - 1], at--;
  all[at] = *one;
  return count < PLACE_MAX_ADVICE ? count + 1 : count;
}

int place_advise(const struct place_question *question, const bool *overlaps, double threshold, struct place_advice *out,
                 struct place_diag *diag) {
  const struct place_region *r = question->region;
  struct place_question q = *question;
  struct solve_result best;
  size_t read = 0, write = 0;
  double now_ns = 0;
  int count = 0;
  if (!*model_of(q.model)->unit) q.model = PLACE_MODEL_PLACE;
  for (size_t a = 0; a < r->array_count; a++) {
    struct place_advice one = {0};
    if (!q.launch->extent[a].known || !q.launch->extent[a].bytes || !is_candidate(q.table, r, a, overlaps, &read, &write)) continue;
    if (!(now_ns > 0) && best_of(&q, &best, &now_ns, diag)) return -1;
    if (advise_array(&q, a, now_ns, &one, diag)) return -1;
    one.read_line = r->accesses[read].line;
    one.written_line = write < r->access_count ? r->accesses[write].line : 0;
    if (gain_ns(&one) > threshold * now_ns) count = keep(out, count, &one);
  }
  return count;
}
