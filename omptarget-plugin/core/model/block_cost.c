/* What a block version costs: one SM's pipes for its share of the iterations, as in model_place.c, from affine forms alone.
 *
 *   time of 32 iterations = max over pipes + OVERLAP_LOSS * the others
 *   loads     a thread that carries out several iterations together reads what they have in common once: distinct elements of
 *             its iterations, of the members of a group, and with a tile of the steps of a strip. Each takes what the machine
 *             file says of its warp's lanes: lines of L1 (32 of them where lanes lie far apart), words of shared memory (four
 *             a load where the lanes agree), constants as in model_place.c
 *   tiles     of an array go in or out once for a team, coalesced: a global and a shared access for each element
 *   L2        what a team reaches once, or as often as a loop goes round over more than the teams of an SM hold in L1; stores
 *             by sector. A line's first 32 bytes count where elements lie farther apart
 *   device    bytes of the mapped sections that are reached, the same for all shapes
 *   issue     loads and their addresses, operations on what they bring, loop ends; the chunk loop divides for each index but
 *             one, a block takes SETUP instructions of each thread; of a single loop, where nothing is divided, OF_ROW of each
 *             thread, and the chunk loop as many for each iteration
 *   uneven    the last wave of blocks on the SMs
 * Threads that help to fetch tiles cost nothing.
 * The chunk loop, a shape of one row of the region's threads with one iteration each, is what the ratio is against. Not
 * modelled: latency, registers, arithmetic beyond an operation a load: block versions of kernels that compute more than they
 * read look better than they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "occupancy.h"
#include "rates.h"

enum {
  ISSUE_PER_CLK = 4,
  LOOP_END = 2,
  DIVISION = 120, /* instructions of a 64-bit division and its remainder */
  SETUP = 200,    /* of a thread, for a block */
  OF_ROW = 40,    /* the same for a block of a single loop, and what the chunk loop does there between iterations */
  JOINED_CONSTANT = 8,
  JOINED_SHARED = 16,
  SECTOR_BYTES = 32,
  MOST_OFFSETS = 4096
};
#define OPERATIONS 0.5 /* for each element read: a multiplication and addition takes two */
#define OVERLAP_LOSS 0.2

enum { PIPE_L1, PIPE_CONSTANT, PIPE_ISSUE, PIPE_L2, PIPE_DEVICE, PIPES };

struct block { /* one version under examination */
  const struct model_input *in;
  const struct place_version *version; /* NULL: the chunk loop */
  struct place_block shape;
  const struct block_reach *reach;
  double pipe[PIPES]; /* ns for 32 iterations */
};

static double thread_iterations(const struct place_block *s) {
  return (double)s->each[0] * (s->dims > 1 ? s->each[1] : 1) * (s->dims > 2 ? s->each[2] : 1);
}

static const struct place_access *access_of(const struct block *b, const struct block_group *g) {
  return &b->in->region->accesses[g->first];
}

static bool is_tiled(const struct block *b, const struct block_group *g) {
  bool tiled = b->version && b->version->tiled && b->version->tiled[access_of(b, g)->array] && g->known;
  return tiled && (b->shape.turned || (b->shape.strip && g->loops));
}

static enum place_space space_of(const struct block *b, const struct block_group *g) {
  int8_t space = b->version ? b->version->space[access_of(b, g)->array] : -1;
  return space < 0 ? PLACE_GLOBAL : (enum place_space)space;
}

