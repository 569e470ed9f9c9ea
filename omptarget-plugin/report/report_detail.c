/* One region at one size, for people: what runs, why, and each array. */
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "gain.h"
#include "place/text.h"
#include "report.h"
#include "words.h"

enum { MOST_TEXT = 512 };

/* ---- what was decided, and by what ---- */

static const char *forced_by(const struct rt_device_region *s) { return s->force.hinted ? "#pragma place" : "PLACE_FORCE"; }

static void print_head(const struct row *row, FILE *out) {
  const struct place_region *r = row->region->region;
  char name[300], time[WORDS_FIGURE];
  uint64_t launches = row->c ? row->c->launches : row->state->launches;
  fprintf(out, "\n%s, ", words_full_name(r->function, name, sizeof name));
  if (words_has_file(r)) fprintf(out, "%s:%u", words_clean(words_file(r->file), name, sizeof name), r->line);
  else fprintf(out, "line %u", r->line);
  if (row->device > 0) fprintf(out, ", device %d", row->device);
  if (row->c && row->state->class_count > 1) fprintf(out, ", %s", words_trips(row->c->shape.trip_count, time));
  fprintf(out, ": %llu launch%s", (unsigned long long)launches, launches == 1 ? "" : "es");
  if (row->ran_ns > 0) fprintf(out, ", %s in all", words_time(row->ran_ns, time));
  if (row->ran_ns > 0 && row->state->budget.most_spent_ns > 0) fputs(" without finding out", out);
  fputc('\n', out);
}

static void print_change(const char *what, double before_ns, double now_ns, FILE *out) {
  char before[WORDS_FIGURE], now[WORDS_FIGURE], ratio[WORDS_FIGURE];
  fprintf(out, "%s%s -> %s a launch (%s)", what, words_time(before_ns, before), words_time(now_ns, now), words_ratio(before_ns, now_ns, ratio));
}

/* "predicted" only where the model has said something of what runs. */
static void print_prediction(const struct rt_class *c, const struct place_plan *plan, FILE *out) {
  if (plan->cost_ns > 0 && c->predicted_base_ns > 0) print_change("; predicted ", c->predicted_base_ns, plan->cost_ns, out);
  else fputs("; the model predicts nothing for this", out);
}

static void print_decision(const struct row *row, const struct place_plan *plan, FILE *out) {
  const struct rt_class *c = row->c;
  double before = report_base_ns(c), now = report_kernel_ns(c);
  char time[WORDS_FIGURE];
  if (row->state->force.any) {
    fprintf(out, "  forced by %s", forced_by(row->state));
    if (now > 0) fprintf(out, ": %s a launch; what it takes as compiled was not measured", words_time(now, time));
  } else if (c->trusted) {
    print_change("  decided by the model (PLACE_TRIALS=0): predicted ", c->predicted_base_ns, plan->cost_ns, out);
    fputs("; not measured", out);
  } else {
    print_change(c->recalled ? "  decided by what an earlier run measured (PLACE_STORE): " : "  decided by measurement: ", before, now, out);
    if (!c->recalled) print_prediction(c, plan, out);
  }
  fputc('\n', out);
}

/* Another choice that was measured to be as good. */
static void print_tie(const struct row *row, FILE *out) {
  const struct rt_class *c = row->c;
  double apart;
  char what[MOST_TEXT];
  int other = report_tie(c, &apart);
  if (other < 0) return;
  class_describe(row->region->region, &c->plan[other], what, sizeof what);
  fprintf(out, "  nearly a tie: %s was %.1f%% %s; another run may choose that\n", what, apart < 0 ? -100 * apart : 100 * apart,
          apart < 0 ? "faster" : "slower");
}

