/* place-models: the cost models against measurements.
 *
 *   place-models MACHINE.msl CASE...          rank correlation and regret of each model, case by case and in the mean
 *   place-models --plans MACHINE.msl CASE...  the same, with each plan's predictions
 *   place-models --fit MACHINE.msl CASE...    huang_fit.h, trained on all cases
 *
 * CASE is a file as PLACE_CASE writes it; plans measured in files beside it (NAME.plans for NAME.case) belong to it, the
 * last one of a plan counts. huang is trained on the cases of the other kernels (leave one kernel out). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

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

/* Keeps the last measurement of each plan. What block versions took is left out: the models rank spaces (block.h). */
static void drop_repeated(struct place_case *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->plan_count; i++) {
    bool again = c->plans[i].version >= 0;
    for (size_t k = i + 1; k < c->plan_count; k++)
      again |= c->plans[k].version < 0 && !memcmp(c->plans[k].space, c->plans[i].space, sizeof c->plans[i].space);
    if (!again) c->plans[kept++] = c->plans[i];
  }
  c->plan_count = kept;
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
  if (rc == 0) drop_repeated(c);
  free(text);
  return rc;
}

/* ---- printing ---- */

static void print_numbers(const char *name, const double *spearman, const double *regret, const double *error) {
  printf("%-46s", name);
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
    if (isnan(spearman[m])) printf("      - ");
    else printf("  %6.2f", spearman[m]);
    if (isnan(regret[m])) printf("       -");
    else printf(" %6.1f%%", 100 * regret[m]);
    if (isnan(error[m])) printf("      - ");
    else printf(" %6.0f%%", fmin(99999, 100 * error[m]));
  }
  printf("\n");
}

static void print_head(void) {
  printf("%-46s", "kernel, trip count, plans");
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf("  %-22s", place_model_name((enum place_model)m));
  printf("\n%-46s", "");
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) printf("  %6s %7s %6s", "rho", "regret", "error");
  printf("\n");
}

static void print_plans(const struct place_case *c, const double *predicted) {
  char letters[256] = "";
  for (size_t i = 0; i < c->plan_count; i++) {
    if (c->region->array_count < sizeof letters) place_case_letters(c->region, c->plans[i].space, letters);
    printf("  %-12s measured %.4f ms;", letters, c->plans[i].kernel_ns * 1e-6);
    for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) {
      double cost = predicted[m * c->plan_count + i];
      printf(m == PLACE_MODEL_RULES ? " %s %.3f" : " %s %.4f", place_model_name((enum place_model)m),
             m == PLACE_MODEL_RULES ? cost : cost * 1e-6);
    }
    printf("\n");
  }
}

struct mean {
  double sum[PLACE_MODEL_COUNT], count[PLACE_MODEL_COUNT];
};

static void add(struct mean *mean, const double *values) {
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++)
    if (!isnan(values[m])) mean->sum[m] += values[m], mean->count[m]++;
}

static const double *take(struct mean *mean) {
  for (unsigned m = 0; m < PLACE_MODEL_COUNT; m++) mean->sum[m] = mean->count[m] > 0 ? mean->sum[m] / mean->count[m] : NAN;
  return mean->sum;
}

/* ---- the three uses ---- */

static int evaluate_all(const struct place_case *cases, size_t count, const struct place_machine *machine, bool plans) {
  struct mean spearman = {{0}, {0}}, regret = {{0}, {0}}, error = {{0}, {0}};
  struct place_diag diag = {""};
  print_head();
  for (size_t i = 0; i < count; i++) {
    char kernel[NAME_BYTES / 2], name[NAME_BYTES];
    double coefficients[HUANG_FEATURES];
    struct evaluation e;
    double *predicted = malloc((PLACE_MODEL_COUNT * cases[i].plan_count + 1) * sizeof *predicted);
    evaluate_kernel(&cases[i], kernel, sizeof kernel);
    snprintf(name, sizeof name, "%s, %llu, %zu", kernel, (unsigned long long)cases[i].launch.trip_count, cases[i].plan_count);
    int rc = predicted ? evaluate_fit(cases, count, kernel, machine, coefficients, &diag) : -1;
    if (rc == 0) rc = evaluate_case(&cases[i], machine, coefficients, &e, predicted, &diag);
    if (rc == 0) {
      print_numbers(name, e.spearman, e.regret, e.error);
      if (plans) print_plans(&cases[i], predicted);
      add(&spearman, e.spearman), add(&regret, e.regret), add(&error, e.error);
    }
    free(predicted);
    if (rc) return fail(diag.text, "");
  }
  print_numbers("mean", take(&spearman), take(&regret), take(&error));
  return 0;
}

static int print_fit(const struct place_case *cases, size_t count, const struct place_machine *machine) {
  double coefficients[HUANG_FEATURES];
  struct place_diag diag = {""};
  if (evaluate_fit(cases, count, NULL, machine, coefficients, &diag)) return fail(diag.text, "");
  printf("/* Made by `place-models --fit`; docs/models.md says from what. */\n#define HUANG_COEFFICIENTS {");
  for (int k = 0; k < HUANG_FEATURES; k++) printf(k ? ", %.6g" : "%.6g", coefficients[k]);
  printf("}\n");
  return 0;
}

int main(int argc, char **argv) {
  static struct msl_diagnostics why;
  const char *mode = argc > 1 && !strncmp(argv[1], "--", 2) ? argv[1] : "";
  int first = *mode ? 3 : 2, rc = 0;
  if (argc <= first || (*mode && strcmp(mode, "--plans") && strcmp(mode, "--fit")))
    return fail("usage: place-models [--plans | --fit] MACHINE.msl CASE...", ""), 2;
  struct place_machine *machine = msl_read_file(argv[first - 1], &why);
  struct place_case *cases = calloc((size_t)argc, sizeof *cases);
  if (!machine || !cases) rc = fail("cannot read the machine: ", why.count ? why.items[0].message : argv[first - 1]);
  size_t count = 0;
  for (int i = first; rc == 0 && i < argc; i++) rc = open_case(&cases[count++], argv[i]);
  if (rc == 0) rc = !strcmp(mode, "--fit") ? print_fit(cases, count, machine)
                                           : evaluate_all(cases, count, machine, !strcmp(mode, "--plans"));
  for (size_t i = 0; i < count; i++) place_case_free(&cases[i]);
  free(cases);
  msl_free(machine);
  return rc ? 1 : 0;
}
