/* place-models: the cost models against measurements.
 *
 *   place-models MACHINE.msl CASE...          rank correlation and regret of each model, case by case and in the mean
 *   place-models --plans MACHINE.msl CASE...  the same, with each plan's predictions
 *   place-models --choose MACHINE.msl CASE... what PLACE_TRIALS=0 would launch, and what it took over the best plan
 *   place-models --csv MACHINE.msl CASE...    every plan's measured time and predictions, for plots
 *   place-models --features MACHINE.msl CASE... what the learned selector sees of each array, for place-train
 *   place-models --fit MACHINE.msl CASE...    huang_fit.h, trained on all cases
 *
 * before them --learned DIR: model `learned` by what was fitted without the case's program (place-train --folds DIR)
 *
 * CASE is a file as PLACE_CASE writes it; plans measured in files beside it (NAME.plans for NAME.case) belong to it, the
 * last one of a plan counts. Models are compared on spaces: of what realised the same ones, what the runtime would launch
 * (evaluate_keep_spaces). huang is trained on the cases of the other kernels (leave one kernel out). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/tool.h"

#include "evaluate.h"
#include "held_out.h"

static const struct place_tool tool = {
  "place-models", "usage: place-models [--learned DIR] [--plans | --choose | --csv | --features | --fit] MACHINE.msl CASE...\n"
                  "       place-models --help | --version\n"
                  "the cost models against measurements: rank correlation and regret, case by case and in the mean\n"
                  "  CASE       a launch as PLACE_CASE=DIR writes it, with NAME.plans beside it\n"
                  "  --plans    the same, with each plan's predictions\n"
                  "  --choose   what PLACE_TRIALS=0 would launch, and what it took over the best plan\n"
                  "  --csv      every plan's measured time and predictions\n"
                  "  --features what the learned selector sees of each array, to train it (place-train)\n"
                  "  --fit      the coefficients of the model huang, from all cases\n"
                  "  --learned DIR  before them: model learned by DIR/PROGRAM.forest, as place-train writes them\n"
                  "Status 1: something cannot be read; 2: the arguments are wrong.\n"};

enum { MAX_BYTES = 1 << 23, NAME_BYTES = 1024 };

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "place-models: %s%s\n", what, detail);
  return -1;
}

/* Appends a file to *text; 0 if it cannot be opened. */
static size_t read_more(const char *path, char *text, size_t length) {
  FILE *file = fopen(path, "rb");
  size_t n = file ? fread(text + length, 1, MAX_BYTES - 1 - length, file) : 0;
  if (file) fclose(file);
  text[length + n] = 0;
  return n;
}

/* Puts the lines of NAME.plans before the table of NAME.case's text. */
static void insert_plans(const char *path, char *text) {
  char name[NAME_BYTES];
  size_t stem = strlen(path);
  char *table = strstr(text, "\nplace-table "), *more = malloc(MAX_BYTES);
  if (stem < 5 || strcmp(path + stem - 5, ".case") || stem + 2 > sizeof name || !table || !more) return free(more);
  snprintf(name, sizeof name, "%.*s.plans", (int)(stem - 5), path);
  size_t n = read_more(name, more, 0), rest = strlen(table + 1);
  if (n && strlen(text) + n + 1 < MAX_BYTES) {
    memmove(table + 1 + n, table + 1, rest + 1);
    memcpy(table + 1, more, n);
  }
  free(more);
}

static int open_case(struct place_case *c, const char *path) {
  struct place_diag diag = {""};
  char *text = malloc(MAX_BYTES), what[NAME_BYTES];
  int rc = text && read_more(path, text, 0) ? 0 : fail("cannot read ", path);
  if (rc == 0) insert_plans(path, text);
  if (rc == 0 && place_case_read(text, strlen(text), c, &diag)) {
    snprintf(what, sizeof what, "%s: ", path);
    rc = fail(what, diag.text);
  }
  free(text);
  return rc;
}

/* ---- printing ---- */

