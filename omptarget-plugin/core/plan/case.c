/* Reading and printing stored launches. */
#include "place/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/text.h"

enum { MAX_ARGS = 256, MAX_PLANS = 4096, LINE_BYTES = 4096 };

/* ---- letters ---- */

void place_case_letters(const struct place_region *region, const uint8_t *space, char *out) {
  for (size_t i = 0; i < region->array_count; i++) {
    int p = region->arrays[i].placeable;
    *out++ = p < 0 ? '-' : place_space_letter(space[p] < PLACE_SPACE_COUNT ? (enum place_space)space[p] : PLACE_GLOBAL);
  }
  *out = 0;
}

int place_case_spaces(const struct place_region *region, const char *letters, uint8_t *space) {
  if (strlen(letters) != region->array_count) return -1;
  memset(space, 0, PLACE_MAX_PLACEABLE);
  for (size_t i = 0; i < region->array_count; i++) {
    int p = region->arrays[i].placeable;
    int of_letter = place_space_of_letter(letters[i]);
    if (p < 0 ? letters[i] != '-' : of_letter < 0) return -1;
    if (p >= 0) space[p] = (uint8_t)of_letter;
  }
  return 0;
}

/* ---- the launch ---- */

int place_case_launch_new(struct place_case *c, struct place_diag *diag) {
  size_t n = c->region->array_count + 1;
  struct place_extent *extent = calloc(n, sizeof *extent);
  place_space_set *allowed = calloc(n, sizeof *allowed);
  uint64_t *arg = calloc(MAX_ARGS, sizeof *arg);
  bool *known = calloc(MAX_ARGS, sizeof *known);
  c->launch = (struct place_launch){.arg = arg, .arg_known = known, .args = MAX_ARGS, .extent = extent, .allowed = allowed};
  for (size_t i = 0; allowed && i < n; i++) allowed[i] = (1u << PLACE_SPACE_COUNT) - 1;
  return extent && allowed && arg && known ? 0 : place_diag_set(diag, "out of memory");
}

static int array_of(const struct place_region *region, const char *name) {
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  for (size_t i = 0; i < region->array_count; i++)
    if (strcmp(region->arrays[i].name, name) == 0) return (int)i;
  return !*end && end != name && number < region->array_count ? (int)number : -1;
}

static int read_allowed(struct place_case *c, int array, char *list, struct place_diag *diag) {
  place_space_set set = PLACE_SPACE_BIT(PLACE_GLOBAL);
  for (char *word = list, *next; word; word = next) {
    enum place_space space;
    next = strchr(word, ',');
    if (next) *next++ = 0;
    if (place_space_parse(word, strlen(word), &space)) return place_diag_set(diag, "no space is named %.40s", word);
    set |= PLACE_SPACE_BIT(space);
  }
  ((place_space_set *)c->launch.allowed)[array] = set;
  return 0;
}

static int read_array_line(struct place_case *c, const char *line, struct place_diag *diag) {
  char name[256] = "", list[256] = "";
  int64_t lo;
  uint64_t bytes;
  bool extent = sscanf(line, " extent %255s %" SCNi64 " %" SCNu64, name, &lo, &bytes) == 3;
  bool allowed = !extent && sscanf(line, " allowed %255s %255s", name, list) == 2;
  if (!extent && !allowed) return 1;
  int array = array_of(c->region, name);
  if (array < 0) return place_diag_set(diag, "no array is named %.200s", name);
  if (allowed) return read_allowed(c, array, list, diag);
  ((struct place_extent *)c->launch.extent)[array] = (struct place_extent){lo, bytes, true};
  return 0;
}

int place_case_launch_line(struct place_case *c, const char *line, struct place_diag *diag) {
  uint64_t value, bits;
  if (sscanf(line, " trip %" SCNu64, &value) == 1) return c->launch.trip_count = value, 0;
  if (sscanf(line, " threads %" SCNu64, &value) == 1) return c->launch.threads = (uint32_t)value, 0;
  if (sscanf(line, " teams %" SCNu64, &value) == 1) return c->launch.teams = (uint32_t)value, 0;
  if (sscanf(line, " shared %" SCNu64, &value) == 1) return c->launch.dynamic_shared_bytes = (uint32_t)value, 0;
  if (sscanf(line, " constant %" SCNu64, &value) == 1) return c->launch.constant_bytes = (uint32_t)value, 0;
  if (sscanf(line, " arg %" SCNu64 " %" SCNu64, &value, &bits) == 2) {
    if (value >= MAX_ARGS) return place_diag_set(diag, "argument %" PRIu64 ": at most %d are read", value, MAX_ARGS);
    ((uint64_t *)c->launch.arg)[value] = bits;
    ((bool *)c->launch.arg_known)[value] = true;
    return 0;
  }
  return read_array_line(c, line, diag);
}

