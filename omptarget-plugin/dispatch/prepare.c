#include "prepare.h"

#include <stdlib.h>
#include <string.h>

#include "needs.h"
#include "place/launch_reason.h"
#include "versions.h"

enum { TEAM_SHARED_BYTES = 48 * 1024 }; /* libomptarget 19 never asks the driver for more */

struct rt_module_state *prepare_module(struct rt_device *device, const struct rt_module *module,
                                       void (*load_images)(int device)) {
  struct rt_module_state *s = device->modules;
  while (s && s->module != module) s = s->next;
  if (!s) {
    if (!(s = calloc(1, sizeof *s))) return NULL;
    s->module = module;
    s->next = device->modules;
    device->modules = s;
  }
  if (s->resolved) return s;
  const struct rt_ops *ops = device->ext.ops;
  const struct rt_symbol *any = module->timer.shadow ? &module->timer : module->constant.shadow ? &module->constant : &module->profile;
  if (any->shadow && !ops->mapped(any->shadow, device->number) && load_images) load_images(device->number);
  uintptr_t bank = module->constant.shadow ? (uintptr_t)ops->mapped(module->constant.shadow, device->number) : 0;
  const_init(&s->bank, device->number, ops, bank, (uint32_t)module->constant.bytes);
  s->timer = module->timer.shadow ? (uintptr_t)ops->mapped(module->timer.shadow, device->number) : 0;
  s->profile = module->profile.shadow ? (uintptr_t)ops->mapped(module->profile.shadow, device->number) : 0;
  s->timer_clear = true;
  s->resolved = true;
  return s;
}

/* ---- timer ---- */

enum { MOST_SLOTS = 1024, SLOT_WORDS = PLACE_TIMER_SLOT_BYTES / sizeof(uint64_t) };

/* Bytes of an entry: fewer in programs of older plugins. */
static size_t entry_bytes(const struct rt_module *module) {
  return module->timer.bytes / (PLACE_TIMER_ENTRIES * PLACE_TIMER_SLOT_BYTES) * PLACE_TIMER_SLOT_BYTES;
}

static int zero_timer(const struct rt_device *device, const struct rt_module_state *m) {
  static unsigned char zeros[PLACE_TIMER_BYTES]; /* never written */
  size_t bytes = m->module->timer.bytes, at = 0;
  while (at < bytes) {
    size_t part = bytes - at < sizeof zeros ? bytes - at : sizeof zeros;
    if (device->ext.ops->to_device((void *)(m->timer + at), zeros, part, device->number)) return -1;
    at += part;
  }
  return 0;
}

static unsigned take_timer(struct rt_device *device, struct rt_module_state *m) {
  if (!m->timer) return 0;
  if (m->timer_next == PLACE_TIMER_ENTRIES) m->timer_clear = false;
  if (!m->timer_clear) {
    if (zero_timer(device, m)) return 0;
    m->timer_clear = true;
    m->timer_next = 0;
  }
  return ++m->timer_next;
}

double prepare_read_timer(const struct rt_device *device, const struct rt_module_state *m, unsigned entry) {
  uint64_t slot[MOST_SLOTS][SLOT_WORDS]; /* { not_begin, end, declined, ... } */
  size_t bytes = entry_bytes(m->module);
  uint64_t not_begin = 0, end = 0;
  if (!entry || bytes > sizeof slot || device->ext.ops->from_device(slot, (const void *)(m->timer + (entry - 1) * bytes), bytes, device->number))
    return 0;
  if (slot[0][PLACE_TIMER_DECLINED / sizeof(uint64_t)]) return PREPARE_DECLINED;
  for (unsigned i = 0; i < bytes / PLACE_TIMER_SLOT_BYTES; i++) {
    if (slot[i][0] > not_begin) not_begin = slot[i][0];
    if (slot[i][1] > end) end = slot[i][1];
  }
  return not_begin && end > ~not_begin ? (double)(end - ~not_begin) : 0;
}