/* The file's name without folders and ending. */
static void stem_of(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  snprintf(out, size, "%.*s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static void print_cell(double value, double scale, const char *format, const char *none) {
  if (isnan(value)) printf("%s", none);
  else printf(format, fmin(99999, scale * value));
}

/* ---- all models, case by case ---- */

enum measure { RHO, TIED, REGRET, ERROR, MEASURES };

struct scores { /* of all cases, NaN where there is none */
  double *value[MEASURES][PLACE_MODEL_COUNT];
  size_t count;
};

static void scores_free(struct scores *s) {
  for (unsigned k = 0; k < MEASURES * PLACE_MODEL_COUNT; k++) free(s->value[k / PLACE_MODEL_COUNT][k % PLACE_MODEL_COUNT]);
}

static bool scores_new(struct scores *s, size_t cases) {
  bool all = true;
  *s = (struct scores){.count = 0};
  for (unsigned k = 0; k < MEASURES * PLACE_MODEL_COUNT; k++) {
    double **at = &s->value[k / PLACE_MODEL_COUNT][k % PLACE_MODEL_COUNT];
    all &= (*at = malloc((cases + 1) * sizeof **at)) != NULL;
  }
  if (!all) scores_free(s);
  return all;
}

static void scores_add(struct scores *s, const struct evaluation *e) {
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    s->value[RHO][m][s->count] = e->spearman[m];
    s->value[TIED][m][s->count] = e->spearman_tied[m];
    s->value[REGRET][m][s->count] = e->regret[m];
    s->value[ERROR][m][s->count] = e->error[m];
  }
  s->count++;
}

static void print_row(const char *name, const struct scores *s, size_t i) {
  printf("%-30s", name);
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    print_cell(s->value[RHO][m][i], 1, "  %5.2f", "      -");
    print_cell(s->value[TIED][m][i], 1, " %5.2f", "     -");
    print_cell(s->value[REGRET][m][i], 100, " %5.1f%%", "      -");
    print_cell(s->value[ERROR][m][i], 100, " %5.0f%%", "      -");
  }
  printf("\n");
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Two more rows: the mean and the median of each column. */
static void scores_summarise(struct scores *s) {
  for (unsigned k = 0; k < MEASURES * PLACE_MODEL_COUNT; k++) {
    double *value = s->value[k / PLACE_MODEL_COUNT][k % PLACE_MODEL_COUNT], sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
      if (!isnan(value[i])) sum += value[n++] = value[i];
    qsort(value, n, sizeof *value, ascending);
    double median = n ? (value[n / 2] + value[(n - 1) / 2]) / 2 : NAN;
    value[0] = n ? sum / (double)n : NAN;
    value[1] = median;
  }
}

static void print_head(void) {
  printf("%-30s", "");
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf("  %-25s", place_model_name((enum place_model)m));
  printf("\n%-30s", "case, plans");
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf("  %5s %5s %6s %6s", "rho", "tied", "regret", "error");
  printf("\n");
}

static void print_plans(const struct place_case *c, const double *predicted) {
  char letters[256] = "";
  for (size_t i = 0; i < c->plan_count; i++) {
    place_case_plan_name(c->region, c->plans[i].space, c->plans[i].version, letters, sizeof letters);
    printf("  %-20s measured %.4f ms;", letters, c->plans[i].kernel_ns * 1e-6);
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      double cost = predicted[m * c->plan_count + i];
      bool timed = *model_of((enum place_model)m)->unit;
      printf(timed ? " %s %.4f" : " %s %.3f", place_model_name((enum place_model)m), timed ? cost * 1e-6 : cost);
    }
    printf("\n");
  }
}

static void print_csv_head(void) {
  printf("case,plan,measured_ns");
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf(",%s", place_model_name((enum place_model)m));
  printf("\n");
}

static void print_csv(const char *name, const struct place_case *c, const double *predicted) {
  char plan[256];
  for (size_t i = 0; i < c->plan_count; i++) {
    place_case_plan_name(c->region, c->plans[i].space, c->plans[i].version, plan, sizeof plan);
    printf("%s,%s,%.0f", name, plan, c->plans[i].kernel_ns);
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf(",%.6g", predicted[m * c->plan_count + i]);
    printf("\n");
  }
}

struct input {
  struct place_case *cases;
  char **paths;
  size_t count;
  const struct place_machine *machine;
  const char *mode, *forests; /* a folder; NULL: the forest that is built in */
  struct place_forest **forest; /* [count], of that folder */
};

static int evaluate_one(const struct input *in, size_t i, const struct evaluate_rows *rows, struct scores *scores, struct place_diag *diag) {
  const struct place_case *c = &in->cases[i];
  char kernel[NAME_BYTES / 2], stem[NAME_BYTES / 2], name[NAME_BYTES];
  double coefficients[HUANG_FEATURES], *predicted = malloc((PLACE_MODEL_COUNT * c->plan_count + 1) * sizeof *predicted);
  struct evaluation e;
  evaluate_kernel(c, kernel, sizeof kernel);
  stem_of(in->paths[i], stem, sizeof stem);
  snprintf(name, sizeof name, "%s, %zu", stem, c->plan_count);
  int rc = predicted ? evaluate_fit(in->cases, in->count, rows, kernel, coefficients, diag) : -1;
  if (rc == 0) rc = evaluate_case(c, in->machine, coefficients, &e, predicted, diag);
  if (rc == 0 && !strcmp(in->mode, "--csv")) print_csv(stem, c, predicted);
  else if (rc == 0) {
    scores_add(scores, &e);
    print_row(name, scores, scores->count - 1);
    if (!strcmp(in->mode, "--plans")) print_plans(c, predicted);
  }
  free(predicted);
  return rc;
}

