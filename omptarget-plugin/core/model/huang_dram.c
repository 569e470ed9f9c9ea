/* Paper 001, 3.3: device memory as banks with row buffers, a G/G/1 queue before each.
 *
 * The sampled warps' accesses that go to device memory are followed in program order, all sampled warps in step. An array's sector that
 * was touched before in the sample is in a cache; the others are requests. Address bits that are neither row nor column
 * name the bank: row and column are bits 8 to 21 and 30 to 32, as the paper measured on a K80 (3.3.2); it does not say which
 * are which, so the low COLUMN_BITS are taken for the column. No other machine's mapping is known here; arrays are taken to
 * lie one after another. Latencies of a row hit, miss and conflict keep the K80's proportions (352, 742, 1008 ns), with the
 * machine file's latency of globalMem for the hit.
 * Inter-arrival times: instructions between two requests to the bank, times the time of one (step_ns), and as the sample
 * stands for all warps on the device, divided by how many times fewer it has. A bank with fewer than FEW requests in the
 * sample takes the statistics of all banks. Utilisation is held below MOST_UTILISED, where the queue has no steady state.
 *
 * All plans of a launch have the same requests, but for those to arrays that a plan copies, and in the same order. So they are found and
 * sorted once (huang_requests_new), and a plan passes over those that it does not make. */
#include <math.h>
#include <stdlib.h>

#include "huang.h"
#include "rates.h"

enum { LANES = 32, SECTOR_BYTES = 32, COLUMN_BITS = 5, FEW = 4, ROW_LOW_BIT = 8 + COLUMN_BITS };
#define MOST_UTILISED 0.95
static const double miss_over_hit = 742.0 / 352, conflict_over_hit = 1008.0 / 352;

struct request {
  uint64_t sector, bank;
  uint32_t row, array;
  uint32_t ordinal; /* of the access among those of its warp, from 1 */
  uint32_t found;   /* how many requests the walk made before */
};

struct huang_requests {
  size_t count;
  struct request request[]; /* by bank, ordinal and `found` */
};

/* ---- the requests of a launch ---- */

/* The walk is followed twice: first only to know how much memory the second time needs. */
struct follow {
  struct huang_requests *requests; /* NULL: the first time */
  size_t most;                     /* requests, at most */
  uint32_t *touched;               /* open addressing; request + 1 */
  size_t mask;
};

static uint64_t bank_of(uint64_t address) {
  return (address >> 5 & 7) | (address >> 22 & 0xff) << 3 | address >> 33 << 11;
}

static uint32_t row_of(uint64_t address) {
  return (uint32_t)((address >> ROW_LOW_BIT & ((1u << (22 - ROW_LOW_BIT)) - 1)) | (address >> 30 & 7) << 16);
}

/* The sectors of a warp's access; those of neighbouring lanes are mostly the same, and are there once. */
static unsigned sectors_of(const struct walk_event *event, uint64_t base, uint64_t *sector) {
  unsigned n = 0;
  for (unsigned l = 0; l < LANES; l++) {
    uint64_t at = (base + (uint64_t)walk_offset(event, l)) / SECTOR_BYTES;
    if ((event->active >> l & 1) && (n == 0 || sector[n - 1] != at)) sector[n++] = at;
  }
  return n;
}

