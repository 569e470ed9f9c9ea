/* Raw measurements and their text. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "place-probe log 1";

/* Room for one more element. */
static bool reserve(void **items, size_t count, size_t *room, size_t bytes) {
  if (count < *room)
    return true;
  size_t wanted = *room ? *room * 2 : 64;
  void *grown = realloc(*items, wanted * bytes);
  if (!grown)
    return false;
  *items = grown;
  *room = wanted;
  return true;
}

static bool add_fact(struct probe_log *log, const char *key, const char *value) {
  void *items = log->facts;
  bool room = reserve(&items, log->fact_count, &log->fact_room, sizeof *log->facts);
  log->facts = items;
  if (!room)
    return false;
  struct probe_fact *fact = &log->facts[log->fact_count++];
  snprintf(fact->key, sizeof fact->key, "%s", key);
  snprintf(fact->value, sizeof fact->value, "%s", value);
  return true;
}

bool probe_log_fact(struct probe_log *log, const char *key, const char *format, ...) {
  char value[PROBE_FACT_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  return add_fact(log, key, value);
}

bool probe_log_add(struct probe_log *log, const char *quantity, unsigned round, double x, const double *samples,
                   unsigned count) {
  void *items = log->points;
  bool room = reserve(&items, log->point_count, &log->point_room, sizeof *log->points);
  log->points = items;
  if (!room)
    return false;
  struct probe_point *point = &log->points[log->point_count++];
  *point = (struct probe_point){.round = round, .x = x, .count = count < PROBE_MAX_SAMPLES ? count : PROBE_MAX_SAMPLES};
  snprintf(point->quantity, sizeof point->quantity, "%s", quantity);
  memcpy(point->samples, samples, point->count * sizeof *samples);
  if (round >= log->rounds)
    log->rounds = round + 1;
  return true;
}

const char *probe_log_find(const struct probe_log *log, const char *key) {
  for (size_t i = 0; i < log->fact_count; i++)
    if (!strcmp(log->facts[i].key, key))
      return log->facts[i].value;
  return NULL;
}

void probe_log_free(struct probe_log *log) {
  free(log->facts);
  free(log->points);
  *log = (struct probe_log){0};
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static bool read_samples(const char *text, struct probe_point *point) {
  for (;;) {
    char *end;
    double value = strtod(text, &end);
    if (end == text)
      break;
    if (point->count == PROBE_MAX_SAMPLES)
      return false;
    point->samples[point->count++] = value;
    text = end;
  }
  return point->count && text[strspn(text, " \r\n")] == 0;
}

static bool read_line(struct probe_log *log, const char *line, unsigned first_round) {
  struct probe_point point = {0};
  char key[PROBE_NAME_BYTES], value[PROBE_FACT_BYTES];
  int at = 0;
  if (line[strspn(line, " \r\n")] == 0 || line[0] == '#')
    return true;
  if (sscanf(line, "fact %31s %95[^\r\n]", key, value) == 2)
    return probe_log_find(log, key) || add_fact(log, key, value);
  if (sscanf(line, "point %31s %u %lf : %n", point.quantity, &point.round, &point.x, &at) != 3 || !at || point.round > 1000 ||
      !read_samples(line + at, &point))
    return false;
  return probe_log_add(log, point.quantity, first_round + point.round, point.x, point.samples, point.count);
}

bool probe_log_read(struct probe_log *log, const char *path, char error[PROBE_ERROR_BYTES]) {
  char line[1024] = "";
  unsigned number = 1, first_round = log->rounds;
  FILE *file = fopen(path, "r");
  if (!file) {
    snprintf(error, PROBE_ERROR_BYTES, "%.100s: %s", path, strerror(errno));
    return false;
  }
  bool good = fgets(line, sizeof line, file) && !strncmp(line, first_line, strlen(first_line));
  while (good && fgets(line, sizeof line, file)) {
    number++;
    good = read_line(log, line, first_round);
  }
  if (!good)
    snprintf(error, PROBE_ERROR_BYTES, "%.100s:%u: not a line of a place-probe log", path, number);
  fclose(file);
  return good;
}

bool probe_log_write(const struct probe_log *log, const char *path, char error[PROBE_ERROR_BYTES]) {
  FILE *file = fopen(path, "w");
  bool good = file && fprintf(file, "%s\n", first_line) > 0;
  for (size_t i = 0; good && i < log->fact_count; i++)
    good = fprintf(file, "fact %s %s\n", log->facts[i].key, log->facts[i].value) > 0;
  for (size_t i = 0; good && i < log->point_count; i++) {
    const struct probe_point *point = &log->points[i];
    good = fprintf(file, "point %s %u %.10g :", point->quantity, point->round, point->x) > 0;
    for (unsigned k = 0; good && k < point->count; k++)
      good = fprintf(file, " %.6g", point->samples[k]) > 0;
    good = good && fputc('\n', file) != EOF;
  }
  good = file && fclose(file) == 0 && good;
  if (!good)
    snprintf(error, PROBE_ERROR_BYTES, "%.100s: %s", path, strerror(errno));
  return good;
}
