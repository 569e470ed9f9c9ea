#define _GNU_SOURCE
#include "recall.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "class.h"
#include "needs.h"
#include "report.h"
#include "store.h"

enum { MAX_IMAGES = 32, SAVE_WAIT_MS = 10000, DAY_S = 24 * 60 * 60 };

/* What was read. */
static struct {
  pthread_mutex_t lock;
  bool known;         /* whether there is a file is known */
  const char *file;   /* NULL: none */
  char path[4096];
  struct {
    uint64_t hash;
    struct store_rows rows;
  } image[MAX_IMAGES];
  unsigned images;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- keys ---- */

static const uint64_t prime = 0x9e3779b97f4a7c15u;

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (; size >= 8; at += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29;
  }
  for (; size; size--) hash = (hash ^ *at++) * prime;
  return hash ^ hash >> 32;
}

static uint64_t mix_text(uint64_t hash, const char *text) { return mix(hash, text, strlen(text) + 1); }

static uint64_t image_hash(struct rt_module *module) {
  uint64_t hash = atomic_load(&module->image_hash);
  if (hash) return hash;
  hash = prime;
  for (size_t i = 0; i < module->image_count; i++) hash = mix(hash, module->images[i].start, module->images[i].bytes);
  atomic_store(&module->image_hash, hash | 1);
  return hash | 1;
}

static uint64_t mix_settings(uint64_t hash, const struct runtime *rt, const struct rt_device *device) {
  const struct config *c = &rt->config;
  double settings[] = {c->trials, c->threshold, (double)c->solver, (double)c->model, device->facts.sm, device->facts.driver};
  hash = mix(hash, settings, sizeof settings);
  hash = mix_text(hash, device->facts.name);
  if (c->forest_sum) hash = mix(hash, &c->forest_sum, sizeof c->forest_sum);
  return mix_text(mix_text(hash, rt->machine_note), PLACE_VERSION);
}

/* 128 bits, as text. */
static void key_of(const struct runtime *rt, const struct rt_device *device, const struct rt_region *region, const struct rt_class *c,
                   char out[33]) {
  for (int half = 0; half < 2; half++) {
    uint64_t hash = mix_settings(prime + (uint64_t)half, rt, device), image = image_hash(region->module);
    hash = mix(hash, &image, sizeof image);
    hash = mix_text(hash, region->region->entry);
    hash = mix(hash, c->key, c->key_words * sizeof *c->key);
    snprintf(out + 16 * half, 17, "%016llx", (unsigned long long)hash);
  }
}

/* ---- reading ---- */

/* What is forced, unmeasured or not bounded by a budget is not remembered, unless the user names a file. */
static bool is_wanted(const struct runtime *rt) {
  const struct config *c = &rt->config;
  return c->trials && !rt->force && (c->patience_ns > 0 || (c->store && *c->store));
}

static const char *environment(const char *name) { return secure_getenv(name); }

static const char *file_of(const struct runtime *rt) {
  if (!memory.known) memory.file = store_file(rt->config.store, environment, memory.path, sizeof memory.path);
  memory.known = true;
  return memory.file;
}

static void note(struct runtime *rt, const struct place_diag *diag) {
  static bool said;
  if (!*diag->text) return;
  config_message(&rt->config, "PLACE_STORE: %s", diag->text);
  bool asked = (rt->config.store && *rt->config.store) || rt->config.report != REPORT_NONE; /* a home may well be read-only */
  if (asked && !said) report_say("PLACE_STORE: %s", diag->text);
  said |= asked;
}

static void say(const struct place_diag *aside) {
  if (*aside->text) report_say("%s", aside->text);
}

/* Of an image, under memory.lock; NULL: there is no room for more. */
static struct store_rows *rows_of(struct runtime *rt, uint64_t image) {
  struct place_diag aside = {""}, diag = {""};
  char name[17];
  for (unsigned i = 0; i < memory.images; i++)
    if (memory.image[i].hash == image) return &memory.image[i].rows;
  if (memory.images == MAX_IMAGES) return NULL;
  struct store_rows *rows = &memory.image[memory.images].rows;
  memory.image[memory.images++].hash = image;
  snprintf(name, sizeof name, "%016llx", (unsigned long long)image);
  if (store_read(file_of(rt), name, rows, &aside, &diag)) note(rt, &diag);
  say(&aside);
  return rows;
}

static const struct store_row *find_row(struct flight *f) {
  char key[33];
  struct store_rows *rows = rows_of(f->rt, image_hash(f->region->module));
  if (!rows || !rows->count) return NULL;
  key_of(f->rt, f->device, f->region, f->in_class, key);
  for (size_t i = 0; i < rows->count; i++)
    if (!strcmp(rows->row[i].key, key)) return &rows->row[i];
  return NULL;
}

