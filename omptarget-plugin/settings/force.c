#define _GNU_SOURCE
#include "force.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/nearest.h"

void force_free(struct force *force) {
  if (!force) return;
  for (size_t c = 0; c < force->count; c++) {
    for (size_t i = 0; i < force->clauses[c].count; i++) free(force->clauses[c].items[i].array);
    free(force->clauses[c].items);
    free(force->clauses[c].region);
  }
  free(force->clauses);
  free(force);
}

/* ---- parsing ---- */

static const char remedy[] = "write region:array=space[,array=space...], for example PLACE_FORCE='main:w=constant' or '*:all=shared'";

static int parse_version(const char *name, struct force_item *item) {
  static const char *const names[] = {"", "agnostic", "profile", "base"};
  for (int i = 1; i < 4; i++)
    if (!strcmp(name, names[i])) return item->version = (enum force_version)i, 0;
  size_t letters = strcspn(name, "0123456789");
  int loop = place_loop_parse(name, letters);
  char *end = NULL;
  unsigned long number = name[letters] ? strtoul(name + letters, &end, 10) : 1;
  if (loop < 0 || (end && *end) || number < 1 || number > 64) return -1;
  item->version = FORCE_LOOP;
  item->loop = (enum place_loop_form)loop;
  item->number = (unsigned)number;
  return 0;
}

static int unknown_space(const char *space, const char *array, int length, struct place_diag *diag) {
  struct place_nearest nearest;
  char hint[40] = "";
  place_nearest_start(&nearest, space);
  for (int i = 0; i < PLACE_SPACE_COUNT; i++) place_nearest_offer(&nearest, place_space_name((enum place_space)i));
  if (nearest.best) snprintf(hint, sizeof hint, "did you mean %s? ", nearest.best);
  return place_diag_set(diag, "PLACE_FORCE: no space '%.40s' (for '%.*s'); %sthere are global, readonly, constant, shared, texture and texture2d", space,
                        length, array, hint);
}

static int unknown_route(const char *route, struct place_diag *diag) {
  struct place_nearest nearest;
  char hint[40] = "";
  place_nearest_start(&nearest, route);
  for (int i = 0; i < PLACE_ROUTE_COUNT; i++) place_nearest_offer(&nearest, place_route_name((enum place_route)i));
  if (nearest.best) snprintf(hint, sizeof hint, "did you mean %s? ", nearest.best);
  return place_diag_set(diag, "PLACE_FORCE: no route '%.40s'; %sthere are those of docs/hints.md, such as cg and no_allocate", route, hint);
}

/* array@route. One that a space stands for, the first of the list, is that space. */
static int parse_route(const char *text, struct force_item *item, struct place_diag *diag) {
  const char *at = strchr(text, '@');
  size_t length = (size_t)(at - text);
  int route = place_route_parse(at + 1, strlen(at + 1));
  if (!length) return place_diag_set(diag, "PLACE_FORCE: '%.80s' is not array@route; %s", text, remedy);
  if (route < 0) return unknown_route(at + 1, diag);
  item->route = route;
  for (int s = 0; route != PLACE_ROUTE_DEFAULT && s < PLACE_SPACE_COUNT && item->route >= 0; s++)
    if (place_space_route((enum place_space)s) == (enum place_route)route) item->space = (enum place_space)s, item->route = -1;
  if (length == 3 && !strncmp(text, "all", 3)) return 0;
  item->array = strndup(text, length);
  return item->array ? 0 : place_diag_set(diag, "PLACE_FORCE: out of memory");
}

static int parse_item(const char *text, struct force_item *item, struct place_diag *diag) {
  const char *equals = strchr(text, '=');
  if (!equals && strchr(text, '@')) return parse_route(text, item, diag);
  if (!equals || equals == text || !equals[1])
    return place_diag_set(diag, "PLACE_FORCE: '%.80s' is not array=space; %s", text, remedy);
  size_t length = (size_t)(equals - text);
  if (length == 7 && !strncmp(text, "version", 7)) {
    if (!parse_version(equals + 1, item)) return 0;
    return place_diag_set(diag, "PLACE_FORCE: no version '%.40s'; there are agnostic, profile, base, and loop forms such as straight, "
                                "or block1 to block64", equals + 1);
  }
  if (place_space_parse(equals + 1, strlen(equals + 1), &item->space))
    return unknown_space(equals + 1, text, (int)(length > 40 ? 40 : length), diag);
  if (length == 3 && !strncmp(text, "all", 3)) return 0;
  item->array = strndup(text, length);
  return item->array ? 0 : place_diag_set(diag, "PLACE_FORCE: out of memory");
}

