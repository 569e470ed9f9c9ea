#define _GNU_SOURCE
#include "view.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "place/launch_reason.h"

enum { DEFAULT_TEAM_THREADS = 128 }; /* libomptarget's on GPUs */

int view_entry_of(const struct rt_call *call, int n) {
  for (uint32_t i = 0; i < call->maps.count; i++)
    if (call->maps.type[i] & MAP_TARGET_PARAM && n-- == 0) return (int)i;
  return -1;
}

void view_free(struct view *view) {
  free(view->block);
  *view = (struct view){0};
}

/* ---- what an argument is ---- */

static void object_array(struct view_array *a, struct ext_object *o) {
  a->kind = VIEW_OBJECT;
  a->object = o;
  a->host = o->host;
  a->device = o->device;
}

static bool has_members(const struct rt_maps *maps, uint32_t entry) {
  for (uint32_t i = entry + 1; i < maps->count; i++)
    if ((uint64_t)maps->type[i] >> 48 == entry + 1u) return true;
  return false;
}

/* Whether another entry of the same launch maps or attaches something inside this entry's memory. */
static bool is_touched_by_others(const struct rt_maps *maps, uint32_t entry) {
  uintptr_t begin = (uintptr_t)maps->ptr[entry], end = begin + (size_t)maps->size[entry];
  for (uint32_t i = 0; i < maps->count; i++) {
    if (i == entry || maps->type[i] & (MAP_LITERAL | MAP_PRIVATE)) continue;
    uintptr_t base = (uintptr_t)maps->base[i], ptr = (uintptr_t)maps->ptr[i];
    if (maps->type[i] & MAP_PTR_AND_OBJ && base >= begin && base < end) return true;
    if (maps->size[i] > 0 && ptr < end && begin < ptr + (size_t)maps->size[i]) return true;
  }
  return false;
}

static void fresh_array(struct view_array *a, const struct rt_call *call, uint32_t entry, const struct extents *ext) {
  const struct rt_maps *maps = &call->maps;
  const char *first = maps->ptr[entry], *last = first + maps->size[entry] - 1;
  if (ext->ops->mapped(first, ext->device) || ext->ops->mapped(last, ext->device)) {
    a->why_global = WHY_SEEN_TOO_LATE;
    return;
  }
  a->kind = VIEW_FRESH;
  a->host = (uintptr_t)first;
  if (has_members(maps, entry)) a->why_global = WHY_IN_PARTS;
  if (!(maps->type[entry] & MAP_TO)) a->why_constant = WHY_NO_CONTENT;
  if (is_touched_by_others(maps, entry)) a->why_constant = WHY_OTHER_CLAUSE_CHANGES;
  if (ext->unsettled) a->why_constant = ext->unsettled;
}

static void private_array(struct view_array *a, const struct rt_maps *maps, uint32_t entry) {
  a->kind = VIEW_PRIVATE;
  a->host = (uintptr_t)maps->ptr[entry];
  if (!(maps->type[entry] & MAP_TO)) a->why_constant = WHY_PRIVATE_WITHOUT_CONTENT;
}

static void device_pointer(struct view_array *a, struct extents *ext) {
  struct ext_object *o = ext_find_device(ext, a->argument);
  if (!o) {
    a->why_global = WHY_POINTER_OF_UNKNOWN_EXTENT;
    return;
  }
  object_array(a, o);
  o->seen = true;
  if (!o->unstable) o->unstable = WHY_DEVICE_ADDRESS_USED;
  a->host = 0;
}

static void mapped_array(struct view_array *a, const struct rt_call *call, uint32_t entry, struct ext_object *o, const struct extents *ext) {
  const struct rt_maps *maps = &call->maps;
  uintptr_t ptr = (uintptr_t)maps->ptr[entry];
  size_t bytes = maps->size[entry] > 0 ? (size_t)maps->size[entry] : 0;
  if (!o && bytes) {
    fresh_array(a, call, entry, ext);
    return;
  }
  if (!o) {
    a->why_global = WHY_NOT_MAPPED;
    return;
  }
  if (o->host + o->bytes - ptr < bytes || !ext_confirm(ext, o)) {
    a->why_global = WHY_EXTENT_IN_DOUBT;
    return;
  }
  object_array(a, o);
  a->section = ptr, a->section_bytes = bytes;
  if (maps->type[entry] & MAP_TO && maps->type[entry] & MAP_ALWAYS)
    a->why_constant = WHY_CHANGED_AS_IT_BEGINS;
  if (bytes && is_touched_by_others(maps, entry)) a->why_constant = WHY_OTHER_CLAUSE_CHANGES;
}