/* ---- words ---- */

static uint64_t *words_of(struct prepared *p, int placeable) {
  return p->words + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY * placeable;
}

static void start(struct prepared *p, const struct rt_region *region, const struct rt_call *call) {
  memset(p, 0, sizeof *p);
  p->request.words = p->words;
  p->request.parameters = region->region->parameters;
  p->request.teams = call->teams;
  p->request.dynamic_shared_bytes = call->dynamic_shared_bytes;
  p->words[PLACE_CONTROL_SHARED] = (call->dynamic_shared_bytes + PLACE_SHARED_ALIGN - 1) / PLACE_SHARED_ALIGN * PLACE_SHARED_ALIGN;
}

static void set_words(uint64_t *words, const struct place_plan_array *array, uint64_t slot) {
  words[PLACE_WORD_SELECT] = PLACE_SELECT(array->space, array->window_bytes);
  words[PLACE_WORD_LO] = (uint64_t)array->window_lo;
  words[PLACE_WORD_BIAS] = slot - (uint64_t)array->window_lo;
}

/* Where the window's first byte lies within 16 bytes, on the device: the compiler may load aligned vectors from there. */
static uint32_t misalignment(const struct view *view, size_t a, const struct place_plan_array *array) {
  const struct view_array *v = &view->array[a];
  uint64_t from = (uint64_t)(array->window_lo - view->extent[a].lo);
  return (uint32_t)((v->device + from) & 15); /* what a launch allocates itself is aligned: device 0 */
}

static int set_constant(struct prepared *p, struct rt_device *device, struct rt_module_state *m, const struct view *view,
                        size_t a, const struct place_plan_array *array, int placeable, const char **why) {
  const struct view_array *v = &view->array[a];
  uint64_t from = (uint64_t)(array->window_lo - view->extent[a].lo);
  struct const_source source = {v->host + from, (uint32_t)array->window_bytes, misalignment(view, a, array), 0, 0};
  if (array->window_bytes > PLACE_CONST_MOST_BYTES) return *why = WHY_BEYOND_CONSTANT, -1;
  if (v->why_constant) return *why = v->why_constant, -1;
  if (v->object) {
    if ((*why = ext_unstable(&device->ext, v->object))) return -1;
    source.device_ptr = v->device + from;
    source.version = ext_version(&device->ext, v->object);
  }
  struct const_slot *slot = const_acquire(&m->bank, &source, why);
  if (!slot) return -1;
  p->slot[p->slots++] = slot;
  set_words(words_of(p, placeable), array, slot->offset);
  return 0;
}

static void set_rows(uint64_t *words, const struct rt_texture_shape *shape) {
  uint32_t length = (uint32_t)(shape->row_bytes / shape->texel_bytes);
  struct texture_divisor by = texture_divisor(length);
  words[PLACE_WORD_SELECT] |= (uint64_t)by.shift << PLACE_ROW_SHIFT_BIT | (uint64_t)length << PLACE_ROW_LENGTH_BIT;
  words[PLACE_WORD_LO] = (words[PLACE_WORD_LO] & UINT32_MAX) | (uint64_t)by.factor << PLACE_ROW_FACTOR_BIT;
}

static int set_texture(struct prepared *p, struct rt_device *device, const struct rt_region *region, const struct decision *d, size_t a,
                       const char **why) {
  int placeable = region->region->arrays[a].placeable, version = d->plan.version;
  enum place_space space = d->plan.array[placeable].space;
  const struct view_array *v = &d->view.array[a];
  const uint8_t *texel = region->region->versions[version].texel;
  struct rt_texture_shape shape = {.bytes = d->view.extent[a].bytes, .texel_bytes = texel ? texel[a] : 0};
  if (v->why_texture) return *why = v->why_texture, -1;
  if (!shape.texel_bytes) return *why = WHY_NOT_ALLOWED_THERE, -1;
  if (space == PLACE_TEXTURE2D && !(shape.row_bytes = needs_row_bytes(region, version, a, &d->view.launch))) return *why = WHY_NO_ROWS, -1;
  struct texture *texture = texture_acquire(&device->ext.textures, v->device, &shape, why);
  if (!texture) return -1;
  p->texture[p->textures++] = texture;
  uint64_t *words = words_of(p, placeable);
  words[PLACE_WORD_SELECT] = PLACE_SELECT(space, 0);
  words[PLACE_WORD_LO] = (uint64_t)texture_index(texture, v->device - (uint64_t)d->view.extent[a].lo);
  words[PLACE_WORD_BIAS] = texture->bound.handle;
  if (shape.row_bytes) set_rows(words, &shape);
  return 0;
}