static int parse_items(char *text, struct force_clause *clause, struct place_diag *diag) {
  char *rest = text, *one;
  while ((one = strsep(&rest, ","))) {
    struct force_item *items = realloc(clause->items, (clause->count + 1) * sizeof *items);
    if (!items) return place_diag_set(diag, "PLACE_FORCE: out of memory");
    clause->items = items;
    items[clause->count] = (struct force_item){.space = PLACE_GLOBAL, .route = -1, .version = FORCE_ANY};
    if (parse_item(one, &items[clause->count], diag)) return -1;
    clause->count++;
  }
  return 0;
}

/* An array's name, or `version`, that has another value before it in the clause, or in an earlier one of the same words. */
static bool is_contradiction(const struct force_item *a, const struct force_item *b) {
  if (a->version != FORCE_ANY || b->version != FORCE_ANY)
    return a->version != FORCE_ANY && b->version != FORCE_ANY &&
           (a->version != b->version || a->loop != b->loop || a->number != b->number);
  bool same = a->array && b->array ? !strcmp(a->array, b->array) : a->array == b->array;
  if (a->route >= 0 || b->route >= 0) return same && a->route >= 0 && b->route >= 0 && a->route != b->route;
  return same && a->space != b->space;
}

static int check_pair(const struct force_clause *x, const struct force_item *a, const struct force_item *b, struct place_diag *diag) {
  if (!is_contradiction(a, b)) return 0;
  if (a->version != FORCE_ANY) return place_diag_set(diag, "PLACE_FORCE: two versions for '%.80s'; name one", x->region);
  if (a->route >= 0)
    return place_diag_set(diag, "PLACE_FORCE: two routes for '%.60s' of '%.80s', %s and %s; name one", a->array ? a->array : "all", x->region,
                          place_route_name((enum place_route)a->route), place_route_name((enum place_route)b->route));
  return place_diag_set(diag, "PLACE_FORCE: two spaces for '%.60s' of '%.80s', %s and %s; name one", a->array ? a->array : "all",
                        x->region, place_space_name(a->space), place_space_name(b->space));
}

static int check_clauses(const struct force_clause *x, const struct force_clause *y, struct place_diag *diag) {
  if (strcmp(x->region, y->region)) return 0;
  for (size_t i = 0; i < x->count; i++)
    for (size_t k = 0; k < y->count; k++)
      if (check_pair(x, &x->items[i], &y->items[k], diag)) return -1;
  return 0;
}

static int check_contradictions(const struct force *force, struct place_diag *diag) {
  for (size_t x = 0; x < force->count; x++)
    for (size_t y = x; y < force->count; y++)
      if (check_clauses(&force->clauses[x], &force->clauses[y], diag)) return -1;
  return 0;
}

/* The colon that ends the region: the last one before the first '=', or, without one, before the last '@'. */
static char *end_of_region(char *text) {
  char *equals = strchr(text, '=');
  if (!equals) equals = strrchr(text, '@');
  return equals ? memrchr(text, ':', (size_t)(equals - text)) : NULL;
}

static int parse_clause(char *text, struct force_clause *clause, struct place_diag *diag) {
  char *colon = end_of_region(text);
  if (!strpbrk(text, "=@") && strchr(text, ':')) return place_diag_set(diag, "PLACE_FORCE: '%.120s' names no space; %s", text, remedy);
  if (!colon || colon == text)
    return place_diag_set(diag, "PLACE_FORCE: '%.120s' does not begin with a region and a colon; %s", text, remedy);
  *colon = 0;
  clause->region = strdup(text);
  return clause->region ? parse_items(colon + 1, clause, diag) : place_diag_set(diag, "PLACE_FORCE: out of memory");
}

static int parse_clauses(char *text, struct force *force, struct place_diag *diag) {
  char *rest = text, *one;
  while ((one = strsep(&rest, ";"))) {
    if (!*one) continue;
    struct force_clause *clauses = realloc(force->clauses, (force->count + 1) * sizeof *clauses);
    if (!clauses) return place_diag_set(diag, "PLACE_FORCE: out of memory");
    force->clauses = clauses;
    clauses[force->count] = (struct force_clause){.region = NULL};
    if (parse_clause(one, &clauses[force->count++], diag)) return -1;
  }
  return force->count ? 0 : place_diag_set(diag, "PLACE_FORCE: nothing in '%.40s'; %s", text, remedy);
}

