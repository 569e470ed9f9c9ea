#include "tally.h"

#include "finding.h"
#include "placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 64, ROWS = 8192 };

static struct simt_row *tallies[MAX_WORKERS];

void simt_tally_clear(uint32_t worker) {
  if (!tallies[worker])
    tallies[worker] = calloc(ROWS, sizeof **tallies);
  else
    memset(tallies[worker], 0, ROWS * sizeof **tallies);
  if (!tallies[worker])
    simt_fatal("no memory for counts");
}

struct simt_row *simt_tally_row(uint32_t worker, const struct simt_site *site, enum simt_count_space space,
                                const void *object) {
  struct simt_row *rows = tallies[worker];
  size_t start = ((uintptr_t)site / sizeof *site) % ROWS;
  for (size_t i = 0; i < ROWS; i++) {
    struct simt_row *row = &rows[(start + i) % ROWS];
    if (!row->site) {
      row->site = site;
      row->space = space;
      row->object = object;
      return row;
    }
    if (row->site == site && row->object == object && row->space == space)
      return row;
  }
  simt_fatal("more than %d places to count", ROWS);
}

static void add_counts(struct simt_counts *sum, const struct simt_counts *more) {
  sum->warp_accesses += more->warp_accesses;
  sum->lane_accesses += more->lane_accesses;
  sum->transactions += more->transactions;
  for (unsigned j = 0; j < SIMT_MAX_LEVELS; j++) {
    sum->level_transactions[j] += more->level_transactions[j];
    sum->hits[j] += more->hits[j];
    sum->misses[j] += more->misses[j];
  }
}

static const char *access_name(const struct simt_site *site) {
  return site->access == SIMT_STORE ? "store" : site->access == SIMT_ATOMIC ? "atomic" : "load";
}

static int by_array(const void *a, const void *b) {
  const struct simt_row *x = a, *y = b;
  int order = strcmp(x->array, y->array);
  if (!order)
    order = (x->space > y->space) - (x->space < y->space);
  return order ? order : strcmp(access_name(x->site), access_name(y->site));
}

static int by_place(const void *a, const void *b) {
  const struct simt_row *x = a, *y = b;
  int order = by_array(a, b);
  if (!order)
    order = strcmp(x->site->file, y->site->file);
  return order ? order : (x->site->line > y->site->line) - (x->site->line < y->site->line);
}

// Sorts the rows and adds up those that are equal; returns how many are left.
static size_t merge_equal(struct simt_row *rows, size_t count, int (*order)(const void *, const void *)) {
  size_t kept = 0;
  qsort(rows, count, sizeof *rows, order);
  for (size_t i = 0; i < count; i++)
    if (kept && order(&rows[kept - 1], &rows[i]) == 0)
      add_counts(&rows[kept - 1].counts, &rows[i].counts);
    else
      rows[kept++] = rows[i];
  return kept;
}

// All workers' rows, packed. The caller frees them.
static struct simt_row *all_rows(size_t *count) {
  struct simt_row *rows = malloc(simt_worker_count() * ROWS * sizeof *rows);
  if (!rows)
    simt_fatal("no memory for counts");
  *count = 0;
  for (uint32_t worker = 0; worker < simt_worker_count(); worker++)
    for (size_t i = 0; i < ROWS; i++)
      if (tallies[worker][i].site)
        rows[(*count)++] = tallies[worker][i];
  return rows;
}

// A value of a record holds no white space.
static void print_value(FILE *to, const char *key, const char *value, size_t length) {
  fprintf(to, " %s=", key);
  for (size_t i = 0; i < length && value[i]; i++)
    fputc((unsigned char)value[i] <= ' ' ? '_' : value[i], to);
}

static void print_number(FILE *to, const char *prefix, const char *key, uint64_t number) {
  fprintf(to, " %s%s=%llu", prefix, key, (unsigned long long)number);
}