static void set_shared(struct prepared *p, const struct view *view, size_t a, const struct place_plan_array *array,
                       int placeable, uint32_t *end) {
  uint32_t slot = (*end + PLACE_SHARED_ALIGN - 1) / PLACE_SHARED_ALIGN * PLACE_SHARED_ALIGN + misalignment(view, a, array);
  set_words(words_of(p, placeable), array, slot);
  *end = slot + (uint32_t)array->window_bytes;
}

static int set_arrays(struct prepared *p, struct rt_device *device, struct rt_module_state *m, const struct rt_region *region,
                      const struct decision *d, const char **why) {
  const struct place_region *r = region->region;
  uint32_t end = (uint32_t)p->words[PLACE_CONTROL_SHARED], begin = end;
  for (size_t a = 0; a < r->array_count; a++) {
    int placeable = r->arrays[a].placeable;
    if (placeable < 0) continue;
    const struct place_plan_array *array = &d->plan.array[placeable];
    if (place_space_home(array->space) == PLACE_HOME_SHARED) {
      if (array->window_bytes > TEAM_SHARED_BYTES) return *why = WHY_BEYOND_SHARED, -1;
      set_shared(p, &d->view, a, array, placeable, &end);
    } else if (place_space_home(array->space) == PLACE_HOME_CONSTANT && array->window_bytes) {
      if (set_constant(p, device, m, &d->view, a, array, placeable, why)) return -1;
    } else if (place_space_home(array->space) == PLACE_HOME_TEXTURE) {
      if (set_texture(p, device, region, d, a, why)) return -1;
    } else {
      words_of(p, placeable)[PLACE_WORD_SELECT] = PLACE_SELECT(array->space, 0);
    }
  }
  if (end > begin) p->request.dynamic_shared_bytes = (end + PLACE_SHARED_ALIGN - 1) / PLACE_SHARED_ALIGN * PLACE_SHARED_ALIGN;
  return 0;
}

static int set_version(struct prepared *p, const struct rt_region *region, int version, const char **why) {
  const struct rt_version *v = &region->versions[version];
  if (region->module->sm && (uint64_t)v->static_shared + p->request.dynamic_shared_bytes > TEAM_SHARED_BYTES)
    return *why = WHY_BEYOND_SHARED_TOGETHER, -1;
  p->request.host_ptr = v->host_ptr;
  p->request.word_count = place_version_words(region->region, &region->region->versions[version]);
  /* libomptarget gives short loops smaller teams unless it is told how many threads. */
  p->request.thread_limit = (int32_t)region->region->versions[version].threads;
  return 0;
}

int prepare_plan(struct prepared *p, struct rt_device *device, struct rt_module_state *m, const struct rt_region *region,
                 const struct decision *d, const struct rt_call *call, bool timed, const char **why) {
  const struct place_region *r = region->region;
  start(p, region, call);
  uint64_t copied_ns = m->bank.copying_ns;
  int failed = set_arrays(p, device, m, region, d, why);
  p->copies = p->slots > 0;
  p->copying_ns = (double)(m->bank.copying_ns - copied_ns);
  if (failed || set_version(p, region, d->plan.version, why)) {
    prepare_release(p, device, m);
    return -1;
  }
  bool sums_by_itself = r->versions[d->plan.version].fill > 0; /* in the same order for each number of teams */
  if (d->plan.teams && r->teams == PLACE_TEAMS_OPEN && (!r->reduction || sums_by_itself))
    p->request.teams = (int32_t)d->plan.teams;
  if (timed) p->words[PLACE_CONTROL_TIMER] = p->timer_entry = take_timer(device, m);
  return 0;
}