struct force *force_parse(const char *text, struct place_diag *diag) {
  struct force *force = calloc(1, sizeof *force);
  char *copy = strdup(text);
  if (!force || !copy || parse_clauses(copy, force, diag) || check_contradictions(force, diag)) {
    if (!force || !copy) place_diag_set(diag, "PLACE_FORCE: out of memory");
    force_free(force);
    force = NULL;
  }
  free(copy);
  return force;
}

/* ---- matching ---- */

bool force_has_route(const struct place_region *region, size_t array, enum place_route route) {
  for (size_t v = 0; v < region->version_count; v++) {
    const struct place_version *version = &region->versions[v];
    if (version->role == PLACE_ROLE_PLAN && place_version_route(version, array) == route) return true;
  }
  return false;
}

static int apply_route(const struct force_item *item, const struct place_region *region, struct force_choice *choice,
                       struct place_diag *diag) {
  bool found = false, routed = false;
  choice->routed = true;
  if (!item->array) return choice->all_route = item->route, 0;
  for (size_t a = 0; a < region->array_count && a < FORCE_ARRAYS; a++) {
    if (!force_is_array(item->array, &region->arrays[a])) continue;
    found = true;
    routed |= force_has_route(region, a, (enum place_route)item->route);
    choice->route[a] = (int8_t)item->route;
  }
  if (found && routed) return 0;
  return place_diag_set(diag, found ? "PLACE_FORCE: no version loads '%.60s' by %s" : "PLACE_FORCE: no array '%.60s' in this region",
                        item->array, place_route_name((enum place_route)item->route));
}

static int apply_item(const struct force_item *item, const struct place_region *region, struct force_choice *choice,
                      struct place_diag *diag) {
  bool found = false, placed = false;
  if (item->route >= 0) return apply_route(item, region, choice, diag);
  if (!item->array && item->version == FORCE_ANY) choice->all = (int)item->space;
  if (item->version != FORCE_ANY) {
    choice->version = item->version;
    choice->loop = item->loop;
    choice->number = item->number;
    return 0;
  }
  for (size_t a = 0; a < region->array_count; a++) {
    const struct place_array *array = &region->arrays[a];
    if (item->array && !force_is_array(item->array, array)) continue;
    found = true;
    if (array->placeable < 0 || !(array->candidates & PLACE_SPACE_BIT(item->space))) continue;
    choice->space[array->placeable] = item->space;
    choice->asked[array->placeable] |= item->array != NULL || item->space == PLACE_GLOBAL;
    placed = true;
  }
  if (!item->array || placed || (found && item->space == PLACE_GLOBAL)) return 0;
  return place_diag_set(diag, found ? "PLACE_FORCE: no version has '%.60s' in %s memory" : "PLACE_FORCE: no array '%.60s' in this region",
                        item->array, place_space_name(item->space));
}

/* `global` as a hint is no placement: it takes the other spaces away (view.c) and leaves the other arrays to the model. */
static void apply_hints(const struct place_region *region, struct force_choice *choice) {
  for (size_t a = 0; a < region->array_count; a++) {
    const struct place_array *array = &region->arrays[a];
    if (array->hint < 0 || array->hint == PLACE_GLOBAL || array->placeable < 0) continue;
    if (!(array->candidates & PLACE_SPACE_BIT(array->hint))) continue;
    choice->space[array->placeable] = (enum place_space)array->hint;
    choice->asked[array->placeable] = choice->any = choice->hinted = true;
  }
}

int force_apply(const struct force *force, const struct place_region *region, struct force_choice *choice,
                struct place_diag *diag) {
  int rc = 0;
  memset(choice, 0, sizeof *choice);
  choice->all = choice->all_route = -1;
  memset(choice->route, -1, sizeof choice->route);
  for (size_t c = 0; force && c < force->count; c++) {
    const struct force_clause *clause = &force->clauses[c];
    if (!force_is_region(clause->region, region)) continue;
    choice->any = true;
    bool everywhere = !strcmp(clause->region, "*");
    for (size_t i = 0; i < clause->count; i++)
      if (apply_item(&clause->items[i], region, choice, everywhere ? NULL : diag) && !everywhere) rc = -1;
  }
  if (!choice->any) apply_hints(region, choice);
  return rc;
}