/* Where nothing but the baseline was measured: the first launch of each, which decided. */
static void print_first_launches(const struct row *row, FILE *out) {
  const struct rt_class *c = row->c;
  const char *between = "  in their first launches: ";
  char what[MOST_TEXT], time[WORDS_FIGURE];
  for (int i = 1; i < c->tune.arms; i++)
    if (c->tune.arm[i].count || !c->tune.done) return;
  for (int i = 0; c->plan && i < c->tune.arms; i++) {
    if (!(c->tune.arm[i].first_ns > 0)) continue;
    class_describe(row->region->region, &c->plan[i], what, sizeof what);
    fprintf(out, "%s%s: %s", between, i && *what ? what : "as compiled, with a timer", words_time(c->tune.arm[i].first_ns, time));
    between = "; ";
  }
  if (*between == ';') fputc('\n', out);
}

/* Where one launch was enough to find out. */
static void print_slices(const struct rt_class *c, FILE *out) {
  if (c->slices) fprintf(out, "  tried on %u slices of one launch; times are those of a whole one\n", c->slices);
}

static void print_result(const struct runtime *rt, const struct row *row, FILE *out) {
  const struct place_region *r = row->region->region;
  const struct place_plan *plan = row->c ? report_plan(row->state, row->c) : NULL;
  const char *alone = report_left_alone(rt, row->region, row->state, row->c);
  char what[MOST_TEXT], time[WORDS_FIGURE];
  if (!plan) {
    fprintf(out, "  %s: %s\n", report_is_presumed(row->state, row->c) ? "not measured" : "as compiled",
            alone ? words_plain(alone, what, sizeof what) : "no launch could be made otherwise");
    if (row->c && report_base_ns(row->c) > 0) fprintf(out, "  measured: %s a launch\n", words_time(report_base_ns(row->c), time));
    if (row->c) print_first_launches(row, out);
    return;
  }
  class_describe(r, plan, what, sizeof what);
  fprintf(out, "  now: %s", *what ? what : "everything in global memory, with a timer");
  if (plan->teams) fprintf(out, "; %u team%s", plan->teams, plan->teams == 1 ? "" : "s");
  fputc('\n', out);
  print_decision(row, plan, out);
  print_slices(row->c, out);
  print_tie(row, out);
}

/* ---- arrays ---- */

struct array_cells {
  const char *name;
  char bytes[PLACE_BYTES_TEXT], use[96], place[56], predicted[WORDS_FIGURE], measured[WORDS_FIGURE];
};

static const char *rights(const struct place_array *a) {
  if (a->atomic) return "atomic";
  return a->written ? a->read ? "read, written" : "written" : "read";
}

static bool is_tiled(const struct place_region *r, const struct place_plan *plan, size_t array) {
  return plan && plan->version >= 0 && r->versions[plan->version].tiled && r->versions[plan->version].tiled[array];
}

/* ", by cg loads", or "". */
static const char *route_text(const struct place_region *r, const struct place_plan *plan, size_t array, char *out, size_t size) {
  enum place_route route = plan && plan->version >= 0 ? place_version_route(&r->versions[plan->version], array) : PLACE_ROUTE_DEFAULT;
  snprintf(out, size, route == PLACE_ROUTE_DEFAULT ? "" : ", by %s loads", place_route_name(route));
  return out;
}

static void fill_array(const struct row *row, size_t a, struct array_cells *cells) {
  const struct place_region *r = row->region->region;
  const struct rt_class *c = row->c;
  const struct place_array *array = &r->arrays[a];
  const struct place_plan *plan = report_plan(row->state, c);
  enum place_space space = plan && array->placeable >= 0 ? plan->array[array->placeable].space : PLACE_GLOBAL;
  const char *pattern = c->summary ? c->summary[a].pattern : "";
  cells->name = array->name;
  place_bytes_text(c->array[a].extent.bytes, cells->bytes);
  if (!c->array[a].extent.known) snprintf(cells->bytes, sizeof cells->bytes, "-");
  snprintf(cells->use, sizeof cells->use, "%s%s%s", rights(array), *pattern ? ", " : "", pattern);
  char route[32];
  snprintf(cells->place, sizeof cells->place, "%s%s%s", place_space_name(space), is_tiled(r, plan, a) ? ", shared tiles" : "",
           route_text(r, plan, a, route, sizeof route));
  if (array->placeable < 0 && !is_tiled(r, plan, a)) {
    strcpy(cells->predicted, "-");
    strcpy(cells->measured, "-");
    return;
  }
  words_time(report_predicted_ns(row->state, c), cells->predicted);
  words_time(plan ? report_kernel_ns(c) : report_base_ns(c), cells->measured);
}