/* ---- loads of a thread ---- */

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Distinct offsets of the members in the iterations that a thread carries out together. */
static double thread_elements(const struct block *b, const struct block_group *g) {
  const struct place_block *s = &b->shape;
  double all = thread_iterations(s) * g->members;
  if (!g->known || all > MOST_OFFSETS) return all;
  int64_t *offset = malloc((size_t)all * sizeof *offset);
  size_t count = 0;
  double distinct = 1;
  if (!offset) return all;
  for (unsigned m = 0; m < g->members; m++)
    for (unsigned r = 0; r < (unsigned)thread_iterations(s); r++) {
      int64_t at = g->offset[m];
      unsigned rest = r;
      for (unsigned d = s->dims; d-- > 0; rest /= s->each[d])
        at += (int64_t)(rest % s->each[d]) * (s->adjacent[d] ? 1 : s->threads[d]) * g->dim[d];
      offset[count++] = at;
    }
  qsort(offset, count, sizeof *offset, ascending);
  for (size_t i = 1; i < count; i++) distinct += offset[i] != offset[i - 1];
  free(offset);
  return distinct;
}

/* The same over the steps of a strip, which is unrolled. */
static double strip_elements(const struct block *b, const struct block_group *g) {
  const struct place_block *s = &b->shape;
  struct block_term terms[BLOCK_DIMS + 1];
  for (unsigned d = 0; d < s->dims; d++)
    terms[d] = (struct block_term){(s->adjacent[d] ? 1 : s->threads[d]) * g->dim[d], s->each[d]};
  terms[s->dims] = (struct block_term){g->loop[0].stride, s->strip};
  return block_distinct(terms, s->dims + 1, NULL) * g->members / s->strip;
}

/* ---- what a load takes ---- */

static int64_t lane_stride(const struct block *b, const struct block_group *g) {
  unsigned along = b->shape.dims - 1 - b->shape.lanes;
  return g->dim[along] * (b->shape.adjacent[along] && !b->shape.wide ? b->shape.each[along] : 1);
}

static double transactions(const struct block *b, const struct block_group *g, const struct place_memory *memory,
                           uint64_t block_bytes) {
  uint64_t address[SHAPE_WARP];
  for (unsigned l = 0; l < SHAPE_WARP; l++)
    address[l] = (UINT64_C(1) << 40) + (uint64_t)((int64_t)l * lane_stride(b, g));
  return block_bytes || !memory->serial ? msl_distinct_blocks(address, SHAPE_WARP, block_bytes ? block_bytes : SECTOR_BYTES)
                                        : msl_transactions(memory, address, SHAPE_WARP);
}

static double global_ns(const struct block *b, const struct block_group *g) {
  const struct place_machine *machine = b->in->machine;
  struct chain chain = traits_chain(machine, PLACE_GLOBAL);
  double n = g->known ? transactions(b, g, chain.level[0], 0) : b->in->traits->access[g->first].transactions[PLACE_GLOBAL][0];
  return chain.count ? rates_level_ns(machine, &chain, 0, n) : 1;
}

/* A coalesced access, to L1 or to shared memory. */
static double coalesced_ns(const struct place_machine *machine, enum place_space space) {
  const struct place_memory *memory = candidates_memory(machine, space);
  struct chain chain = traits_chain(machine, space);
  double ns = memory ? msl_curve_at_ns(&memory->distinct, SHAPE_WARP) : NAN;
  return isfinite(ns) ? ns : chain.count ? rates_level_ns(machine, &chain, 0, 1) : 1;
}

/* Elements that one load of a copy brings: neighbours in the order of the loop, to lanes that agree. */
static double joined(const struct block *b, const struct block_group *g, enum place_space space) {
  double width = access_of(b, g)->width_bytes, most = place_space_home(space) == PLACE_HOME_CONSTANT ? JOINED_CONSTANT : JOINED_SHARED;
  bool joins = g->known && g->loops && (double)llabs(g->loop[0].stride) == width && lane_stride(b, g) == 0;
  return joins && width < most ? most / width : 1;
}

static double shared_ns(const struct block *b, const struct block_group *g) {
  const struct place_machine *machine = b->in->machine;
  struct chain chain = traits_chain(machine, PLACE_SHARED);
  bool joins = joined(b, g, PLACE_SHARED) > 1 && chain.count;
  return joins ? rates_level_ns(machine, &chain, 0, 1) : coalesced_ns(machine, PLACE_SHARED);
}

