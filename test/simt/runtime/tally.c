#include "tally.h"

#include "finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, ROWS = 4096 };

struct row {
  const struct simt_site *site; // null: free
  enum simt_space space;
  char array[64];
  struct simt_counts counts;
};

static struct row *tallies[MAX_WORKERS];

void simt_tally_clear(uint32_t worker) {
  if (!tallies[worker])
    tallies[worker] = calloc(ROWS, sizeof **tallies);
  else
    memset(tallies[worker], 0, ROWS * sizeof **tallies);
  if (!tallies[worker])
    simt_fatal("no memory for counts");
}

static void add_counts(struct simt_counts *sum, const struct simt_counts *more) {
  sum->warp_accesses += more->warp_accesses;
  sum->lane_accesses += more->lane_accesses;
  sum->sectors += more->sectors;
  sum->segments += more->segments;
  sum->distinct += more->distinct;
  sum->passes += more->passes;
  sum->l1_hits += more->l1_hits;
  sum->l2_hits += more->l2_hits;
}

static struct row *find_row(struct row *rows, const struct simt_site *site, enum simt_space space, const char *array) {
  size_t start = ((uintptr_t)site / sizeof *site) % ROWS;
  for (size_t i = 0; i < ROWS; i++) {
    struct row *row = &rows[(start + i) % ROWS];
    if (!row->site) {
      row->site = site;
      row->space = space;
      snprintf(row->array, sizeof row->array, "%s", array);
      return row;
    }
    if (row->site == site && row->space == space && strncmp(row->array, array, sizeof row->array - 1) == 0)
      return row;
  }
  simt_fatal("more than %d places to count", ROWS);
}

void simt_tally_add(uint32_t worker, const struct simt_site *site, enum simt_space space, const char *array,
                    const struct simt_counts *counts) {
  add_counts(&find_row(tallies[worker], site, space, array)->counts, counts);
}

static const char *space_name(enum simt_space space) {
  return space == SIMT_SHARED ? "shared" : space == SIMT_CONSTANT ? "constant" : "global";
}

static const char *access_name(const struct simt_site *site) {
  static const char *const names[] = {"load", "store", "atomic", "readonly-load", "sync"};
  return names[site->access];
}

static void print_row(const char *kind, const struct row *row) {
  const struct simt_counts *c = &row->counts;
  fprintf(stderr, "simt-count: %s %s %s %s warp-accesses=%llu lane-accesses=%llu", kind, space_name(row->space),
          row->array, access_name(row->site), (unsigned long long)c->warp_accesses,
          (unsigned long long)c->lane_accesses);
  if (row->space == SIMT_SHARED)
    fprintf(stderr, " bank-passes=%llu", (unsigned long long)c->passes);
  else if (row->space == SIMT_CONSTANT)
    fprintf(stderr, " distinct-addresses=%llu", (unsigned long long)c->distinct);
  else
    fprintf(stderr, " sectors=%llu segments=%llu l1-hits=%llu l2-hits=%llu", (unsigned long long)c->sectors,
            (unsigned long long)c->segments, (unsigned long long)c->l1_hits, (unsigned long long)c->l2_hits);
  if (strcmp(kind, "place") == 0)
    fprintf(stderr, " at %s:%u", *row->site->file ? row->site->file : "?", row->site->line);
  fputc('\n', stderr);
}

static int by_place(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  return (x->site->number > y->site->number) - (x->site->number < y->site->number);
}

// Adds up the rows of all workers in the first one's table and returns them packed at its start.
static size_t merge(void) {
  for (uint32_t worker = 1; worker < simt_worker_count(); worker++)
    for (size_t i = 0; i < ROWS; i++) {
      const struct row *row = &tallies[worker][i];
      if (row->site)
        add_counts(&find_row(tallies[0], row->site, row->space, row->array)->counts, &row->counts);
    }
  size_t count = 0;
  for (size_t i = 0; i < ROWS; i++)
    if (tallies[0][i].site)
      tallies[0][count++] = tallies[0][i];
  return count;
}

static bool same_array(const struct row *a, const struct row *b) {
  return a->space == b->space && a->site->access == b->site->access && strcmp(a->array, b->array) == 0;
}

static void print_arrays(const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool first = true;
    for (size_t j = 0; j < i; j++)
      first = first && !same_array(&rows[i], &rows[j]);
    if (!first)
      continue;
    struct row sum = rows[i];
    for (size_t j = i + 1; j < count; j++)
      if (same_array(&rows[i], &rows[j]))
        add_counts(&sum.counts, &rows[j].counts);
    print_row("array", &sum);
  }
}

void simt_tally_print(const struct simt_launch_state *launch) {
  size_t count = merge();
  struct row *rows = tallies[0];
  qsort(rows, count, sizeof *rows, by_place);
  flockfile(stderr);
  fprintf(stderr, "simt-count: launch %llu kernel %s teams=%u threads=%u\n", (unsigned long long)launch->number,
          launch->kernel->name, launch->grid.teams, launch->grid.threads);
  print_arrays(rows, count);
  for (size_t i = 0; i < count; i++)
    print_row("place", &rows[i]);
  funlockfile(stderr);
}
