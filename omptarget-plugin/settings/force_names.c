/* What PLACE_FORCE names and the program does not have. */
#include <stdio.h>
#include <string.h>

#include "force.h"
#include "place/nearest.h"
#include "place/text.h"

typedef void say_line(const char *format, ...);

struct regions {
  const struct place_region *const *region;
  size_t count;
};

enum { MOST_LISTED = 12 };

static const char *base_name(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file && *file ? file : "?";
}

static void place_of(const struct place_region *r, char *out, size_t size) {
  snprintf(out, size, "%.80s:%u", base_name(r->file), r->line);
}

/* ---- regions ---- */

static void nearest_region(const char *word, const struct regions *all, char *out, size_t size) {
  struct place_nearest nearest;
  char place[100], line[16];
  place_nearest_start(&nearest, word);
  for (size_t i = 0; i < all->count; i++) {
    const struct place_region *r = all->region[i];
    place_of(r, place, sizeof place);
    snprintf(line, sizeof line, "%u", r->line);
    const char *names[] = {r->function ? r->function : "", place, line};
    for (int n = 0; n < 3; n++) {
      place_nearest_offer(&nearest, names[n]);
      if (nearest.best == names[n]) snprintf(out, size, " (did you mean '%.100s'?)", names[n]);
    }
  }
}

static void list_regions(const struct regions *all, struct place_text *text) {
  char place[100];
  for (size_t i = 0; i < all->count && i < MOST_LISTED; i++) {
    place_of(all->region[i], place, sizeof place);
    place_text_add(text, "%s%.60s (%s)", i ? ", " : "", all->region[i]->function ? all->region[i]->function : "?", place);
  }
  if (all->count > MOST_LISTED) place_text_add(text, " and %zu more", all->count - MOST_LISTED);
}

static void say_no_region(const char *word, const struct regions *all, say_line *say) {
  char list[700] = "", hint[140] = "";
  struct place_text text = {list, sizeof list, 0};
  if (!all->count) return say("PLACE_FORCE: no region is '%.80s': the program has none that was compiled with libplace.so", word);
  nearest_region(word, all, hint, sizeof hint);
  list_regions(all, &text);
  say("PLACE_FORCE: no region is '%.80s'%s; there are %s", word, hint, list);
}

/* ---- arrays ---- */

static bool is_listed(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void say_no_array(const struct force_clause *clause, const char *word, const struct regions *all, say_line *say) {
  const char *names[MOST_LISTED * 2 + 1] = {NULL}, *best;
  char list[500] = "", hint[100] = "";
  struct place_text text = {list, sizeof list, 0};
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    for (size_t a = 0; a < all->region[i]->array_count && count < MOST_LISTED * 2; a++) {
      const char *name = all->region[i]->arrays[a].name;
      if (!is_listed(names, count, name)) names[count++] = name;
    }
  for (size_t i = 0; i < count; i++) place_text_add(&text, "%s%.40s", i ? ", " : "", names[i]);
  if ((best = place_nearest_of(word, names))) snprintf(hint, sizeof hint, " (did you mean '%.60s'?)", best);
  say("PLACE_FORCE: '%.80s' has no array '%.60s'%s; there are %s", clause->region, word, hint, count ? list : "none");
}

const char *force_why_not(const struct place_array *array, enum place_space space) {
  if (space == PLACE_GLOBAL || (array->placeable >= 0 && array->candidates & PLACE_SPACE_BIT(space))) return NULL;
  if (array->atomic) return "it is updated atomically";
  if (array->written) return "the region writes it";
  return array->reason ? array->reason : "no version was compiled for that";
}

static void say_no_space(const struct place_region *r, const struct place_array *array, const struct force_item *item, say_line *say) {
  char place[100];
  place_of(r, place, sizeof place);
  say("PLACE_FORCE: '%.60s' of %.60s (%s) cannot be in %s memory: %s", array->name, r->function ? r->function : "?", place,
      place_space_name(item->space), force_why_not(array, item->space));
}

static void say_no_route(const struct place_region *r, const struct place_array *array, const struct force_item *item, say_line *say) {
  char place[100];
  const char *route = place_route_name((enum place_route)item->route);
  place_of(r, place, sizeof place);
  say("PLACE_FORCE: no version of %.60s (%s) loads '%.60s' by %s: compile with -fplugin-arg-place-routes, or with '#pragma place %s(%.60s)'",
      r->function ? r->function : "?", place, array->name, route, route, array->name);
}

static bool is_possible(const struct place_region *region, size_t array, const struct force_item *item) {
  if (item->route >= 0) return force_has_route(region, array, (enum place_route)item->route);
  return !force_why_not(&region->arrays[array], item->space);
}

/* An array that can be there in one of the regions is what was meant. */
static void check_item(const struct force_clause *clause, const struct force_item *item, const struct regions *all, say_line *say) {
  const struct place_array *array = NULL;
  const struct place_region *of = NULL;
  if (!item->array || item->version != FORCE_ANY) return;
  for (size_t i = 0; i < all->count; i++)
    for (size_t a = 0; a < all->region[i]->array_count; a++) {
      const struct place_array *one = &all->region[i]->arrays[a];
      if (!force_is_array(item->array, one)) continue;
      if (is_possible(all->region[i], a, item)) return;
      array = one;
      of = all->region[i];
    }
  if (array && item->route >= 0) say_no_route(of, array, item, say);
  else if (array) say_no_space(of, array, item, say);
  else say_no_array(clause, item->array, all, say);
}

/* ---- one array by two names ---- */

static bool names_both(const struct force_item *a, const struct force_item *b, const struct place_region *r) {
  for (size_t i = 0; i < r->array_count; i++)
    if (force_is_array(a->array, &r->arrays[i]) && force_is_array(b->array, &r->arrays[i])) return true;
  return false;
}

static void check_pair(const struct force_item *a, const struct force_item *b, const struct regions *matched, say_line *say) {
  char place[100];
  if (!a->array || !b->array || a->version != FORCE_ANY || b->version != FORCE_ANY || a->route >= 0 || b->route >= 0 || a->space == b->space)
    return;
  for (size_t i = 0; i < matched->count; i++) {
    const struct place_region *r = matched->region[i];
    if (!names_both(a, b, r)) continue;
    place_of(r, place, sizeof place);
    return say("PLACE_FORCE: '%.60s' and '%.60s' are one array of %.60s (%s), which cannot be in %s and in %s memory; the last counts", a->array,
               b->array, r->function ? r->function : "?", place, place_space_name(a->space), place_space_name(b->space));
  }
}

static void check_pairs(const struct force_clause *clause, const struct regions *matched, say_line *say) {
  for (size_t i = 0; i < clause->count; i++)
    for (size_t k = i + 1; k < clause->count; k++) check_pair(&clause->items[i], &clause->items[k], matched, say);
}

void force_check_names(struct force *force, const struct place_region *const *regions, size_t count,
                       void (*say)(const char *format, ...)) {
  const struct regions all = {regions, count};
  for (size_t c = 0; force && c < force->count; c++) {
    struct force_clause *clause = &force->clauses[c];
    const struct place_region *match[256];
    struct regions matched = {match, 0};
    if (clause->told) continue;
    clause->told = true;
    for (size_t i = 0; i < count && matched.count < 256; i++)
      if (force_is_region(clause->region, regions[i])) match[matched.count++] = regions[i];
    if (!matched.count) say_no_region(clause->region, &all, say);
    for (size_t i = 0; matched.count && i < clause->count; i++) check_item(clause, &clause->items[i], &matched, say);
    check_pairs(clause, &matched, say);
  }
}