/* Issue slots of an element's load: its address is known where a tile or a strip of constants is unrolled. */
static double load_slots(const struct block *b, const struct block_group *g, enum place_space space, bool tiled) {
  if (access_of(b, g)->kind != PLACE_READ) return 1;
  if (place_space_home(space) == PLACE_HOME_CONSTANT) return 1 / joined(b, g, space);
  return tiled || place_space_home(space) == PLACE_HOME_SHARED ? 1 / joined(b, g, PLACE_SHARED) : 2;
}

static void add_loads(struct block *b, const struct block_group *g) {
  const struct place_machine *machine = b->in->machine;
  bool tiled = is_tiled(b, g), write = access_of(b, g)->kind != PLACE_READ;
  double together = thread_iterations(&b->shape);
  double elements = tiled && b->shape.strip ? strip_elements(b, g) : thread_elements(b, g);
  double loads = g->executions * (write ? g->members : elements / together), slots;
  enum place_space space = space_of(b, g);
  if (place_space_home(space) == PLACE_HOME_CONSTANT) b->pipe[PIPE_CONSTANT] += loads * model_place_constant_ns(b->in, g->first);
  else b->pipe[PIPE_L1] += loads * (tiled || place_space_home(space) == PLACE_HOME_SHARED ? shared_ns(b, g) : global_ns(b, g));
  slots = loads * load_slots(b, g, space, tiled) + (write ? 0 : g->executions * g->members * OPERATIONS);
  b->pipe[PIPE_ISSUE] += slots * rates_clock_ns(machine) / ISSUE_PER_CLK;
}

/* ---- what a team reaches ---- */

/* Bytes of what a team's iterations reach in the loops up to `loops` of the group's, in sectors where elements lie apart. */
static double team_bytes(const struct block *b, const struct block_group *g, unsigned loops, double innermost_steps) {
  struct block_term terms[BLOCK_DIMS + BLOCK_LOOPS];
  const struct place_block *s = &b->shape;
  int64_t pitch;
  unsigned n = 0;
  double width = access_of(b, g)->width_bytes;
  for (unsigned d = 0; d < s->dims; d++)
    terms[n++] = (struct block_term){g->dim[d], (double)(s->threads[d] * s->each[d]) + (double)g->halo[d]};
  for (unsigned i = 0; i < loops; i++)
    terms[n++] = (struct block_term){g->loop[i].stride, i || !innermost_steps ? g->loop[i].trips : innermost_steps};
  double elements = block_distinct(terms, n, &pitch);
  return elements * fmin(fmax(width, (double)pitch), fmax(width, SECTOR_BYTES));
}

static double team_iterations(const struct place_block *s) {
  double product = thread_iterations(s);
  for (unsigned d = 0; d < s->dims; d++) product *= s->threads[d];
  return product;
}

/* How many loops of g lie within loop `number`, itself not counted; -1: it is none of g's. */
static int loops_within(const struct block_group *g, int number) {
  for (unsigned i = 0; i < g->loops; i++)
    if (g->loop[i].number == number) return (int)i;
  return -1;
}

/* Whether L1 holds what the teams of an SM reach in one iteration of a loop. */
static bool is_held(const struct block *b, int number) {
  const struct model_input *in = b->in;
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  unsigned threads = b->version ? b->version->threads : shape_threads(in->region, in->launch);
  unsigned teams = msl_teams_per_sm(in->machine, threads, OCCUPANCY_REGISTERS, 0);
  double bytes = 0;
  for (size_t i = 0; i < b->reach->count; i++) {
    const struct block_group *g = &b->reach->group[i];
    int within = g->known && !is_tiled(b, g) ? loops_within(g, number) : -1;
    if (within >= 0) bytes += team_bytes(b, g, (unsigned)within, 0);
  }
  return !chain.count || bytes * (teams ? teams : 1) <= (double)msl_capacity_bytes(chain.level[0]);
}