/* ---- names of plans ---- */

/* Which of the versions that differ from others by routes alone it is, from 1; 0: none of them. */
static unsigned number_of_routes(const struct place_region *region, int version) {
  unsigned number = 0;
  if (place_version_host(region, (size_t)version) == (size_t)version) return 0;
  for (int v = 0; v <= version; v++) number += place_version_host(region, (size_t)v) != (size_t)v;
  return number;
}

/* What tells a version from the others with its spaces, into out; false: nothing has to. */
static bool what_of(const struct place_region *region, int version, char *out, size_t size) {
  const struct place_version *v = version < 0 ? NULL : &region->versions[version];
  uint8_t space[PLACE_MAX_PLACEABLE] = {0};
  const char *what = NULL;
  if (v && v->block.dims) return place_version_shape(v, out, size) > 0;
  if (v && number_of_routes(region, version)) return snprintf(out, size, "routes%u", number_of_routes(region, version)) > 0;
  if (!v) what = "original";
  else if (v->role == PLACE_ROLE_BASE) what = "base";
  else if (place_version_is_open(region, v)) what = "agnostic";
  else {
    place_version_spaces(region, v, space);
    if (place_version_find(region, space) != version) what = place_loop_name(v->loop);
  }
  if (what) snprintf(out, size, "%s", what);
  return what != NULL;
}

size_t place_case_plan_name(const struct place_region *region, const uint8_t *space, int version, char *out, size_t size) {
  struct place_text t = {out, size, 0};
  char *letters = malloc(region->array_count + 1);
  if (!letters) return 0;
  place_case_letters(region, space, letters);
  place_text_add(&t, "%s", letters);
  char what[96];
  if (what_of(region, version < (int)region->version_count ? version : -1, what, sizeof what)) place_text_add(&t, "_%s", what);
  free(letters);
  return t.length;
}

static int version_without_name(const struct place_region *region, const uint8_t *space) {
  int made = place_version_find(region, space);
  if (made >= 0 && !place_version_is_open(region, &region->versions[made])) return made;
  for (size_t v = 0; v < region->version_count; v++)
    if (region->versions[v].role == PLACE_ROLE_BASE && place_version_has_spaces(region, &region->versions[v], space)) return (int)v;
  return made;
}

/* -1: none has that name and these spaces; the original kernel has only global memory. */
static int find_version(const struct place_region *region, const char *what, const uint8_t *space, int *version) {
  static const uint8_t global[PLACE_MAX_PLACEABLE];
  if (!what) return *version = version_without_name(region, space), 0;
  if (!strcmp(what, "original")) return *version = -1, memcmp(space, global, sizeof global) ? -1 : 0;
  for (size_t v = 0; v < region->version_count; v++) {
    char name[96];
    if (region->versions[v].role == PLACE_ROLE_PROFILE || !place_version_has_spaces(region, &region->versions[v], space)) continue;
    if (what_of(region, (int)v, name, sizeof name) && !strcmp(name, what)) return *version = (int)v, 0;
  }
  return -1;
}

int place_case_plan_parse(const struct place_region *region, const char *name, uint8_t *space, int *version) {
  const char *what = strchr(name, '_');
  size_t length = what ? (size_t)(what - name) : strlen(name);
  char *letters = malloc(length + 1);
  *version = -1;
  if (!letters) return -1;
  memcpy(letters, name, length);
  letters[length] = 0;
  int rc = place_case_spaces(region, letters, space);
  free(letters);
  return rc ? rc : find_version(region, what ? what + 1 : NULL, space, version);
}

/* ---- the profile ---- */

/* VALUE[[('+'|'-')STEP]'*'COUNT] at *at, which is moved behind it; false: it is none. */
struct log_run {
  uint32_t value, step;
  unsigned long long count;
};

static bool read_run(const char **at, struct log_run *run) {
  char *end, sign;
  run->value = (uint32_t)strtoull(*at, &end, 10), run->step = 0, run->count = 1;
  if (end == *at) return false;
  sign = *end;
  if (sign == '+' || sign == '-') {
    const char *digits = end + 1;
    uint32_t step = (uint32_t)strtoull(digits, &end, 10);
    if (end == digits || *end != '*') return false;
    run->step = sign == '-' ? 0 - step : step;
  }
  if (*end == '*') run->count = strtoull(end + 1, &end, 10);
  *at = end;
  return !*end || *end == ' ' || *end == '\r';
}

