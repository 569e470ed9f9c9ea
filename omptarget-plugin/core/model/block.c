/* What the iterations of block versions reach. */
#include "block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"

bool block_extents(const struct model_input *in, const struct place_version *version, uint64_t extent[BLOCK_DIMS]) {
  const struct place_launch *l = in->launch;
  struct place_point at = {.arg = l->arg, .arg_known = l->arg_known, .args = l->args};
  for (unsigned d = 0; d < version->extent_count; d++)
    if (!place_expr_eval(&in->table->exprs, version->extent[d], &at, &extent[d]) || !extent[d] || extent[d] > INT32_MAX) return false;
  return version->extent_count > 0;
}

/* ---- what they reach ---- */

/* The region's expressions, and a point among the iterations. */
struct probe {
  const struct model_input *in;
  struct bound bound;
  int32_t trips[BOUND_MAX_LOOPS];
  int32_t *offset; /* of each access */
  int64_t *middle_offset; /* where each access goes at the middle, 0 where that has no value */
  unsigned dims;
  const uint64_t *extent;
  uint64_t middle[BLOCK_DIMS];
  uint64_t index; /* of the iteration where it is */
};

/* The iteration where dimension d is `further` on from the middle. */
static uint64_t index_at(const struct probe *p, unsigned d, uint64_t further) {
  uint64_t index = 0;
  for (unsigned k = 0; k < p->dims; k++) index = index * p->extent[k] + p->middle[k] + (k == d ? further : 0);
  return index;
}

/* The value there; false: it has none. */
static bool probe_at(struct probe *p, int32_t part, unsigned d, uint64_t further, int64_t *value) {
  uint64_t index = index_at(p, d, further), threads = p->bound.at.threads;
  if (index != p->index) bound_warp(&p->bound, index % threads, index / threads);
  p->index = index;
  const struct lanes *lanes = bound_eval(&p->bound, part, p->bound.loops);
  if (lanes) *value = (int64_t)lanes_at(lanes, 0);
  return lanes != NULL;
}

static int add_expressions(struct probe *p) {
  const struct place_region *region = p->in->region;
  int32_t rc = 0;
  for (size_t i = 0; rc != BOUND_NO_MEMORY && i < region->loop_count; i++) {
    rc = p->trips[i] = bound_add(&p->bound, region->loops[i].trips);
    bound_next_loop(&p->bound, 1); /* no loop is followed farther */
  }
  for (size_t i = 0; rc != BOUND_NO_MEMORY && i < region->access_count; i++)
    rc = p->offset[i] = bound_add(&p->bound, region->accesses[i].offset);
  return rc == BOUND_NO_MEMORY ? -1 : bound_ready(&p->bound);
}

static int open_probe(struct probe *p) {
  const struct model_input *in = p->in;
  uint64_t threads = shape_threads(in->region, in->launch);
  for (unsigned d = 0; d < p->dims; d++) p->middle[d] = p->extent[d] > 4 ? p->extent[d] / 2 : 0;
  struct place_point at = {.tid = threads - 1, .team = index_at(p, 0, 2) / threads, .threads = threads,
                           .teams = in->launch->trip_count / threads + 1, .arg = in->launch->arg,
                           .arg_known = in->launch->arg_known, .args = in->launch->args};
  p->offset = malloc((in->region->access_count + 1) * sizeof *p->offset);
  p->middle_offset = calloc(in->region->access_count + 1, sizeof *p->middle_offset);
  int rc = bound_open(&p->bound, BOUND_THREAD, &p->in->table->exprs, &at, in->region->loop_count);
  if (rc || !p->offset || !p->middle_offset || add_expressions(p)) return -1;
  for (size_t i = 0; i < in->region->access_count; i++) probe_at(p, p->offset[i], 0, 0, &p->middle_offset[i]);
  return 0;
}

static void close_probe(struct probe *p) {
  bound_close(&p->bound);
  free(p->offset);
  free(p->middle_offset);
}

/* How far apart the values at two successive steps lie, if they are steps of one size. */
static bool probe_stride(struct probe *p, int32_t part, unsigned d, int64_t *stride) {
  int64_t at[3];
  for (unsigned i = 0; i < 3; i++)
    if (!probe_at(p, part, d, i, &at[i])) return false;
  *stride = at[1] - at[0];
  return at[2] - at[1] == *stride || p->extent[d] < 3;
}

/* Loops that hand iterations out are none of an iteration's own. */
static bool is_distribution(const struct place_expr_pool *pool, const struct place_loop *loop) {
  return place_expr_uses(pool, loop->trips, PLACE_EXPR_TEAM, 0) || place_expr_uses(pool, loop->trips, PLACE_EXPR_THREADS, 0);
}

static bool probe_loops(struct probe *p, size_t access, struct block_group *g) {
  const struct place_region *region = p->in->region;
  int64_t from, to, trips;
  for (int n = region->accesses[access].loop; n >= 0; n = region->loops[n].parent) {
    if (is_distribution(&p->in->table->exprs, &region->loops[n])) continue;
    if (g->loops == BLOCK_LOOPS || !probe_at(p, p->offset[access], p->dims, 0, &from)) return false;
    bool counted = probe_at(p, p->trips[n], p->dims, 0, &trips) && trips >= 0;
    bound_loop(&p->bound, (size_t)n, 1);
    bool known = probe_at(p, p->offset[access], p->dims, 0, &to);
    bound_loop(&p->bound, (size_t)n, 0);
    if (!known) return false;
    g->loop[g->loops++] = (struct block_loop){n, to - from, counted ? (double)trips : WALK_DEFAULT_TRIPS};
  }
  return true;
}

