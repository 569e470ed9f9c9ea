/* The report for people: what was gained, a table of regions by time, then each of them (report_detail.c). */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "gain.h"
#include "refused.h"
#include "registry.h"
#include "words.h"

enum { MOST_ROWS = 10, MOST_NAME = 40, LEAST_WORDS = 24 };

/* ---- the table ---- */

/* A row's cells. */
struct cells {
  char region[MOST_NAME + 1], launches[24], time[WORDS_FIGURE], before[WORDS_FIGURE], now[WORDS_FIGURE], result[48];
  char what[REPORT_WIDTH];
};

static void cut(const char *text, char *out, size_t size) {
  size_t length = strlen(text);
  memcpy(out, text, length < size ? length + 1 : size);
  if (length >= size) memcpy(out + size - 4, "...", 4);
}

static void fill_region(const struct row *row, char *out, size_t size) {
  char place[256], all[320], trips[WORDS_FIGURE];
  words_region(row->region->region, place, sizeof place);
  if (row->c && row->state->class_count > 1)
    snprintf(all, sizeof all, "%s, %s", place, words_trips(row->c->shape.trip_count, trips));
  else snprintf(all, sizeof all, "%s", place);
  cut(all, out, size);
}

static void fill_result(const struct runtime *rt, const struct row *row, struct cells *cells) {
  const struct rt_class *c = row->c;
  double before = c ? report_base_ns(c) : 0, now = c ? report_kernel_ns(c) : 0;
  char ratio[WORDS_FIGURE];
  bool alone = report_left_alone(rt, row->region, row->state, c) != NULL;
  words_time(before, cells->before);
  words_time(now > 0 ? now : before, cells->now);
  if (row->state->launches && row->state->fallback_launches == row->state->launches) snprintf(cells->result, sizeof cells->result, "ran on the host");
  else if (alone) snprintf(cells->result, sizeof cells->result, "as compiled");
  else if (before > 0 && now > 0) snprintf(cells->result, sizeof cells->result, "%s", words_ratio(before, now, ratio));
  else if (c && c->trusted) snprintf(cells->result, sizeof cells->result, "%s (predicted)", words_ratio(c->predicted_base_ns, c->predicted_ns, ratio));
  else snprintf(cells->result, sizeof cells->result, row->state->force.hinted ? "#pragma place" : "PLACE_FORCE");
}

static void fill(const struct runtime *rt, const struct row *row, struct cells *cells) {
  char what[400] = "";
  const struct place_plan *plan = row->c ? report_plan(row->state, row->c) : NULL;
  fill_region(row, cells->region, sizeof cells->region);
  snprintf(cells->launches, sizeof cells->launches, "%llu", (unsigned long long)(row->c ? row->c->launches : row->state->launches));
  words_time(row->ran_ns, cells->time);
  fill_result(rt, row, cells);
  if (plan) class_describe(row->region->region, plan, what, sizeof what);
  cut(what, cells->what, sizeof cells->what);
}

static size_t longer(size_t a, const char *text) { return strlen(text) > a ? strlen(text) : a; }

/* The last cell gets what is left of a line. */
static void print_cells(const struct cells *c, size_t region, size_t result, FILE *out) {
  char what[sizeof c->what];
  int used = fprintf(out, "%-*s  %8s  %8s  %8s  %8s  ", (int)region, c->region, c->launches, c->time, c->before, c->now);
  if (!*c->what) {
    fprintf(out, "%s\n", c->result);
    return;
  }
  used += fprintf(out, "%-*s  ", (int)result, c->result);
  cut(c->what, what, used < REPORT_WIDTH - LEAST_WORDS ? (size_t)(REPORT_WIDTH - used) + 1 : LEAST_WORDS + 1);
  fprintf(out, "%s\n", what);
}