static int read_log(struct place_case *c, const char *line, struct place_diag *diag) {
  char *end;
  unsigned long long word = strtoull(line + 4, &end, 10);
  if (!c->profile) c->profile = calloc(PLACE_PROFILE_WORDS, sizeof *c->profile);
  if (!c->profile) return place_diag_set(diag, "out of memory");
  for (const char *at = end; at[strspn(at, " \r")];) {
    struct log_run run;
    if (!read_run(&at, &run)) return place_diag_set(diag, "a log line is words, each VALUE, VALUE*COUNT or VALUE+STEP*COUNT");
    if (run.count > PLACE_PROFILE_WORDS || word > PLACE_PROFILE_WORDS - run.count)
      return place_diag_set(diag, "beyond the profile buffer");
    for (; run.count > 0; run.count--, run.value += run.step) c->profile[word++] = run.value;
  }
  return 0;
}

/* ---- reading ---- */

static int read_plan(struct place_case *c, const char *line, struct place_diag *diag) {
  char letters[256];
  struct place_case_plan plan = {.samples = 0};
  if (sscanf(line, " plan %255s %u %lf %lf", letters, &plan.samples, &plan.kernel_ns, &plan.off_ns) < 3 ||
      !(plan.kernel_ns > 0) || place_case_plan_parse(c->region, letters, plan.space, &plan.version))
    return place_diag_set(diag, "a plan is LETTERS[_WHAT] SAMPLES KERNEL-NS [OFF-NS], a letter of a space for each array, '-' for "
                                "those not placeable; WHAT: original, base, agnostic, or the end of a block version's name");
  if (c->plan_count == MAX_PLANS) return place_diag_set(diag, "more than %d plans", MAX_PLANS);
  struct place_case_plan *grown = realloc(c->plans, (c->plan_count + 1) * sizeof *grown);
  if (!grown) return place_diag_set(diag, "out of memory");
  c->plans = grown;
  c->plans[c->plan_count++] = plan;
  return 0;
}

static int read_line(struct place_case *c, const char *line, struct place_diag *diag) {
  const char *first = line + strspn(line, " \t");
  if (!*first || *first == '#' || *first == '\r' || !strncmp(first, "from ", 5) || !strncmp(first, "region ", 7)) return 0;
  if (!strncmp(first, "log ", 4)) return read_log(c, first, diag);
  if (!strncmp(first, "plan ", 5)) return read_plan(c, first, diag);
  int rc = place_case_launch_line(c, first, diag);
  return rc > 0 ? place_diag_set(diag, "'%.60s' is no line of a case", first) : rc;
}