static void classify(struct view *view, size_t index, const struct rt_call *call, int entry, struct extents *ext) {
  const struct rt_maps *maps = &call->maps;
  struct view_array *a = &view->array[index];
  if (entry < 0) {
    a->why_global = WHY_NOT_PASSED;
    return;
  }
  int64_t type = maps->type[entry];
  a->argument = (uintptr_t)maps->base[entry];
  if (type & MAP_PTR_AND_OBJ && a->argument) a->argument = *(uintptr_t *)a->argument;
  if (maps->mapper && maps->mapper[entry]) a->why_global = WHY_CUSTOM_MAPPER;
  else if (type & MAP_LITERAL) device_pointer(a, ext);
  else if (type & MAP_PRIVATE) private_array(a, maps, (uint32_t)entry);
  else mapped_array(a, call, (uint32_t)entry, view->found[entry].object, ext);
}

static void set_extent(struct view *view, size_t index, const struct rt_call *call, int entry) {
  const struct view_array *a = &view->array[index];
  if (a->kind == VIEW_UNKNOWN || entry < 0) return;
  uintptr_t begin = a->host;
  uint64_t bytes = (uint64_t)(call->maps.size[entry] > 0 ? call->maps.size[entry] : 0);
  if (a->kind == VIEW_OBJECT) {
    bytes = a->object->bytes;
    if (!begin) begin = a->device;
  }
  view->extent[index] = (struct place_extent){(int64_t)(begin - a->argument), bytes, true};
}

/* ---- legality ---- */

static bool arrays_meet(const struct view *view, size_t i, size_t j) {
  const struct view_array *a = &view->array[i], *b = &view->array[j];
  uint64_t a_bytes = view->extent[i].bytes, b_bytes = view->extent[j].bytes;
  if (a->kind == VIEW_PRIVATE || b->kind == VIEW_PRIVATE || a->kind != b->kind) return false;
  if (a->kind == VIEW_FRESH) return ext_ranges_meet(a->host, a_bytes, b->host, b_bytes);
  return ext_ranges_meet(a->device, a_bytes, b->device, b_bytes);
}

static bool is_written(const struct place_array *array) { return array->written || array->atomic; }

static void check_overlap(struct view *view, const struct place_region *region) {
  for (size_t i = 0; i < region->array_count; i++) {
    if (view->array[i].why_global) continue;
    for (size_t j = 0; j < region->array_count; j++)
      if (j != i && is_written(&region->arrays[j]) && arrays_meet(view, i, j))
        view->array[i].why_global = WHY_OVERLAPS;
  }
}

/* What a promise is held against: of one object, the parts that the launch's map clauses name. Device addresses, or, within what
 * has none yet, host addresses. */
static bool are_seen_to_meet(const struct view *view, size_t i, size_t j) {
  const struct view_array *a = &view->array[i], *b = &view->array[j];
  if (!view->extent[i].known || !view->extent[j].known) return false;
  if (a->kind == VIEW_OBJECT && a->object == b->object && a->section_bytes && b->section_bytes)
    return ext_ranges_meet(a->section, a->section_bytes, b->section, b->section_bytes);
  bool placed = a->kind != VIEW_OBJECT || (a->device && b->device) || a->object == b->object;
  return placed && arrays_meet(view, i, j);
}

static void check_promise(struct view *view, const struct place_region *region) {
  for (size_t j = 0; region->apart && j < region->array_count; j++)
    for (size_t i = 0; is_written(&region->arrays[j]) && i < region->array_count; i++) {
      if (i == j || view->overlap[0] || !are_seen_to_meet(view, i, j)) continue;
      view->overlap[0] = &region->arrays[i < j ? i : j];
      view->overlap[1] = &region->arrays[i < j ? j : i];
      view->refused = WHY_PROMISE_BROKEN;
    }
}

static void check_written(struct view *view, const struct place_region *region) {
  for (size_t j = 0; j < region->array_count; j++) {
    const struct view_array *a = &view->array[j];
    if (!is_written(&region->arrays[j])) continue;
    if (a->kind == VIEW_UNKNOWN) {
      view->writes_unknown = true;
      view->refused = WHY_WRITES_UNKNOWN_EXTENT;
    }
    if (a->object) view->written[view->written_count++] = a->object;
  }
  if (region->unknown_writes) view->refused = WHY_WRITES_ELSEWHERE;
  if (region->unknown_writes || region->no_version || region->nothing_to_place) view->writes_unknown = true;
}