static void print_table(const struct runtime *rt, const struct gain *g, size_t rows, FILE *out) {
  static const struct cells head = {"region", "launches", "time", "compiled", "now", "a launch is now", "with"};
  size_t region = strlen(head.region), result = strlen(head.result);
  struct cells *cells = calloc(rows, sizeof *cells);
  if (!cells) return;
  for (size_t i = 0; i < rows; i++) {
    fill(rt, &g->row[i], &cells[i]);
    region = longer(region, cells[i].region);
    result = longer(result, cells[i].result);
  }
  fputc('\n', out);
  print_cells(&head, region, result, out);
  for (size_t i = 0; i < rows; i++) print_cells(&cells[i], region, result, out);
  free(cells);
}

static void print_rest(const struct gain *g, size_t rows, FILE *out) {
  double ns = 0;
  char time[WORDS_FIGURE];
  for (size_t i = rows; i < g->rows; i++) ns += g->row[i].ran_ns;
  if (rows < g->rows) fprintf(out, "and %zu more, %s together: PLACE_REPORT=FILE has them all\n", g->rows - rows, words_time(ns, time));
}

/* ---- before and after it ---- */

static void print_count(unsigned count, const char *what, const char **between, FILE *out) {
  if (!count) return;
  fprintf(out, "%s %u %s", *between, count, what);
  *between = ",";
}

static void print_counts(const struct runtime *rt, const struct gain *g, FILE *out) {
  unsigned launched = g->regions - g->idle;
  if (*rt->device_name) fprintf(out, "%s (%s). ", rt->device_name, rt->machine_note);
  fprintf(out, "%u target region%s", g->regions, g->regions == 1 ? "" : "s");
  if (!g->regions) {
    fputs(" with versions in this program.\n", out);
    return;
  }
  fputc(':', out);
  const char *between = "";
  print_count(g->moved, "with arrays moved", &between, out);
  print_count(g->changed - g->moved, "with other loops only", &between, out);
  print_count(launched - g->changed, "as compiled", &between, out);
  print_count(g->idle, g->elsewhere ? "not launched on a device" : "not launched", &between, out);
  fputs(".\n", out);
}

static void print_no_device(const struct gain *g, FILE *out) {
  unsigned long long count = g->elsewhere;
  if (count) fprintf(out, "no device was used: %llu launch%s of target regions ran on the host\n", count, count == 1 ? "" : "es");
  else fputs("no device was used\n", out);
}

static void print_messages(const struct runtime *rt, const struct gain *g, FILE *out) {
  bool any = false;
  for (unsigned i = 0; refused_text(i); i++) fprintf(out, "%s\n", refused_text(i));
  for (int d = 0; d < RT_MAX_DEVICES; d++) {
    const struct rt_device *device = rt->device[d];
    any |= device != NULL;
    if (!device || !device->unknown_launches || rt->on_host) continue;
    fprintf(out, "%llu launch%s on device %d of regions ", (unsigned long long)device->unknown_launches,
            device->unknown_launches == 1 ? "" : "es", d);
    if (registry_no_versions()) fprintf(out, "without versions: %s\n", registry_no_versions());
    else fputs("that were compiled without place: arrays may change there unseen, so copies in constant memory are made anew after each\n", out);
  }
  if (!any && registry_image_count()) print_no_device(g, out);
}

void report_text(const struct runtime *rt, FILE *out) {
  struct gain g;
  char text[640];
  gain_find(rt, &g);
  size_t rows = g.rows < MOST_ROWS ? g.rows : MOST_ROWS;
  fprintf(out, "place: %s\n", gain_headline(rt, &g, text, sizeof text));
  if (*gain_next(rt, &g, text, sizeof text)) fprintf(out, "next: %s\n", text);
  print_counts(rt, &g, out);
  print_messages(rt, &g, out);
  if (rows) print_table(rt, &g, rows, out);
  print_rest(&g, rows, out);
  for (size_t i = 0; i < rows; i++) report_text_row(rt, &g.row[i], out);
  gain_free(&g);
}