static double l2_bytes(const struct block *b, const struct block_group *g) {
  struct chain chain = traits_chain(b->in->machine, PLACE_GLOBAL);
  if (!g->known) return g->executions * SHAPE_WARP * SECTOR_BYTES;
  if (access_of(b, g)->kind != PLACE_READ && !is_tiled(b, g))
    return g->executions * g->members * SECTOR_BYTES * transactions(b, g, chain.level[0], SECTOR_BYTES);
  double bytes = team_bytes(b, g, g->loops, 0), again = 1;
  for (unsigned i = 0; i < g->loops; i++)
    if (!g->loop[i].stride && !is_held(b, g->loop[i].number)) again *= g->loop[i].trips;
  return bytes * again * SHAPE_WARP / team_iterations(&b->shape);
}

static void add_traffic(struct block *b, const struct block_group *g) {
  const struct place_machine *machine = b->in->machine;
  struct chain chain = traits_chain(machine, PLACE_GLOBAL);
  enum place_space space = space_of(b, g);
  double rate = chain.count > 1 ? rates_bytes_per_ns(machine, chain.level[chain.count - 2]) : 0;
  if (place_space_home(space) == PLACE_HOME_GLOBAL && rate > 0) b->pipe[PIPE_L2] += l2_bytes(b, g) / rate;
  if (place_space_home(space) == PLACE_HOME_GLOBAL && is_tiled(b, g)) { /* copying the tile, element by element */
    double width = access_of(b, g)->width_bytes, strips = b->shape.strip ? g->executions / b->shape.strip : 1;
    double elements = team_bytes(b, g, b->shape.strip ? 1 : 0, b->shape.strip) / width * strips / team_iterations(&b->shape);
    b->pipe[PIPE_L1] += elements * (coalesced_ns(machine, PLACE_GLOBAL) + coalesced_ns(machine, PLACE_SHARED));
    b->pipe[PIPE_ISSUE] += 4 * elements * rates_clock_ns(machine) / ISSUE_PER_CLK;
  }
}

/* ---- the whole ---- */

static double device_ns(const struct block *b) {
  const struct model_input *in = b->in;
  struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  double bytes = 0, rate = chain.count ? rates_bytes_per_ns(in->machine, chain.level[chain.count - 1]) : 0;
  for (size_t a = 0; a < in->region->array_count; a++)
    if (in->candidates[a].window.known) bytes += (double)in->candidates[a].window.bytes;
  return rate > 0 ? bytes / rate * SHAPE_WARP / (double)in->launch->trip_count : 0;
}

static void add_loops(struct block *b) {
  double most = 0, clk = rates_clock_ns(b->in->machine) / ISSUE_PER_CLK;
  for (size_t i = 0; i < b->reach->count; i++) most = fmax(most, b->reach->group[i].executions);
  double ends = LOOP_END * most / thread_iterations(&b->shape) / (b->shape.strip ? b->shape.strip : 1);
  double setup = b->shape.dims == 1 ? OF_ROW : SETUP, chunk = b->shape.dims == 1 ? OF_ROW : DIVISION * (b->shape.dims - 1.0);
  b->pipe[PIPE_ISSUE] += clk * (ends + (b->version ? setup / thread_iterations(&b->shape) : chunk));
}

/* How many teams there are: of the chunk loop, one for each chunk. */
static double teams_of(const struct block *b, const uint64_t extent[BLOCK_DIMS]) {
  double blocks = 1;
  if (!b->version) return ceil((double)b->in->launch->trip_count / shape_threads(b->in->region, b->in->launch));
  for (unsigned d = 0; d < b->shape.dims; d++) blocks *= ceil((double)extent[d] / (b->shape.threads[d] * b->shape.each[d]));
  return blocks;
}

/* How much longer it takes because the last teams leave multiprocessors idle. Many teams of the chunk loop even each other out. */
static double unevenness(const struct block *b, const uint64_t extent[BLOCK_DIMS]) {
  double teams = teams_of(b, extent), sms = rates_sm_count(b->in->machine);
  return b->version || teams < sms ? ceil(teams / sms) * sms / teams : 1;
}