static void touch(struct follow *f, uint32_t array, uint64_t sector, uint32_t ordinal) {
  struct request *all = f->requests->request;
  uint32_t count = (uint32_t)f->requests->count;
  size_t at = (size_t)(((sector + array) * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & f->mask;
  for (; f->touched[at]; at = (at + 1) & f->mask)
    if (all[f->touched[at] - 1].sector == sector && all[f->touched[at] - 1].array == array) return;
  all[count] = (struct request){sector, bank_of(sector * SECTOR_BYTES), row_of(sector * SECTOR_BYTES), array, ordinal, count};
  f->touched[at] = count + 1;
  f->requests->count++;
}

/* Where each array begins, one after another from the first. */
static uint64_t base_of(const struct model_input *in, size_t array) {
  uint64_t base = 0;
  for (size_t a = 0; a < array; a++) {
    uint64_t bytes = in->candidates[a].window.known ? in->candidates[a].window.bytes : 1 << 26;
    base += (bytes + 255) & ~UINT64_C(255);
  }
  return base - (in->candidates[array].window.known ? (uint64_t)in->candidates[array].window.lo : 0);
}

static void follow_walk(const struct model_input *in, struct follow *f) {
  uint32_t ordinal = 0;
  unsigned warp = 0;
  size_t array = SIZE_MAX;
  uint64_t base = 0, sector[LANES];
  for (size_t e = 0; e < in->walk->count; e++) {
    const struct walk_event *event = &in->walk->events[e];
    size_t of = (size_t)in->region->accesses[event->access].array;
    if (event->warp != warp) warp = event->warp, ordinal = 0;
    ordinal++;
    if (of != array) array = of, base = base_of(in, of);
    unsigned n = sectors_of(event, base, sector);
    if (!f->requests) f->most += n;
    for (unsigned i = 0; f->requests && i < n; i++) touch(f, (uint32_t)array, sector[i], ordinal);
  }
}

static int by_bank(const void *a, const void *b) {
  const struct request *x = a, *y = b;
  if (x->bank != y->bank) return x->bank < y->bank ? -1 : 1;
  if (x->ordinal != y->ordinal) return x->ordinal < y->ordinal ? -1 : 1;
  return x->found < y->found ? -1 : x->found > y->found;
}

void *huang_requests_new(const struct model_input *in, struct place_diag *diag) {
  struct follow f = {.requests = NULL};
  size_t slots = 64;
  follow_walk(in, &f);
  while (slots < 2 * f.most) slots *= 2;
  f.mask = slots - 1;
  f.touched = calloc(slots, sizeof *f.touched);
  f.requests = malloc(sizeof *f.requests + f.most * sizeof *f.requests->request);
  if (f.touched && f.requests) {
    f.requests->count = 0;
    follow_walk(in, &f);
    qsort(f.requests->request, f.requests->count, sizeof *f.requests->request, by_bank);
  } else {
    free(f.requests);
    f.requests = NULL;
    place_diag_set(diag, "%s: out of memory", in->region->entry);
  }
  free(f.touched);
  return f.requests;
}

/* ---- statistics ---- */

/* The requests that a plan makes. */
struct made {
  const struct model_input *in;
  const struct huang_requests *all;
  const uint8_t *space;
  double step; /* instructions from a warp's access to its next */
};

/* The first from `from` on; NULL: there is none. */
static const struct request *next_made(const struct made *made, const struct request *from) {
  const struct request *end = made->all->request + made->all->count;
  while (from < end && place_space_is_copy(model_space(made->in, from->array, made->space))) from++;
  return from < end ? from : NULL;
}

struct sums {
  double count, sum, squares;
};

static void add(struct sums *s, double x) {
  s->count++;
  s->sum += x;
  s->squares += x * x;
}

static double mean(const struct sums *s) { return s->count > 0 ? s->sum / s->count : 0; }

/* Coefficient of variation. */
static double variation(const struct sums *s) {
  double m = mean(s);
  return m > 0 ? sqrt(fmax(0, s->squares / s->count - m * m)) / m : 0;
}

struct bank {
  struct sums arrival, service;
};

/* Equations 8 to 10 for one bank; its latency, equation 6. */
static double bank_latency(const struct bank *bank, const struct bank *all, double scale, struct huang_dram *dram) {
  const struct sums *arrival = bank->arrival.count >= FEW ? &bank->arrival : &all->arrival;
  const struct sums *service = bank->service.count >= FEW ? &bank->service : &all->service;
  double tau_a = mean(arrival) * scale, tau_s = mean(service), rho = tau_a > 0 ? tau_s / tau_a : MOST_UTILISED;
  if (rho > MOST_UTILISED) rho = MOST_UTILISED, tau_a = tau_s / rho;
  double queue = (variation(arrival) + variation(service)) / 2 * rho / (1 - rho) * tau_a;
  double weight = bank->service.count / all->service.count;
  dram->arrival_ns += weight * tau_a;
  dram->service_ns += weight * tau_s;
  dram->c_a += weight * variation(arrival);
  dram->c_s += weight * variation(service);
  dram->utilisation += weight * rho;
  dram->queue_ns += weight * queue;
  return queue + tau_s;
}

/* Visits the banks: pass 0 gathers all, pass 1 adds up latencies, weighted by arrivals (equation 7). */
static void visit_banks(const struct made *made, double hit_ns, double scale, int pass, struct bank *all,
                        struct huang_dram *dram) {
  const struct request *r = next_made(made, made->all->request);
  while (r) {
    struct bank bank = {{0, 0, 0}, {0, 0, 0}};
    const struct request *before = NULL;
    for (; r && (!before || r->bank == before->bank); before = r, r = next_made(made, r + 1)) {
      bool fresh = !before, open = before && r->row == before->row;
      double service = open ? hit_ns : fresh ? miss_over_hit * hit_ns : conflict_over_hit * hit_ns;
      add(&bank.service, service);
      if (pass == 0) {
        add(&all->service, service);
        *(open ? &dram->hit_ratio : fresh ? &dram->miss_ratio : &dram->conflict_ratio) += 1;
      }
      if (fresh) continue;
      double arrival = (r->ordinal - before->ordinal) * made->step;
      add(&bank.arrival, arrival);
      if (pass == 0) add(&all->arrival, arrival);
    }
    if (pass == 0) dram->banks++;
    else dram->latency_ns += bank.service.count / all->service.count * bank_latency(&bank, all, scale, dram);
  }
}

void huang_dram_of(const struct model_input *in, const uint8_t *space, double step_ns, double instructions_per_access,
                   struct huang_dram *dram) {
  const struct made made = {in, in->prepared, space, instructions_per_access};
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_GLOBAL);
  double hit_ns = memory ? rates_latency_ns(in->machine, memory) : 0;
  double device_warps = in->warps * rates_sm_count(in->machine), sampled = in->walk->warps ? in->walk->warps : 1;
  double scale = step_ns * sampled / (device_warps > 0 ? device_warps : 1);
  struct bank all = {{0, 0, 0}, {0, 0, 0}};
  *dram = (struct huang_dram){.hit_ratio = 0};
  visit_banks(&made, hit_ns, scale, 0, &all, dram);
  double n = all.service.count;
  if (n > 0) {
    dram->hit_ratio /= n, dram->miss_ratio /= n, dram->conflict_ratio /= n;
    visit_banks(&made, hit_ns, scale, 1, &all, dram);
  } else {
    dram->latency_ns = dram->service_ns = hit_ns;
  }
}