int prepare_profile(struct prepared *p, struct rt_device *device, struct rt_module_state *m, const struct rt_region *region,
                    const struct decision *d, const struct rt_call *call, const char **why) {
  static const uint32_t zeros[PLACE_PROFILE_COUNT_WORDS];
  int version = versions_of_role(region, PLACE_ROLE_PROFILE);
  if (version < 0 || !m->profile) return *why = WHY_NO_PROFILING_VERSION, -1;
  if (needs_check(region, version, &d->view, NULL, NULL)) return *why = WHY_PROFILING_NEEDS, -1;
  start(p, region, call);
  if (set_version(p, region, version, why)) return -1;
  if (device->ext.ops->to_device((void *)m->profile, zeros, sizeof zeros, device->number))
    return *why = WHY_PROFILE_NOT_CLEARED, -1;
  return 0;
}

void prepare_slice(struct prepared *p, const struct slices_teams *part) {
  uint64_t *words = p->words + p->request.word_count - PLACE_SLICE_WORDS;
  words[PLACE_SLICE_FIRST] = part->first | (uint64_t)part->origin << PLACE_SLICE_ORIGIN_SHIFT;
  words[PLACE_SLICE_TEAMS] = part->of;
  bool fewer = part->any && p->request.teams > 0 && (uint32_t)p->request.teams < part->count; /* as the plan has it */
  if (!fewer) p->request.teams = (int32_t)part->count;
}

void prepare_release(struct prepared *p, struct rt_device *device, struct rt_module_state *m) {
  while (p->textures) texture_release(&device->ext.textures, p->texture[--p->textures]);
  while (p->slots) const_release(&m->bank, p->slot[--p->slots]);
}

/* ---- profile ---- */

static unsigned logged_accesses(const struct place_region *region) {
  int last = -1;
  for (size_t i = 0; i < region->access_count; i++)
    if (region->accesses[i].log > last) last = region->accesses[i].log;
  return last < (int)PLACE_PROFILE_ACCESSES ? (unsigned)(last + 1) : PLACE_PROFILE_ACCESSES;
}

static bool any_counted(const uint32_t *words) {
  for (unsigned i = 0; i < PLACE_PROFILE_COUNT_WORDS; i++)
    if (words[i]) return true;
  return false;
}

/* Entries of the accesses that are logged: one transfer from the first slot to the last one's last logged access, since a
 * transfer's fixed cost is more than the bytes between. */
static size_t entry_words(const struct place_region *region) {
  size_t access = PLACE_PROFILE_ENTRIES * 32u;
  return ((PLACE_PROFILE_SLOTS - 1) * PLACE_PROFILE_ACCESSES + logged_accesses(region)) * access;
}

uint32_t *prepare_read_profile(const struct rt_device *device, const struct rt_module_state *m,
                               const struct place_region *region) {
  const struct rt_ops *ops = device->ext.ops;
  uint32_t *words = calloc(PLACE_PROFILE_WORDS, sizeof *words);
  size_t counts = PLACE_PROFILE_COUNT_WORDS * sizeof *words;
  if (!words || !m->profile || !logged_accesses(region)) return free(words), NULL;
  if (ops->from_device(words, (const void *)m->profile, counts, device->number)) return free(words), NULL;
  if (!any_counted(words)) return words;
  if (ops->from_device(words + PLACE_PROFILE_COUNT_WORDS, (const void *)(m->profile + counts),
                       entry_words(region) * sizeof *words, device->number))
    return free(words), NULL;
  return words;
}