static double block_ns(struct block *b, const uint64_t extent[BLOCK_DIMS]) {
  double most = 0, sum = 0;
  for (size_t i = 0; i < b->reach->count; i++) {
    add_loads(b, &b->reach->group[i]);
    add_traffic(b, &b->reach->group[i]);
  }
  add_loops(b);
  b->pipe[PIPE_DEVICE] = device_ns(b);
  for (unsigned p = 0; p < PIPES; p++) most = fmax(most, b->pipe[p]), sum += b->pipe[p];
  return (most + OVERLAP_LOSS * (sum - most)) * unevenness(b, extent);
}

/* What all versions of a region with a nest of these extents have in common: how the accesses reach, and the chunk loop's time. */
struct nest {
  bool known;
  unsigned dims;
  uint64_t extent[BLOCK_DIMS];
  struct block_reach reach;
  double chunk_ns;
};

static bool find_nest(struct nest *nest, const struct model_input *in, unsigned dims, const uint64_t extent[BLOCK_DIMS]) {
  if (nest->known && nest->dims == dims && !memcmp(nest->extent, extent, dims * sizeof *extent)) return true;
  if (nest->known) block_reach_free(&nest->reach);
  nest->dims = dims;
  memcpy(nest->extent, extent, dims * sizeof *extent);
  nest->known = block_reach_find(in, dims, extent, &nest->reach) == 0;
  if (!nest->known) {
    block_reach_free(&nest->reach);
    return false;
  }
  struct place_block row = {.dims = dims, .threads = {1, 1, 1}, .each = {1, 1, 1}};
  row.threads[dims - 1] = shape_threads(in->region, in->launch);
  struct block chunk = {in, NULL, row, &nest->reach, {0}};
  nest->chunk_ns = block_ns(&chunk, extent);
  return true;
}

/* Ratio of a version's time to the chunk loop's; 0 and why it is not known. */
static double ratio_of(struct nest *nest, const struct model_input *in, const struct place_version *version, const char **why) {
  uint64_t extent[BLOCK_DIMS];
  if (!block_extents(in, version, extent)) return *why = "its extents are not known at this launch", 0;
  if (!find_nest(nest, in, version->block.dims, extent)) return *why = "what its iterations reach is not known", 0;
  if (nest->chunk_ns == 0) return *why = "the model sees nothing that the chunk loop does", 0;
  for (unsigned d = 0; d < version->block.dims; d++) /* too small for a block: it runs its chunk loops */
    if (extent[d] < place_block_extent(&version->block, d)) return 1;
  struct block block = {in, version, version->block, &nest->reach, {0}};
  return block_ns(&block, extent) / nest->chunk_ns;
}

static int estimate_version(struct nest *nest, const struct model_input *in, const struct place_version *version, double base_ns,
                            struct place_estimate *out, struct place_diag *diag) {
  const char *why = NULL;
  double ns = base_ns * ratio_of(nest, in, version, &why);
  if (!why && !(isfinite(ns) && ns > 0))
    return place_diag_set(diag, "%s: the prediction of version %s is no number (%g ns)", in->region->entry, version->entry, ns);
  *out = why ? (struct place_estimate){PLACE_ESTIMATE_NONE, 0, why} : (struct place_estimate){PLACE_ESTIMATE_KNOWN, ns, NULL};
  return 0;
}

int block_costs(const struct model_input *in, double base_ns, struct place_estimate *out, struct place_diag *diag) {
  struct nest nest = {.known = false};
  int rc = 0;
  for (size_t v = 0; rc == 0 && v < in->region->version_count; v++)
    if (in->region->versions[v].block.dims)
      rc = estimate_version(&nest, in, &in->region->versions[v], base_ns, &out[v], diag);
  if (nest.known) block_reach_free(&nest.reach);
  return rc;
}