static int evaluate_all(const struct input *in) {
  struct scores scores;
  struct evaluate_rows rows = {.terms = NULL};
  struct place_diag diag = {""};
  bool csv = !strcmp(in->mode, "--csv");
  int rc = scores_new(&scores, in->count + 2) ? 0 : fail("out of memory", "");
  if (rc == 0 && csv) print_csv_head();
  else if (rc == 0) print_head();
  for (size_t i = 0; rc == 0 && i < in->count; i++) evaluate_keep_spaces(&in->cases[i]);
  if (rc == 0 && evaluate_rows_new(in->cases, in->count, in->machine, &rows, &diag)) rc = fail(diag.text, "");
  for (size_t i = 0; rc == 0 && i < in->count; i++)
    if (in->cases[i].plan_count > 1 && evaluate_one(in, i, &rows, &scores, &diag)) rc = fail(diag.text, "");
  if (rc == 0 && !csv && scores.count) {
    scores_summarise(&scores);
    print_row("mean", &scores, 0);
    print_row("median", &scores, 1);
  }
  evaluate_rows_free(&rows);
  scores_free(&scores);
  return rc;
}

/* ---- choosing unmeasured ---- */

struct ratios { /* geometric means of chosen over best, and of best cases; the slowest over the original */
  double sum, worst, slower;
  size_t count, unmeasured;
};

static void add_choice(struct ratios *r, const struct evaluate_choice *choice) {
  if (isnan(choice->chosen_ns)) {
    r->unmeasured++;
    return;
  }
  r->sum += log(choice->chosen_ns / choice->best_ns);
  r->worst = fmax(r->worst, choice->chosen_ns / choice->best_ns);
  r->slower = fmax(r->slower, choice->chosen_ns / choice->original_ns);
  r->count++;
}

static void print_ratios(const char *name, const struct ratios *r) {
  printf("%-34s %6.3f   worst %.3f   slowest over the original %.3f   cases %zu", name, exp(r->sum / (double)r->count), r->worst,
         r->slower, r->count);
  printf(r->unmeasured ? ", %zu more chose what was not measured\n" : "\n", r->unmeasured);
}

static void print_choice(const struct place_case *c, const char *stem, const struct evaluate_choice *choice) {
  char name[256] = "original";
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  for (unsigned p = 0; p < c->region->placeable_count; p++) space[p] = (uint8_t)choice->plan.array[p].space;
  if (choice->any) place_case_plan_name(c->region, space, choice->plan.version, name, sizeof name);
  printf("  %-30s %-30s", stem, name);
  print_cell(choice->chosen_ns / choice->best_ns, 1, " of best %.3f", " of best     -");
  print_cell(choice->chosen_ns / choice->original_ns, 1, "  of original %.3f\n", "  of original     -\n");
}

static int choose_by(const struct input *in, enum place_model model, struct place_ranking *rankings) {
  struct choose_trust trust = choose_trust_of(model, 0.01);
  struct ratios fixed = {.count = 0}, held = {.count = 0};
  struct evaluate_choice choice;
  double *losses = evaluate_losses(in->cases, rankings, in->count);
  char stem[NAME_BYTES / 2], kernel[NAME_BYTES / 2];
  if (!losses) return fail("out of memory", "");
  for (size_t i = 0; i < in->count; i++) {
    stem_of(in->paths[i], stem, sizeof stem);
    evaluate_kernel(&in->cases[i], kernel, sizeof kernel);
    evaluate_choose(&in->cases[i], &rankings[i], &trust, &choice);
    add_choice(&fixed, &choice);
    if (model == PLACE_MODEL_PLACE || model == PLACE_MODEL_LEARNED) print_choice(&in->cases[i], stem, &choice);
    struct choose_trust trained = evaluate_train(in->cases, losses, in->count, kernel);
    evaluate_choose(&in->cases[i], &rankings[i], &trained, &choice);
    add_choice(&held, &choice);
  }
  free(losses);
  char name[64];
  print_ratios(place_model_name(model), &fixed);
  snprintf(name, sizeof name, "%s, each kernel held out", place_model_name(model));
  print_ratios(name, &held);
  return 0;
}