static void print_level(FILE *to, const struct simt_chain *chain, const struct simt_counts *counts, unsigned j) {
  const struct simt_level *level = &chain->level[j];
  char prefix[80];
  snprintf(prefix, sizeof prefix, "%s-", level->memory->name);
  if (level->memory != chain->memory)
    print_number(to, prefix, "transactions", counts->level_transactions[j]);
  if (!level->cache) {
    print_number(to, prefix, "served", counts->hits[j]);
  } else if (level->lines) {
    print_number(to, prefix, "hits", counts->hits[j]);
    print_number(to, prefix, "misses", counts->misses[j]);
  } else {
    fprintf(to, " %shits=? %smisses=?", prefix, prefix);
  }
}

static void print_head(FILE *to, const char *kind, const struct simt_launch_state *launch) {
  int length;
  const char *entry = launch->kernel->name, *version = simt_version_of(entry, &length);
  fprintf(to, "simt-count: %s", kind);
  print_number(to, "", "launch", launch->number);
  print_value(to, "kernel", entry, (size_t)length);
  print_value(to, "version", version, SIZE_MAX);
}

static void print_row(FILE *to, const char *kind, const struct simt_row *row, const struct simt_launch_state *launch,
                      const struct simt_model *model) {
  const struct simt_chain *chain = &model->chain[row->space];
  print_head(to, kind, launch);
  print_value(to, "array", row->array, sizeof row->array);
  print_value(to, "space", simt_count_space_name(row->space), SIZE_MAX);
  print_value(to, "access", access_name(row->site), SIZE_MAX);
  if (strcmp(kind, "place") == 0) {
    print_value(to, "file", *row->site->file ? row->site->file : "?", SIZE_MAX);
    print_number(to, "", "line", row->site->line);
  }
  print_number(to, "", "warp-accesses", row->counts.warp_accesses);
  print_number(to, "", "lane-accesses", row->counts.lane_accesses);
  if (chain->memory)
    print_number(to, "", "transactions", row->counts.transactions);
  for (unsigned j = 0; j < chain->count && row->space != SIMT_COUNT_SHARED; j++)
    print_level(to, chain, &row->counts, j);
  fputc('\n', to);
}

// Once: the levels that the accesses to each space meet, nearest first.
static void print_levels(FILE *to, const struct simt_model *model) {
  static bool printed;
  static const char *const scopes[] = {"core", "sm", "tpc", "die"};
  for (unsigned space = 0; !printed && space < SIMT_COUNT_SPACES; space++)
    for (unsigned j = 0; j < model->chain[space].count; j++) {
      const struct simt_level *level = &model->chain[space].level[j];
      const struct msl_choice *scope = &level->memory->share_scope;
      fprintf(to, "simt-count: level space=%s memory=%s", simt_count_space_name(space), level->memory->name);
      print_value(to, "shared-by", scope->state == MSL_GIVEN ? scopes[scope->value] : "?", SIZE_MAX);
      print_number(to, "", "line-bytes", level->line_bytes);
      print_number(to, "", "piece-bytes", level->fill_bytes);
      if (level->cache && level->lines)
        print_number(to, "", "lines", level->lines);
      fputs(level->cache ? level->lines ? "\n" : " lines=?\n" : "\n", to);
    }
  printed = true;
}

static FILE *open_output(void) {
  static FILE *file;
  const char *name = getenv("SIMT_COUNT_FILE");
  if (!name || !*name)
    return stderr;
  if (!file && !(file = fopen(name, "w")))
    simt_fatal("SIMT_COUNT_FILE=%s cannot be written", name);
  return file;
}

void simt_tally_print(const struct simt_launch_state *launch, const struct simt_model *model) {
  size_t count;
  struct simt_row *rows = all_rows(&count);
  FILE *to = open_output();
  flockfile(to);
  print_levels(to, model);
  print_head(to, "launch", launch);
  print_number(to, "", "teams", launch->grid.teams);
  print_number(to, "", "threads", launch->grid.threads);
  print_value(to, "machine", model->machine->name, SIZE_MAX);
  fputc('\n', to);
  count = merge_equal(rows, count, by_place);
  for (size_t i = 0; i < count; i++)
    print_row(to, "place", &rows[i], launch, model);
  count = merge_equal(rows, count, by_array);
  for (size_t i = 0; i < count; i++)
    print_row(to, "array", &rows[i], launch, model);
  fflush(to);
  funlockfile(to);
  free(rows);
}
