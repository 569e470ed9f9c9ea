/* From sampled accesses to the traffic reduction graph. */
#include "bypass.h"

#include <stdlib.h>
#include <string.h>

#include "lru.h"

/* One launch's accesses, going through L1. */
struct replay {
  const struct model_input *in;
  uint64_t line, fill, below; /* bytes: of a line of L1, of what a miss brings in, of what L2 hands out */
  struct lru *cache;
  const struct walk_event **event; /* in the order of time */
  size_t events;
  double *weight; /* [access_count] executions in the launch for one that was sampled */
  int *load;      /* [access_count] node, or -1 */
  int64_t *hits;  /* [2 * access_count] of each load alone; of a pair, beyond that */
};

/* ---- what takes part ---- */

static bool is_load(const struct place_region *r, size_t access) {
  const struct place_array *array = &r->arrays[r->accesses[access].array];
  return r->accesses[access].kind == PLACE_READ && !array->atomic;
}

/* Numbers the nodes; false: too many. */
static bool number_loads(const struct place_region *r, enum bypass_group group, struct replay *p, struct bypass *b) {
  for (size_t i = 0; i < r->access_count; i++) {
    unsigned n = group == BYPASS_ARRAYS ? 0 : b->graph.loads;
    p->load[i] = -1;
    if (!is_load(r, i)) continue;
    while (n < b->graph.loads && b->load[n].array != (size_t)r->accesses[i].array) n++;
    if (n == TRAFFIC_MAX_LOADS) return false;
    if (n == b->graph.loads) b->load[b->graph.loads++] = (struct bypass_load){.array = (size_t)r->accesses[i].array, .access = i};
    p->load[i] = (int)n;
  }
  return true;
}

/* An event of each warp in turn, as long as there are some; of at most `warps`. */
static void order_events(const struct walk *walk, unsigned warps, struct replay *p) {
  size_t at[WALK_WARPS + 1], end[WALK_WARPS + 1], left = 0;
  unsigned n = 0;
  for (size_t e = 0; e < walk->count; e++) {
    bool first = !e || walk->events[e].warp != walk->events[e - 1].warp;
    if (first && n == warps) break;
    if (first) at[n++] = e;
    end[n - 1] = e + 1;
    left++;
  }
  for (p->events = 0; left;)
    for (unsigned w = 0; w < n; w++)
      if (at[w] < end[w]) p->event[p->events++] = &walk->events[at[w]++], left--;
}

static void weigh(struct replay *p) {
  size_t n = p->in->region->access_count;
  for (size_t e = 0; e < p->events; e++) p->weight[p->event[e]->access]++;
  for (size_t i = 0; i < n; i++)
    p->weight[i] = p->weight[i] > 0 ? p->in->traits->access[i].executions / p->weight[i] : 0;
}

/* ---- going through the cache ---- */

/* The distinct blocks of an event, ascending; at most two a lane. */
static unsigned blocks_of(const struct walk_event *event, unsigned width, uint64_t size, uint64_t *block) {
  unsigned count = 0;
  for (uint32_t left = event->active; left; left &= left - 1) {
    uint64_t offset = (uint64_t)walk_offset(event, (unsigned)__builtin_ctz(left));
    for (uint64_t b = offset / size; b <= (offset + width - 1) / size; b++) {
      unsigned at = count;
      while (at && block[at - 1] > b) at--;
      if ((at && block[at - 1] == b) || count == 64) continue;
      memmove(&block[at + 1], &block[at], (count - at) * sizeof *block);
      block[at] = b;
      count++;
    }
  }
  return count;
}

/* Adds each access's hits, in blocks, where the loads i and k are cached. */
static void add_hits(struct replay *p, int i, int k, int64_t *hits) {
  lru_empty(p->cache);
  for (size_t e = 0; e < p->events; e++) {
    const struct walk_event *event = p->event[e];
    const struct place_access *access = &p->in->region->accesses[event->access];
    uint64_t block[64], array = (uint64_t)access->array << 56, per_line = p->line / p->fill;
    int load = p->load[event->access];
    if (load < 0 || (load != i && load != k)) continue;
    unsigned count = blocks_of(event, access->width_bytes, p->fill, block);
    for (unsigned b = 0; b < count; b++)
      hits[event->access] += lru_touch(p->cache, array ^ (block[b] / per_line), (unsigned)(block[b] % per_line));
  }
}