static bool take_up(struct flight *f, const struct store_row *row) {
  struct rt_class *c = f->in_class;
  struct verdict verdict;
  bool *usable = calloc(f->region->region->version_count + 1, sizeof *usable);
  if (!usable || verdict_read(row->verdict, &verdict, NULL)) return free(usable), false;
  needs_usable(f->region, &f->decision->view, usable);
  bool taken = class_take_up(c, f->region, &verdict, usable);
  verdict_free(&verdict);
  free(usable);
  if (!taken) return false;
  c->tune.bounded = f->rt->config.patience_ns > 0;
  c->recalled = true;
  c->recalled_generation = c->generation;
  c->recalled_used = row->used;
  return true;
}

bool recall_class(struct flight *f) {
  if (f->in_class->phase != CLASS_NEW || f->state->force.any || !is_wanted(f->rt)) return false;
  pthread_mutex_lock(&memory.lock);
  const struct store_row *row = file_of(f->rt) ? find_row(f) : NULL;
  bool taken = row && take_up(f, row);
  pthread_mutex_unlock(&memory.lock);
  if (taken) flight_note(f, HISTORY_RECALLED, 0, f->in_class->chosen > 0 ? &f->in_class->plan[f->in_class->chosen] : NULL);
  if (taken) report_decision(f->rt, f->region, f->in_class);
  return taken;
}

/* ---- writing ---- */

struct save {
  struct runtime *rt;
  struct store_rows rows;
  int64_t now;
};

__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...) {
  char *text = NULL;
  va_list list;
  va_start(list, format);
  if (vasprintf(&text, format, list) < 0) text = NULL;
  va_end(list);
  return text;
}

static char *verdict_text(const struct verdict *v) {
  size_t size = verdict_print(v, NULL, 0) + 1;
  char *text = malloc(size);
  if (text) verdict_print(v, text, size);
  return text;
}

/* Settled by a trial; not as it was read, unless that was long ago. */
static bool is_due(const struct save *s, const struct rt_class *c) {
  bool as_read = c->recalled && c->generation == c->recalled_generation;
  return c->phase == CLASS_SETTLED && c->tune.done && !(as_read && s->now - c->recalled_used < DAY_S);
}

static void add_row(struct save *s, const struct rt_region *region, const struct rt_device *device, const struct rt_class *c,
                    const struct verdict *verdict) {
  struct store_row *more = realloc(s->rows.row, (s->rows.count + 1) * sizeof *more);
  if (!more) return;
  s->rows.row = more;
  const struct place_region *r = region->region;
  char key[33];
  key_of(s->rt, device, region, c, key);
  struct store_row row = {strdup(key),
                          text_of("%016llx", (unsigned long long)image_hash(region->module)),
                          strdup(r->entry),
                          text_of("%s %s:%u, %llu iterations", r->function ? r->function : "?", r->file ? r->file : "?", r->line,
                                  (unsigned long long)c->shape.trip_count),
                          text_of("%s sm_%u driver %d", *device->facts.name ? device->facts.name : "CPU", device->facts.sm,
                                  device->facts.driver),
                          verdict_text(verdict),
                          s->now};
  s->rows.row[s->rows.count++] = row;
  if (!row.key || !row.image || !row.kernel || !row.where || !row.device || !row.verdict) s->rows.count--; /* out of memory */
}

static void collect(const struct runtime *rt, const struct rt_region *region, int number, const struct rt_device_region *state,
                    void *context) {
  struct save *s = context;
  struct verdict verdict;
  if (!state || state->force.any || state->dropped || !atomic_load(&region->module->image_hash)) return;
  for (unsigned i = 0; i < state->class_count; i++) {
    const struct rt_class *c = state->classes[i];
    if (!is_due(s, c) || !class_tell(c, region, &verdict)) continue;
    add_row(s, region, rt->device[number], c, &verdict);
    verdict_free(&verdict);
  }
}

void recall_save(struct runtime *rt) {
  struct save s = {.rt = rt, .now = (int64_t)time(NULL)};
  struct place_diag aside = {""}, diag = {""};
  pthread_mutex_lock(&memory.lock);
  if (is_wanted(rt) && file_of(rt)) report_regions(rt, collect, &s);
  if (s.rows.count && store_write(memory.file, s.rows.row, s.rows.count, SAVE_WAIT_MS, &aside, &diag)) note(rt, &diag);
  pthread_mutex_unlock(&memory.lock);
  say(&aside);
  store_rows_free(&s.rows);
}