/* A texture is made for a device address, before the launch; that nothing writes the array, is_written and overlaps have shown. */
static const char *why_no_texture(const struct view_array *a, const struct extents *ext) {
  if (ext->textures.none) return ext->textures.none;
  return a->kind == VIEW_OBJECT && a->device ? NULL : WHY_NO_ADDRESS_YET;
}

static const char *unstable(const struct view_array *a) { return a->object ? a->object->unstable : NULL; }

const char *view_why_not(const struct view *view, size_t index, enum place_space space) {
  const struct view_array *a = &view->array[index];
  if (view->refused) return view->refused;
  if (a->why_global) return a->why_global;
  switch (place_space_home(space)) {
    case PLACE_HOME_CONSTANT: return a->why_constant ? a->why_constant : unstable(a);
    case PLACE_HOME_TEXTURE: return a->why_texture;
    case PLACE_HOME_GLOBAL:
    case PLACE_HOME_SHARED: break;
  }
  return NULL;
}

static place_space_set legal_spaces(const struct place_array *array, const struct view *view, size_t index) {
  const struct view_array *a = &view->array[index];
  place_space_set set = array->candidates | PLACE_SPACE_BIT(PLACE_GLOBAL);
  if (view->refused || a->why_global || array->placeable < 0 || is_written(array) || !view->extent[index].known ||
      array->hint == PLACE_GLOBAL)
    return PLACE_SPACE_BIT(PLACE_GLOBAL);
  if (a->why_constant || unstable(a)) set &= ~place_space_set_of(PLACE_HOME_CONSTANT);
  if (a->why_texture) set &= ~place_space_set_of(PLACE_HOME_TEXTURE);
  return set;
}

/* ---- the launch as the model sees it ---- */

/* A limit of the environment, as libomptarget reads it; 0: nothing is set. *known: -1 until it was read. */
static uint32_t limit_of(const char *variable, _Atomic int64_t *known) {
  if (*known < 0) {
    const char *text = secure_getenv(variable);
    long value = text ? strtol(text, NULL, 10) : 0;
    *known = value > 0 && value < UINT32_MAX ? value : 0;
  }
  return (uint32_t)*known;
}

static uint32_t environment_limit(void) {
  static _Atomic int64_t limit = -1;
  return limit_of("OMP_TEAMS_THREAD_LIMIT", &limit);
}

static uint32_t environment_teams(void) {
  static _Atomic int64_t limit = -1;
  return limit_of("OMP_NUM_TEAMS", &limit);
}

static uint32_t team_threads(const struct place_region *region, const struct rt_call *call) {
  uint32_t threads = region->threads ? region->threads : DEFAULT_TEAM_THREADS, most = environment_limit();
  if (region->set_threads) return threads;
  if (most && most < threads) threads = most;
  uint32_t limit = call->thread_limit > 0 ? (uint32_t)call->thread_limit : 0;
  return limit && (limit < threads || !region->threads) ? limit : threads;
}

static void fill_launch(struct view *view, const struct rt_region *region, const struct rt_call *call) {
  for (unsigned n = 0; n < region->argument_count; n++) {
    int entry = view_entry_of(call, (int)n);
    if (entry < 0 || !(call->maps.type[entry] & MAP_LITERAL)) continue;
    view->arg[n] = (uint64_t)(uintptr_t)call->maps.ptr[entry];
    view->arg_known[n] = true;
  }
  view->most_threads = environment_limit();
  view->thread_limit = call->thread_limit > 0 || view->most_threads;
  view->teams_limited = environment_teams() > 0;
  view->launch = (struct place_launch){
    .arg = view->arg, .arg_known = view->arg_known, .args = region->argument_count,
    .extent = view->extent, .allowed = view->allowed, .trip_count = call->trip_count,
    .threads = team_threads(region->region, call),
    .teams = call->teams < 0 ? 1 : (uint32_t)call->teams,
    .dynamic_shared_bytes = call->dynamic_shared_bytes,
    .constant_bytes = (uint32_t)region->module->constant.bytes};
}