/* "560 us predicted, 550 us measured", "not possible, larger than what a team has". */
static void describe_other(const struct row *row, size_t a, enum place_space space, char *out, size_t size) {
  int p = row->region->region->arrays[a].placeable;
  char known[WORDS_FIGURE], plain[MOST_TEXT];
  double predicted = p >= 0 ? row->c->predicted[p][space] : 0, measured = report_measured_ns(row->c, p, space);
  const char *why = report_excluded(row->region, row->c, a, space);
  struct place_text t = {out, size, 0};
  if (why) place_text_add(&t, "not possible, %s", words_plain(why, plain, sizeof plain));
  else if (!(predicted > 0) && !(measured > 0)) place_text_add(&t, row->c->summary ? "possible, not looked at" : "not looked at");
  else if (predicted > 0) place_text_add(&t, "%s predicted, ", words_time(predicted, known));
  if (!why && measured > 0) place_text_add(&t, "%s measured", words_time(measured, known));
  else if (!why && predicted > 0) place_text_add(&t, "not tried");
}

/* The other spaces; what holds of several in a row is said once. */
static void describe_others(const struct row *row, size_t a, struct place_text *t) {
  const struct place_array *array = &row->region->region->arrays[a];
  const struct place_plan *plan = report_plan(row->state, row->c);
  int chosen = plan && array->placeable >= 0 ? (int)plan->array[array->placeable].space : PLACE_GLOBAL;
  const char *why = array->placeable < 0 ? report_excluded(row->region, row->c, a, PLACE_SHARED) : NULL;
  char last[MOST_TEXT] = "", text[MOST_TEXT];
  if (why) {
    place_text_add(t, "none: %s", words_plain(why, text, sizeof text));
    return;
  }
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (s == chosen || !place_array_may_tell(array, (enum place_space)s)) continue;
    describe_other(row, a, (enum place_space)s, text, sizeof text);
    if (!strcmp(text, last)) place_text_add(t, ", ");
    else if (*last) place_text_add(t, ": %s; ", last);
    place_text_add(t, "%s", place_space_name((enum place_space)s));
    memcpy(last, text, sizeof last);
  }
  if (*last) place_text_add(t, ": %s", last);
}

/* A line each, under each other, where they do not fit into one. */
static void print_others(const struct row *row, size_t a, int column, FILE *out) {
  char all[4 * MOST_TEXT] = "", *rest = all, *end;
  struct place_text t = {all, sizeof all, 0};
  describe_others(row, a, &t);
  bool fits = column + (int)strlen(all) <= REPORT_WIDTH;
  while (!fits && (end = strstr(rest, "; "))) {
    fprintf(out, "%.*s\n%*s", (int)(end + 1 - rest), rest, column, "");
    rest = end + 2;
  }
  fprintf(out, "%s\n", rest);
}

static size_t longer(size_t a, const char *text) { return strlen(text) > a ? strlen(text) : a; }

static int print_cells(const struct array_cells *c, const size_t *width, FILE *out) {
  return fprintf(out, "  %-*s  %9s  %-*s  %-*s  %9s  %9s  ", (int)width[0], c->name, c->bytes, (int)width[1], c->use, (int)width[2], c->place,
          c->predicted, c->measured);
}

static void print_arrays(const struct row *row, FILE *out) {
  static const struct array_cells head = {"array", "size", "use", "is in", "predicted", "measured"};
  size_t count = row->region->region->array_count, width[3] = {5, 3, 5};
  struct array_cells *cells = count ? calloc(count, sizeof *cells) : NULL;
  if (!cells) return;
  for (size_t a = 0; a < count; a++) {
    fill_array(row, a, &cells[a]);
    width[0] = longer(width[0], cells[a].name);
    width[1] = longer(width[1], cells[a].use);
    width[2] = longer(width[2], cells[a].place);
  }
  print_cells(&head, width, out);
  fputs("other places\n", out);
  for (size_t a = 0; a < count; a++) {
    print_others(row, a, print_cells(&cells[a], width, out), out);
  }
  free(cells);
}