/* The line of the text before its table that begins with the word, or NULL. */
static const char *line_with(const char *text, const char *table, const char *word) {
  for (const char *at = text; at && at < table; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
    if (strncmp(at, word, strlen(word)) == 0) return at;
  return NULL;
}

static int find_region(struct place_case *c, const char *text, const char *table, struct place_diag *diag) {
  char entry[1024] = "";
  const char *line = line_with(text, table, "region ");
  if (line) sscanf(line, "region %1023s", entry);
  for (size_t i = 0; i < c->table.region_count && !c->region; i++)
    if (!*entry || strcmp(c->table.regions[i].entry, entry) == 0) c->region = &c->table.regions[i];
  return c->region ? 0 : place_diag_set(diag, "the table has no region %.200s", entry);
}

static int read_lines(struct place_case *c, const char *text, const char *table, struct place_diag *diag) {
  unsigned number = 2;
  for (const char *at = strchr(text, '\n'); at && at + 1 < table; number++) {
    char line[LINE_BYTES * 4];
    struct place_diag why = {""};
    const char *begin = at + 1;
    at = strchr(begin, '\n');
    size_t length = (size_t)((at && at < table ? at : table) - begin);
    if (length >= sizeof line) return place_diag_set(diag, "line %u: longer than %zu bytes", number, sizeof line);
    memcpy(line, begin, length);
    line[length] = 0;
    if (read_line(c, line, &why)) return place_diag_set(diag, "line %u: %.400s", number, why.text);
  }
  return 0;
}

int place_case_read(const char *text, size_t length, struct place_case *c, struct place_diag *diag) {
  *c = (struct place_case){.region = NULL};
  char *copy = malloc(length + 1);
  if (!copy) return place_diag_set(diag, "out of memory");
  memcpy(copy, text, length);
  copy[length] = 0;
  const char *table = strstr(copy, "\nplace-table ");
  int rc = strncmp(copy, "place-case 1\n", 13) ? place_diag_set(diag, "line 1: not 'place-case 1'")
           : !table                            ? place_diag_set(diag, "there is no region table")
                                               : place_table_read(table + 1, strlen(table + 1), &c->table, diag);
  if (rc == 0) rc = find_region(c, copy, table + 1, diag);
  if (rc == 0) rc = place_case_launch_new(c, diag);
  if (rc == 0) rc = read_lines(c, copy, table + 1, diag);
  free(copy);
  if (rc) place_case_free(c);
  return rc;
}

struct place_question place_case_question(const struct place_case *c, const struct place_machine *machine, enum place_model model) {
  return (struct place_question){&c->table, c->region, &c->launch, {c->profile}, machine, model, c->forest};
}

void place_case_free(struct place_case *c) {
  place_table_free(&c->table);
  free((void *)c->launch.arg);
  free((void *)c->launch.arg_known);
  free((void *)c->launch.extent);
  free((void *)c->launch.allowed);
  free(c->profile);
  free(c->plans);
  *c = (struct place_case){.region = NULL};
}

/* ---- printing ---- */

static void print_launch(const struct place_case *c, struct place_text *t) {
  const struct place_launch *l = &c->launch;
  place_text_add(t, "region %s\ntrip %" PRIu64 "\nthreads %u\nteams %u\nshared %u\n", c->region->entry, l->trip_count, l->threads,
             l->teams, l->dynamic_shared_bytes);
  if (l->constant_bytes) place_text_add(t, "constant %u\n", l->constant_bytes);
  for (size_t i = 0; i < l->args; i++)
    if (l->arg_known[i]) place_text_add(t, "arg %zu %" PRIu64 "\n", i, l->arg[i]);
  for (size_t i = 0; i < c->region->array_count; i++) {
    const struct place_extent *e = &l->extent[i];
    if (e->known) place_text_add(t, "extent %zu %" PRIi64 " %" PRIu64 "\n", i, e->lo, e->bytes);
    place_text_add(t, "allowed %zu", i);
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++)
      if (l->allowed[i] >> s & 1) place_text_add(t, "%c%s", s ? ',' : ' ', place_space_name((enum place_space)s));
    place_text_add(t, "\n");
  }
}

/* Words from `from` on that are equally far apart, at least one. */
static size_t run_length(const uint32_t *words, size_t from, size_t end) {
  size_t next = from + 1;
  while (next < end && words[next] - words[next - 1] == words[from + 1] - words[from]) next++;
  return next - from > 2 || (next - from == 2 && words[from] == words[from + 1]) ? next - from : 1;
}

static void print_run(const uint32_t *words, size_t count, struct place_text *t) {
  uint32_t step = count > 1 ? words[1] - words[0] : 0;
  place_text_add(t, " %u", words[0]);
  if (step) place_text_add(t, step >> 31 ? "-%u" : "+%u", step >> 31 ? 0 - step : step);
  if (count > 1) place_text_add(t, "*%zu", count);
}

static void print_profile(const uint32_t *words, struct place_text *t) {
  enum { A_LINE = 128 };
  for (size_t from = 0; words && from < PLACE_PROFILE_WORDS; from += A_LINE) {
    size_t end = from + A_LINE < PLACE_PROFILE_WORDS ? from + A_LINE : PLACE_PROFILE_WORDS, i = from;
    while (i < end && !words[i]) i++;
    while (end > i && !words[end - 1]) end--;
    if (i == end) continue;
    place_text_add(t, "log %zu", i);
    for (size_t count; i < end; i += count) {
      count = run_length(words, i, end);
      print_run(words + i, count, t);
    }
    place_text_add(t, "\n");
  }
}

size_t place_case_print(const struct place_case *c, const char *from, const char *table, char *out, size_t size) {
  struct place_text t = {out, size, 0};
  place_text_add(&t, "place-case 1\n");
  if (from) place_text_add(&t, "from %s\n", from);
  print_launch(c, &t);
  print_profile(c->profile, &t);
  for (size_t i = 0; i < c->plan_count; i++) {
    char letters[256] = "";
    place_case_plan_name(c->region, c->plans[i].space, c->plans[i].version, letters, sizeof letters);
    place_text_add(&t, "plan %s %u %.1f %.1f\n", letters, c->plans[i].samples, c->plans[i].kernel_ns, c->plans[i].off_ns);
  }
  if (table) place_text_add(&t, "%s", table);
  return t.length;
}