/* The view's arrays in one block: a launch of its kind is looked at but once, and pays for each allocation. */
static int allocate(struct view *view, size_t arrays, size_t args, size_t entries) {
  size_t of_array = sizeof *view->array + sizeof *view->extent + sizeof *view->written + sizeof *view->allowed;
  char *block = calloc(1, arrays * of_array + args * (sizeof *view->arg + sizeof *view->arg_known) + entries * sizeof *view->found + 1);
  *view = (struct view){.block = block};
  if (!block) return -1;
  view->array = (struct view_array *)block;
  view->extent = (struct place_extent *)(view->array + arrays);
  view->written = (struct ext_object **)(view->extent + arrays);
  view->found = (struct found *)(view->written + arrays);
  view->arg = (uint64_t *)(view->found + entries);
  view->allowed = (place_space_set *)(view->arg + args);
  view->arg_known = (bool *)(view->allowed + arrays);
  return 0;
}

static struct found look_up(const struct rt_maps *maps, uint32_t i, const struct extents *ext) {
  int64_t type = maps->type[i];
  if (type & (MAP_LITERAL | MAP_PRIVATE)) return (struct found){NULL, false};
  return (struct found){ext_find(ext, (uintptr_t)maps->ptr[i]), type & MAP_PTR_AND_OBJ && ext_find(ext, (uintptr_t)maps->base[i])};
}

static void find(struct view *view, const struct rt_maps *maps, const struct extents *ext) {
  for (uint32_t i = 0; i < maps->count; i++) {
    view->found[i] = look_up(maps, i, ext);
    if (view->found[i].object) view->found[i].object->seen = true;
  }
}

bool view_holds(const struct view *view, const struct rt_region *region, const struct rt_call *call, const struct extents *ext) {
  for (size_t a = 0; a < region->region->array_count; a++)
    if (view->array[a].why_global == WHY_POINTER_OF_UNKNOWN_EXTENT && ext_find_device(ext, view->array[a].argument)) return false;
  for (uint32_t i = 0; i < call->maps.count; i++) {
    struct found f = look_up(&call->maps, i, ext);
    if (f.object != view->found[i].object || f.holder != view->found[i].holder) return false;
  }
  return true;
}

static bool changes_tracked(const struct view *view, const struct rt_call *call) {
  for (uint32_t i = 0; i < call->maps.count; i++) {
    int64_t type = call->maps.type[i];
    if (type & (MAP_LITERAL | MAP_PRIVATE)) continue;
    if (call->maps.mapper && call->maps.mapper[i]) return true;
    bool moves = type & MAP_TO && type & (MAP_ALWAYS | MAP_MEMBER_OF);
    if (view->found[i].holder || (moves && view->found[i].object)) return true;
  }
  return false;
}

int view_build(struct view *view, const struct rt_region *region, const struct rt_call *call, struct extents *ext) {
  const struct place_region *r = region->region;
  if (allocate(view, r->array_count, region->argument_count, call->maps.count)) return -1;
  find(view, &call->maps, ext);
  for (size_t i = 0; i < r->array_count; i++) {
    int entry = view_entry_of(call, r->arrays[i].arg);
    classify(view, i, call, entry, ext);
    set_extent(view, i, call, entry);
  }
  check_written(view, r);
  check_overlap(view, r);
  check_promise(view, r);
  for (size_t i = 0; i < r->array_count; i++) view->array[i].why_texture = why_no_texture(&view->array[i], ext);
  for (size_t i = 0; i < r->array_count; i++) view->allowed[i] = legal_spaces(&r->arrays[i], view, i);
  fill_launch(view, region, call);
  view->changes_mapped = changes_tracked(view, call);
  return 0;
}

void view_apply_maps(const struct rt_call *call, struct extents *ext) {
  for (uint32_t i = 0; i < call->maps.count; i++) {
    int64_t type = call->maps.type[i];
    if (type & (MAP_LITERAL | MAP_PRIVATE)) continue;
    if (call->maps.mapper && call->maps.mapper[i]) {
      ext_change_all(ext);
      ext_doubt(ext);
    }
    struct ext_object *holder = type & MAP_PTR_AND_OBJ ? ext_find(ext, (uintptr_t)call->maps.base[i]) : NULL;
    if (holder) ext_change(ext, holder);
    struct ext_object *o = type & MAP_TO && type & (MAP_ALWAYS | MAP_MEMBER_OF)
      ? ext_find(ext, (uintptr_t)call->maps.ptr[i]) : NULL;
    if (o) ext_change(ext, o);
  }
}