/* ---- remarks ---- */

static void print_remark(const char *begin, const char *text, FILE *out) {
  char plain[MOST_TEXT];
  if (text && *text) fprintf(out, "  %s%s\n", begin, words_plain(text, plain, sizeof plain));
}

static void print_lines(const struct place_advice *a, FILE *out) {
  if (a->read_line && a->written_line) fprintf(out, " (read in line %u, written in line %u)", a->read_line, a->written_line);
  else if (a->read_line) fprintf(out, " (read in line %u)", a->read_line);
}

/* What the programmer could do, where a predicted gain stands against it. */
static void print_advice(const struct row *row, FILE *out) {
  const struct rt_class *c = row->c;
  for (unsigned i = 0; c && i < c->advice_count; i++) {
    const struct place_advice *a = &c->advice[i];
    char before[WORDS_FIGURE], now[WORDS_FIGURE], copy[WORDS_FIGURE], ratio[WORDS_FIGURE];
    fprintf(out, "  advice: duplicate %s", row->region->region->arrays[a->array].name);
    print_lines(a, out);
    if (place_space_route(a->space) == PLACE_ROUTE_NC) fputs(" before each launch, and read the copy, through the read-only cache:\n", out);
    else fprintf(out, " before each launch, and read the copy, %s:\n", place_space_text(a->space));
    fprintf(out, "          predicted %s -> %s a launch (%s), %s of it for making the copy;\n", words_time(a->now_ns, before),
            words_time(a->then_ns + a->copy_ns, now), words_ratio(a->now_ns, a->then_ns + a->copy_ns, ratio), words_time(a->copy_ns, copy));
    fputs("          right only where no iteration needs what others of the same launch write\n", out);
  }
}

static void print_remarks(const struct row *row, FILE *out) {
  const struct rt_class *c = row->c;
  const struct place_plan *plan = c ? report_plan(row->state, c) : NULL;
  char begin[64];
  bool blocks = plan && plan->version >= 0 && row->region->region->versions[plan->version].block.dims;
  print_remark("", row->state->force_note, out);
  if (c) print_remark("", c->note, out);
  if (c && c->fallbacks && plan) {
    snprintf(begin, sizeof begin, "%llu launch%s ran as compiled: ", (unsigned long long)c->fallbacks, c->fallbacks == 1 ? "" : "es");
    print_remark(begin, c->fell_back, out);
  }
  if (!blocks) print_remark("no blocks of iterations: ", row->region->region->no_blocks, out);
}

static void print_costs(const struct runtime *rt, const struct row *row, FILE *out) {
  const struct rt_device_region *s = row->state;
  char spent[WORDS_FIGURE], allowed[WORDS_FIGURE], each[WORDS_FIGURE];
  if (!(s->budget.spent_ns > 0) && !s->overhead_samples) return;
  if (s->budget.spent_ns > 0) {
    fprintf(out, "  finding out cost %s", words_time(s->budget.spent_ns, spent));
    if (rt->config.patience_ns > 0) fprintf(out, " (it may cost %s)", words_time(budget_allowed(&s->budget), allowed));
  }
  if (s->overhead_samples)
    fprintf(out, "%splace itself takes %s a launch", s->budget.spent_ns > 0 ? "; " : "  ",
            words_time(s->overhead_ns / (double)s->overhead_samples, each));
  if (row->c && row->c->watch.pairs)
    fprintf(out, "; the choice was checked %u time%s", row->c->watch.pairs, row->c->watch.pairs == 1 ? "" : "s");
  fputc('\n', out);
}

void report_text_row(const struct runtime *rt, const struct row *row, FILE *out) {
  bool on_host = row->state->launches && row->state->fallback_launches == row->state->launches;
  print_head(row, out);
  print_result(rt, row, out);
  if (row->c && !on_host) print_arrays(row, out);
  print_remarks(row, out);
  print_advice(row, out);
  print_costs(rt, row, out);
}
