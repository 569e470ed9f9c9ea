/* Checks of a region table that concern more than one line. */
#include <string.h>

#include "table_text.h"

/* Whether `inner` is that loop or lies in it. Parents come before their loops, so this ends. */
static bool lies_in(const struct place_region *region, int inner, int64_t loop) {
  while (inner >= 0 && inner != loop) inner = region->loops[inner].parent;
  return inner >= 0;
}

/* A loop's iteration number means something inside of the loop only. */
static bool loops_in_scope(const struct place_table *table, const struct place_region *region, place_expr expr, int loop) {
  if (expr < 0) return true;
  const struct place_expr_node *node = &table->exprs.nodes[expr];
  if (node->op == PLACE_EXPR_LOOP) return lies_in(region, loop, node->value);
  return loops_in_scope(table, region, node->a, loop) && loops_in_scope(table, region, node->b, loop);
}

static int check_loops(const struct place_table *table, const struct place_region *region, unsigned line,
                       struct place_diag *diag) {
  for (size_t i = 0; i < region->loop_count; i++)
    if (!loops_in_scope(table, region, region->loops[i].trips, region->loops[i].parent))
      return table_error(diag, line, "region %s: trips of loop %zu use a loop that does not enclose it", region->entry, i);
  return 0;
}

static int check_arrays(const struct place_region *region, unsigned line, struct place_diag *diag) {
  bool seen[PLACE_MAX_PLACEABLE] = {false};
  for (size_t i = 0; i < region->array_count; i++) {
    const struct place_array *array = &region->arrays[i];
    if (array->candidates != PLACE_SPACE_BIT(PLACE_GLOBAL) && array->placeable < 0)
      return table_error(diag, line, "region %s: array %s has spaces but is not placeable", region->entry, array->name);
    if (array->placeable < 0) continue;
    if (array->written || array->atomic || !array->read)
      return table_error(diag, line, "region %s: array %s is placeable but not only read", region->entry, array->name);
    if (seen[array->placeable] || array->placeable >= (int)region->placeable_count)
      return table_error(diag, line, "region %s: placeable indices do not count from 0 without gaps", region->entry);
    seen[array->placeable] = true;
  }
  return 0;
}

static int check_access(const struct place_table *table, const struct place_region *region, size_t i, unsigned line,
                        struct place_diag *diag) {
  const struct place_access *access = &region->accesses[i];
  const struct place_array *array = &region->arrays[access->array];
  bool right = access->kind == PLACE_READ ? array->read : access->kind == PLACE_WRITE ? array->written : array->atomic;
  if (!right)
    return table_error(diag, line, "region %s: access %zu does what the rights of array %s exclude", region->entry, i,
                       array->name);
  if (!loops_in_scope(table, region, access->offset, access->loop))
    return table_error(diag, line, "region %s: the offset of access %zu uses a loop that does not enclose it",
                       region->entry, i);
  return 0;
}

static int check_accesses(const struct place_table *table, const struct place_region *region, unsigned line,
                          struct place_diag *diag) {
  bool logged[PLACE_PROFILE_ACCESSES] = {false};
  for (size_t i = 0; i < region->access_count; i++) {
    int log = region->accesses[i].log;
    if (check_access(table, region, i, line, diag)) return -1;
    if (log >= 0 && logged[log])
      return table_error(diag, line, "region %s: two accesses are logged as %d", region->entry, log);
    if (log >= 0) logged[log] = true;
  }
  return 0;
}

/* What the code is made for is the same in both. */
static bool may_share(const struct place_version *a, const struct place_version *b, size_t arrays) {
  return a->role == PLACE_ROLE_PLAN && b->role == PLACE_ROLE_PLAN && a->loop == b->loop && !a->slice == !b->slice && !a->ahead == !b->ahead &&
         (!arrays || memcmp(a->space, b->space, arrays) == 0);
}

static int check_shared(const struct place_region *region, const struct place_version *version, unsigned line, struct place_diag *diag) {
  const struct place_version *of = place_version_code(region, version);
  if (of == version || (of && may_share(version, of, region->array_count))) return 0;
  return table_error(diag, line, "region %s: version %s is launched with the code of %s, which is no version like it", region->entry,
                     version->entry, version->kernel);
}

static int check_versions(const struct place_region *region, unsigned line, struct place_diag *diag) {
  unsigned profile = 0, base = 0;
  for (size_t i = 0; i < region->version_count; i++) {
    const struct place_version *version = &region->versions[i];
    profile += version->role == PLACE_ROLE_PROFILE;
    base += version->role == PLACE_ROLE_BASE;
    if (version->block.dims && region->no_blocks)
      return table_error(diag, line, "region %s: a block version, but also why it has none", region->entry);
    if (strcmp(version->entry, region->entry) == 0)
      return table_error(diag, line, "region %s: a version has the original's name", region->entry);
    for (size_t k = 0; k < i; k++)
      if (strcmp(version->entry, region->versions[k].entry) == 0)
        return table_error(diag, line, "region %s: two versions are named %s", region->entry, version->entry);
    if (check_shared(region, version, line, diag)) return -1;
  }
  if (profile > 1 || base > 1)
    return table_error(diag, line, "region %s: more than one base or profile version", region->entry);
  if ((region->no_version || region->nothing_to_place) && region->version_count)
    return table_error(diag, line, "region %s: it has versions, and a reason why it has none", region->entry);
  return 0;
}

static int check_name(const struct place_table *table, const struct place_region *region, unsigned line,
                      struct place_diag *diag) {
  for (const struct place_region *other = table->regions; other < region; other++)
    if (strcmp(other->entry, region->entry) == 0)
      return table_error(diag, line, "two regions are named %s", region->entry);
  return 0;
}

int table_check_region(const struct place_table *table, const struct place_region *region, unsigned line,
                       struct place_diag *diag) {
  if (check_name(table, region, line, diag) || check_loops(table, region, line, diag)) return -1;
  if (check_arrays(region, line, diag) || check_accesses(table, region, line, diag)) return -1;
  return check_versions(region, line, diag);
}