/* Strides of one access. */
static void probe_access(struct probe *p, size_t access, struct block_group *g) {
  const struct place_access *a = &p->in->region->accesses[access];
  *g = (struct block_group){.first = access, .members = 1};
  g->executions = p->in->traits->access[access].executions * SHAPE_WARP / (double)p->in->launch->trip_count;
  g->known = a->index_source < 0 && a->offset != PLACE_EXPR_NONE && probe_loops(p, access, g);
  for (unsigned d = 0; d < p->dims && g->known; d++) g->known = probe_stride(p, p->offset[access], d, &g->dim[d]);
}

static bool moves_alike(const struct place_region *region, const struct block_group *a, const struct block_group *b) {
  const struct place_access *x = &region->accesses[a->first], *y = &region->accesses[b->first];
  if (!a->known || !b->known || a->loops != b->loops || memcmp(a->dim, b->dim, sizeof a->dim)) return false;
  for (unsigned i = 0; i < a->loops; i++)
    if (a->loop[i].number != b->loop[i].number || a->loop[i].stride != b->loop[i].stride) return false;
  return x->array == y->array && x->kind == y->kind && x->width_bytes == y->width_bytes;
}

/* What is taken as 0 decides the address, if nothing else that moves does. */
static bool is_unknown(const struct probe *p, const struct place_access *a, const struct block_group *g) {
  bool moves = false;
  for (unsigned d = 0; d < p->dims; d++) moves |= g->dim[d] != 0;
  for (unsigned i = 0; i < g->loops; i++) moves |= g->loop[i].stride != 0;
  return !moves && place_expr_uses(&p->in->table->exprs, a->offset, PLACE_EXPR_ANY, 0);
}

/* How many iterations apart the members lie, dimension by dimension, those of long strides first. */
static void find_halo(struct block_group *g, unsigned dims) {
  int64_t least[BLOCK_DIMS] = {0}, most[BLOCK_DIMS] = {0};
  for (unsigned m = 0; m < g->members; m++) {
    int64_t left = g->offset[m];
    for (unsigned d = 0; d < dims; d++) {
      int64_t stride = g->dim[d] < 0 ? -g->dim[d] : g->dim[d];
      if (!stride) continue;
      int64_t steps = (left + (left < 0 ? -stride : stride) / 2) / stride;
      left -= steps * stride;
      if (steps < least[d]) least[d] = steps;
      if (steps > most[d]) most[d] = steps;
    }
  }
  for (unsigned d = 0; d < dims; d++) g->halo[d] = most[d] - least[d];
}

static int add_member(const struct probe *p, struct block_group *g, size_t access) {
  int64_t first = p->middle_offset[g->first], own = p->middle_offset[access];
  int64_t *grown = realloc(g->offset, (g->members + 1) * sizeof *grown);
  if (!grown) return -1;
  g->offset = grown;
  if (access == g->first) own = first, g->members = 0;
  g->offset[g->members++] = own - first;
  return 0;
}

static int add_access(struct probe *p, size_t access, struct block_reach *reach) {
  struct block_group one;
  probe_access(p, access, &one);
  if (one.known && is_unknown(p, &p->in->region->accesses[access], &one)) one.known = false;
  for (size_t i = 0; i < reach->count; i++)
    if (moves_alike(p->in->region, &reach->group[i], &one)) return add_member(p, &reach->group[i], access);
  reach->group[reach->count] = one;
  return add_member(p, &reach->group[reach->count++], access);
}

int block_reach_find(const struct model_input *in, unsigned dims, const uint64_t extent[BLOCK_DIMS], struct block_reach *reach) {
  const struct place_region *region = in->region;
  struct probe p = {.in = in, .dims = dims, .extent = extent, .index = UINT64_MAX};
  *reach = (struct block_reach){calloc(region->access_count + 1, sizeof *reach->group), 0};
  bool right = reach->group && in->launch->trip_count;
  int rc = right ? open_probe(&p) : -1;
  for (size_t i = 0; rc == 0 && i < region->access_count; i++) rc = add_access(&p, i, reach);
  for (size_t i = 0; i < reach->count; i++) find_halo(&reach->group[i], dims);
  close_probe(&p);
  return rc;
}

void block_reach_free(struct block_reach *reach) {
  for (size_t i = 0; i < reach->count; i++) free(reach->group[i].offset);
  free(reach->group);
}

/* ---- counting ---- */

/* Terms become axes: one whose stride is a multiple of an axis's, and not beyond its end, makes it longer. */
double block_distinct(struct block_term *terms, unsigned count, int64_t *pitch) {
  struct block_term axis[16];
  unsigned axes = 0;
  double product = 1;
  for (unsigned i = 1; i < count; i++) /* by stride */
    for (unsigned k = i; k > 0 && llabs(terms[k].stride) < llabs(terms[k - 1].stride); k--) {
      struct block_term t = terms[k];
      terms[k] = terms[k - 1], terms[k - 1] = t;
    }
  for (unsigned i = 0; i < count && axes < 16; i++) {
    int64_t stride = llabs(terms[i].stride);
    if (!stride || terms[i].steps <= 1) continue;
    unsigned a = axes;
    while (a > 0 && (stride % axis[a - 1].stride || (double)(stride / axis[a - 1].stride) > axis[a - 1].steps)) a--;
    if (a > 0) axis[a - 1].steps += (terms[i].steps - 1) * (double)(stride / axis[a - 1].stride);
    else axis[axes++] = (struct block_term){stride, terms[i].steps};
  }
  for (unsigned a = 0; a < axes; a++) product *= axis[a].steps;
  if (pitch) *pitch = axes ? axis[0].stride : 0;
  return product;
}
