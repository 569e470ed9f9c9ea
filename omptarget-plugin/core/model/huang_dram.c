/* Paper 001, 3.3: device memory as banks with row buffers, a G/G/1 queue before each.
 *
 * The sampled warps' accesses that go to device memory are followed in program order, all sampled warps in step. A sector that
 * was touched before in the sample is in a cache; the others are requests. Address bits that are neither row nor column
 * name the bank: row and column are bits 8 to 21 and 30 to 32, as the paper measured on a K80 (3.3.2); it does not say which
 * are which, so the low COLUMN_BITS are taken for the column. No other machine's mapping is known here; arrays are taken to
 * lie one after another. Latencies of a row hit, miss and conflict keep the K80's proportions (352, 742, 1008 ns), with the
 * machine file's latency of globalMem for the hit.
 * Inter-arrival times: instructions between two requests to the bank, times the time of one (step_ns), and as the sample
 * stands for all warps on the device, divided by how many times fewer it has. A bank with fewer than FEW requests in the
 * sample takes the statistics of all banks. Utilisation is held below MOST_UTILISED, where the queue has no steady state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "huang.h"
#include "rates.h"

enum { SECTOR_BYTES = 32, COLUMN_BITS = 5, FEW = 4, ROW_LOW_BIT = 8 + COLUMN_BITS };
#define MOST_UTILISED 0.95
static const double miss_over_hit = 742.0 / 352, conflict_over_hit = 1008.0 / 352;

struct request {
  uint64_t bank, row;
  double time; /* instructions */
};

struct follow {
  struct request *request;
  size_t count;
  uint64_t *touched; /* open addressing; sector + 1 */
  size_t mask;
};

static uint64_t bank_of(uint64_t address) {
  return (address >> 5 & 7) | (address >> 22 & 0xff) << 3 | address >> 33 << 11;
}

static uint64_t row_of(uint64_t address) {
  return (address >> ROW_LOW_BIT & ((1u << (22 - ROW_LOW_BIT)) - 1)) | (address >> 30 & 7) << 16;
}

static bool touch(struct follow *f, uint64_t sector) {
  size_t at = (size_t)((sector * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & f->mask;
  while (f->touched[at] && f->touched[at] != sector + 1) at = (at + 1) & f->mask;
  bool before = f->touched[at] != 0;
  f->touched[at] = sector + 1;
  return before;
}

static void add_event(struct follow *f, const struct walk_event *event, uint64_t base, double time) {
  for (unsigned l = 0; l < 32; l++) {
    uint64_t address = base + (uint64_t)walk_offset(event, l);
    if (!(event->active >> l & 1) || touch(f, address / SECTOR_BYTES)) continue;
    f->request[f->count++] = (struct request){bank_of(address), row_of(address), time};
  }
}

static int by_bank(const void *a, const void *b) {
  const struct request *x = a, *y = b;
  if (x->bank != y->bank) return x->bank < y->bank ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

/* ---- statistics ---- */

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
static void visit_banks(const struct follow *f, double hit_ns, double scale, int pass, struct bank *all,
                        struct huang_dram *dram) {
  for (size_t i = 0; i < f->count;) {
    struct bank bank = {{0, 0, 0}, {0, 0, 0}};
    size_t first = i;
    for (; i < f->count && f->request[i].bank == f->request[first].bank; i++) {
      bool open = i > first && f->request[i].row == f->request[i - 1].row, fresh = i == first;
      double service = open ? hit_ns : fresh ? miss_over_hit * hit_ns : conflict_over_hit * hit_ns;
      add(&bank.service, service);
      if (pass == 0) {
        add(&all->service, service);
        *(open ? &dram->hit_ratio : fresh ? &dram->miss_ratio : &dram->conflict_ratio) += 1;
      }
      if (i == first) continue;
      add(&bank.arrival, f->request[i].time - f->request[i - 1].time);
      if (pass == 0) add(&all->arrival, f->request[i].time - f->request[i - 1].time);
    }
    if (pass == 0) dram->banks++;
    else dram->latency_ns += bank.service.count / all->service.count * bank_latency(&bank, all, scale, dram);
  }
}

static void find_latency(const struct model_input *in, struct follow *f, double step_ns, struct huang_dram *dram) {
  const struct place_memory *memory = candidates_memory(in->machine, PLACE_GLOBAL);
  double hit_ns = memory ? rates_latency_ns(in->machine, memory) : 0;
  double device_warps = in->warps * rates_sm_count(in->machine), sampled = in->walk->warps ? in->walk->warps : 1;
  double scale = step_ns * sampled / (device_warps > 0 ? device_warps : 1);
  struct bank all = {{0, 0, 0}, {0, 0, 0}};
  if (!f->count) {
    dram->latency_ns = dram->service_ns = hit_ns;
    return;
  }
  qsort(f->request, f->count, sizeof *f->request, by_bank);
  visit_banks(f, hit_ns, scale, 0, &all, dram);
  double n = (double)f->count;
  dram->hit_ratio /= n, dram->miss_ratio /= n, dram->conflict_ratio /= n;
  visit_banks(f, hit_ns, scale, 1, &all, dram);
}

/* ---- all ---- */

/* Where each array begins, one after another from the first. */
static uint64_t base_of(const struct model_input *in, size_t array) {
  uint64_t base = 0;
  for (size_t a = 0; a < array; a++) {
    uint64_t bytes = in->candidates[a].window.known ? in->candidates[a].window.bytes : 1 << 26;
    base += (bytes + 255) & ~UINT64_C(255);
  }
  return base - (in->candidates[array].window.known ? (uint64_t)in->candidates[array].window.lo : 0);
}

static void follow_walk(const struct model_input *in, const uint8_t *space, double instructions_per_access, struct follow *f) {
  double time = 0;
  unsigned warp = 0;
  size_t array = SIZE_MAX;
  uint64_t base = 0;
  for (size_t e = 0; e < in->walk->count; e++) {
    const struct walk_event *event = &in->walk->events[e];
    size_t of = (size_t)in->region->accesses[event->access].array;
    if (event->warp != warp) warp = event->warp, time = 0;
    time += instructions_per_access;
    if (place_space_is_copy(model_space(in, of, space))) continue;
    if (of != array) array = of, base = base_of(in, of);
    add_event(f, event, base, time);
  }
}

int huang_dram_of(const struct model_input *in, const uint8_t *space, double step_ns, double instructions_per_access,
                  struct huang_dram *dram) {
  size_t capacity = 64, most = in->walk->count * 32;
  struct follow f = {.count = 0};
  *dram = (struct huang_dram){.hit_ratio = 0};
  while (capacity < 2 * most) capacity *= 2;
  f.mask = capacity - 1;
  f.request = malloc((most + 1) * sizeof *f.request);
  f.touched = calloc(capacity, sizeof *f.touched);
  int rc = f.request && f.touched ? 0 : -1;
  if (rc == 0) follow_walk(in, space, instructions_per_access, &f), find_latency(in, &f, step_ns, dram);
  free(f.request);
  free(f.touched);
  return rc;
}