static int choose_all(const struct input *in) {
  struct place_ranking *rankings = calloc(in->count + 1, sizeof *rankings);
  struct place_diag diag = {""};
  int rc = rankings ? 0 : fail("out of memory", "");
  for (unsigned m = 0; rc == 0 && m < PLACE_MODEL_COUNT; m++) {
    for (size_t i = 0; rc == 0 && i < in->count; i++)
      if (evaluate_rank(&in->cases[i], in->machine, (enum place_model)m, &rankings[i], &diag)) rc = fail(diag.text, "");
    if (rc == 0) rc = choose_by(in, (enum place_model)m, rankings);
    for (size_t i = 0; i < in->count; i++) evaluate_ranking_free(&rankings[i]);
  }
  free(rankings);
  return rc;
}

/* ---- the fit ---- */

static int print_fit(const struct place_case *cases, size_t count, const struct place_machine *machine) {
  double coefficients[HUANG_FEATURES];
  struct evaluate_rows rows;
  struct place_diag diag = {""};
  if (evaluate_rows_new(cases, count, machine, &rows, &diag)) return fail(diag.text, "");
  int rc = evaluate_fit(cases, count, &rows, NULL, coefficients, &diag);
  evaluate_rows_free(&rows);
  if (rc) return fail(diag.text, "");
  printf("/* Made by `place-models --fit`; docs/models.md says from what. */\n#define HUANG_COEFFICIENTS {");
  for (int k = 0; k < HUANG_FEATURES; k++) printf(k ? ", %.6g" : "%.6g", coefficients[k]);
  printf("}\n");
  return 0;
}

static int print_features(const struct input *in) {
  struct place_diag diag = {""};
  struct place_text text = {malloc(MAX_BYTES), MAX_BYTES, 0};
  char stem[NAME_BYTES / 2];
  int rc = text.out ? 0 : fail("out of memory", "");
  if (rc == 0) evaluate_features_head(&text);
  for (size_t i = 0; rc == 0 && i < in->count; i++) {
    stem_of(in->paths[i], stem, sizeof stem);
    if (evaluate_features(&in->cases[i], stem, in->machine, &text, &diag)) rc = fail(diag.text, "");
  }
  if (rc == 0 && text.length >= text.size) rc = fail("too many cases", "");
  if (rc == 0) fputs(text.out, stdout);
  free(text.out);
  return rc;
}

static int run(struct input *in) {
  struct place_diag diag = {""};
  if (in->forests && held_out_open(in->forests, in->cases, in->count, in->forest, &diag)) return fail(diag.text, "");
  if (!strcmp(in->mode, "--features")) return print_features(in);
  if (!strcmp(in->mode, "--choose")) return choose_all(in);
  if (strcmp(in->mode, "--fit")) return evaluate_all(in);
  for (size_t i = 0; i < in->count; i++) evaluate_keep_spaces(&in->cases[i]);
  return print_fit(in->cases, in->count, in->machine);
}

int main(int argc, char **argv) {
  static struct msl_diagnostics why;
  static const char *const modes[] = {"", "--plans", "--choose", "--csv", "--features", "--fit"};
  struct input in = {.mode = argc > 1 && !strncmp(argv[1], "--", 2) ? argv[1] : ""};
  int rc = 0;
  bool known = false;
  int status;
  if (place_tool_answers(&tool, argc, argv, &status)) return status;
  if (!strcmp(in.mode, "--learned") && argc > 2) {
    in.forests = argv[2];
    argc -= 2, argv += 2;
    in.mode = argc > 1 && !strncmp(argv[1], "--", 2) ? argv[1] : "";
  }
  int first = *in.mode ? 3 : 2;
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) known |= !strcmp(in.mode, modes[i]);
  if (!known) return place_tool_misused(&tool, "there is no option", in.mode);
  if (argc <= first) return place_tool_misused(&tool, "a machine file or cases are missing", NULL);
  char installed[4096];
  struct place_machine *machine = msl_read_file(place_tool_machine(argv[first - 1], installed, sizeof installed), &why);
  in.machine = machine, in.paths = argv + first, in.cases = calloc((size_t)argc, sizeof *in.cases);
  in.forest = calloc((size_t)argc, sizeof *in.forest);
  if (!machine || !in.cases || !in.forest) rc = fail("cannot read the machine: ", why.count ? why.items[0].message : argv[first - 1]);
  for (int i = first; rc == 0 && i < argc; i++) rc = open_case(&in.cases[in.count++], argv[i]);
  if (rc == 0) rc = run(&in);
  for (size_t i = 0; i < in.count; i++) place_case_free(&in.cases[i]);
  free(in.cases);
  held_out_close(in.forest, in.count);
  msl_free(machine);
  return place_tool_end(&tool, rc ? PLACE_TOOL_FAILED : PLACE_TOOL_DONE);
}