/* Bytes of fills that so many hits of the accesses to load i or k save in the launch. */
static double saved(const struct replay *p, int i, int k, const int64_t *hits) {
  double sum = 0;
  for (size_t a = 0; a < p->in->region->access_count; a++)
    if (p->load[a] == i || p->load[a] == k) sum += (double)hits[a] * p->weight[a] * (double)p->fill;
  return sum;
}

/* gain_ij: what both together hit beyond what each does alone (hits[0]). */
static double gain(struct replay *p, int i, int k) {
  size_t n = p->in->region->access_count;
  for (size_t a = 0; a < n; a++) p->hits[n + a] = -p->hits[a];
  add_hits(p, i, k, p->hits + n);
  return saved(p, i, k, p->hits + n);
}

/* What goes to L1, and past it. */
static void count_accesses(struct replay *p, struct bypass *b) {
  for (size_t e = 0; e < p->events; e++) {
    const struct walk_event *event = p->event[e];
    unsigned width = p->in->region->accesses[event->access].width_bytes;
    uint64_t block[64];
    int load = p->load[event->access];
    if (load < 0) continue;
    b->load[load].on += blocks_of(event, width, p->fill, block) * p->weight[event->access] * (double)p->fill;
    b->load[load].off += blocks_of(event, width, p->below, block) * p->weight[event->access] * (double)p->below;
  }
}

static void fill_graph(struct replay *p, struct bypass *b) {
  struct traffic_graph *g = &b->graph;
  count_accesses(p, b);
  for (unsigned i = 0; i < g->loads; i++) {
    add_hits(p, (int)i, (int)i, p->hits);
    b->load[i].on -= saved(p, (int)i, (int)i, p->hits);
    g->node[i] = b->load[i].off - b->load[i].on;
  }
  for (unsigned i = 0; i < g->loads; i++)
    for (unsigned k = 0; k < i; k++) g->edge[i][k] = g->edge[k][i] = gain(p, (int)i, (int)k);
}

static int replay(struct replay *p, enum bypass_group group, const struct chain *chain, struct bypass *b, struct place_diag *diag) {
  const struct model_input *in = p->in;
  const struct place_memory *l1 = chain->level[0];
  double resident = in->warps > 1 ? in->warps : 1;
  unsigned warps = resident < in->walk->warps ? (unsigned)resident : in->walk->warps;
  double lines = (double)msl_capacity_bytes(l1) / (double)traits_line_bytes(l1) * warps / resident;
  p->line = traits_line_bytes(l1);
  p->fill = traits_block_bytes(l1) < p->line ? traits_block_bytes(l1) : p->line;
  p->below = traits_block_bytes(chain->level[1]);
  p->cache = lru_new(lines >= 1 ? (size_t)lines : 1);
  if (!p->cache || !p->event || !p->weight || !p->load || !p->hits) return place_diag_set(diag, "%s: out of memory", in->region->entry);
  if (!number_loads(in->region, group, p, b))
    return place_diag_set(diag, "%s: more than %d loads", in->region->entry, (int)TRAFFIC_MAX_LOADS);
  order_events(in->walk, warps, p);
  weigh(p);
  fill_graph(p, b);
  return 0;
}

int bypass_find(const struct model_input *in, enum bypass_group group, struct bypass *bypass, struct place_diag *diag) {
  const struct chain chain = traits_chain(in->machine, PLACE_GLOBAL);
  struct replay p = {.in = in};
  *bypass = (struct bypass){.graph = {.loads = 0}};
  if (chain.count < 3 || msl_capacity_bytes(chain.level[0]) == 0) return 0; /* L1, L2, the memory */
  p.event = malloc((in->walk->count + 1) * sizeof *p.event);
  p.weight = calloc(in->region->access_count + 1, sizeof *p.weight);
  p.load = malloc((in->region->access_count + 1) * sizeof *p.load);
  p.hits = calloc(2 * in->region->access_count + 1, sizeof *p.hits);
  int rc = replay(&p, group, &chain, bypass, diag);
  lru_free(p.cache);
  free(p.event);
  free(p.weight);
  free(p.load);
  free(p.hits);
  return rc;
}

double bypass_traffic(const struct bypass *bypass, const bool *cached) {
  double sum = 0;
  for (unsigned i = 0; i < bypass->graph.loads; i++) sum += bypass->load[i].off;
  return sum - traffic_reduction(&bypass->graph, cached);
}
