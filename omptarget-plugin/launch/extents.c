#include "extents.h"

#include <stdlib.h>
#include <string.h>

#include "place/launch_reason.h"

void ext_init(struct extents *ext, int device, const struct rt_ops *ops) {
  *ext = (struct extents){.device = device, .ops = ops, .epoch = 1, .generation = 1, .clock = 1};
  texture_init(&ext->textures, ops);
}

void ext_free(struct extents *ext) {
  for (size_t i = 0; i < ext->count; i++) free(ext->object[i]);
  texture_free(&ext->textures);
  free(ext->object);
  ext->object = NULL;
  ext->count = ext->capacity = 0;
}

/* ---- the sorted array ---- */

/* Index of the first object whose host address is above `host`. */
static size_t above(const struct extents *ext, uintptr_t host) {
  size_t low = 0, high = ext->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (ext->object[mid]->host <= host) low = mid + 1;
    else high = mid;
  }
  return low;
}

struct ext_object *ext_find(const struct extents *ext, uintptr_t host) {
  size_t i = above(ext, host);
  if (!i) return NULL;
  struct ext_object *o = ext->object[i - 1];
  return o->host && host - o->host < o->bytes ? o : NULL;
}

struct ext_object *ext_find_device(const struct extents *ext, uintptr_t device_ptr) {
  struct ext_object *best = NULL; /* the smallest: a block associated inside an allocation */
  for (size_t i = 0; i < ext->count; i++) {
    struct ext_object *o = ext->object[i];
    if (o->device && device_ptr - o->device < o->bytes && (!best || o->bytes < best->bytes)) best = o;
  }
  return best;
}

/* Allocations come first in the array. */
static bool in_allocation(const struct extents *ext, const struct ext_object *o) {
  for (size_t i = 0; i < ext->count && !ext->object[i]->host; i++)
    if (o->device - ext->object[i]->device < ext->object[i]->bytes) return true;
  return false;
}

size_t ext_bytes(const struct extents *ext) {
  size_t bytes = 0;
  for (size_t i = 0; i < ext->count; i++)
    if (!ext->object[i]->host || !in_allocation(ext, ext->object[i])) bytes += ext->object[i]->bytes;
  return bytes;
}

void ext_doubt(struct extents *ext) {
  ext->epoch++;
  ext->generation++;
}

static void kill(struct extents *ext, size_t index) {
  struct ext_object *o = ext->object[index];
  memmove(&ext->object[index], &ext->object[index + 1], (ext->count - index - 1) * sizeof o);
  ext->count--;
  ext->epoch++;
  ext->generation += o->seen;
  if (o->device) texture_forget(&ext->textures, o->device, o->bytes);
  o->dead = true;
  if (!o->users) free(o);
}

static void kill_object(struct extents *ext, const struct ext_object *object) {
  for (size_t i = 0; i < ext->count; i++)
    if (ext->object[i] == object) {
      kill(ext, i);
      return;
    }
}

void ext_forget(struct extents *ext) {
  while (ext->count) kill(ext, ext->count - 1);
  ext_doubt(ext);
  ext_change_all(ext);
}

static void kill_overlapping(struct extents *ext, uintptr_t host, size_t bytes) {
  for (size_t i = above(ext, host + bytes - 1); i-- > 0;) {
    struct ext_object *o = ext->object[i];
    if (!o->host || o->host + o->bytes <= host) break;
    kill(ext, i);
  }
}

/* Whether the new object is within one that a view has seen, perhaps behind a device pointer. */
static bool meets_seen(const struct extents *ext, uintptr_t device_ptr, size_t bytes) {
  for (size_t i = 0; i < ext->count; i++) {
    const struct ext_object *o = ext->object[i];
    if (o->seen && ext_ranges_meet(o->device, o->bytes, device_ptr, bytes)) return true;
  }
  return false;
}

static struct ext_object *insert(struct extents *ext, uintptr_t host, uintptr_t device_ptr, size_t bytes) {
  if (ext->count == ext->capacity) {
    size_t capacity = ext->capacity ? 2 * ext->capacity : 16;
    struct ext_object **grown = realloc(ext->object, capacity * sizeof *grown);
    if (!grown) return ext_forget(ext), NULL;
    ext->object = grown;
    ext->capacity = capacity;
  }
  struct ext_object *o = calloc(1, sizeof *o);
  if (!o) return ext_forget(ext), NULL;
  *o = (struct ext_object){.host = host, .device = device_ptr, .bytes = bytes, .version = ++ext->clock};
  ext->generation += meets_seen(ext, device_ptr, bytes);
  size_t at = above(ext, host);
  memmove(&ext->object[at + 1], &ext->object[at], (ext->count - at) * sizeof o);
  ext->object[at] = o;
  ext->count++;
  ext->epoch++;
  return o;
}

/* ---- content ---- */

void ext_change(struct extents *ext, struct ext_object *object) { object->version = ++ext->clock; }

void ext_change_all(struct extents *ext) { ext->all_changed = ++ext->clock; }

static void set_unstable(struct ext_object *object, const char *why) {
  if (!object->unstable) object->unstable = why;
}

uint64_t ext_version(const struct extents *ext, const struct ext_object *object) {
  return object->version > ext->all_changed ? object->version : ext->all_changed;
}

const char *ext_unstable(const struct extents *ext, const struct ext_object *object) {
  if (ext->unstable) return ext->unstable;
  if (object->unstable) return object->unstable;
  if (ext->writers || object->writers) return WHY_WRITER_RUNS;
  return NULL;
}

static uintptr_t mapped(const struct extents *ext, uintptr_t host) {
  return (uintptr_t)ext->ops->mapped((const void *)host, ext->device);
}

/* Whether the object is still mapped where it was. libomptarget's answer takes as long as all else that a data environment of what is
 * present costs, and is not needed where another environment is known to hold the object. */
static bool is_still_mapped(const struct extents *ext, const struct ext_object *o) {
  return o->holds || mapped(ext, o->host) == o->device;
}

bool ext_confirm(const struct extents *ext, const struct ext_object *o) {
  if (!o->host) return true;
  uintptr_t first = mapped(ext, o->host);
  return first && first == o->device && mapped(ext, o->host + o->bytes - 1) == first + o->bytes - 1;
}

/* ---- data environments ---- */

static bool is_mapping(const struct rt_maps *maps, uint32_t i) {
  return !(maps->type[i] & (MAP_LITERAL | MAP_PRIVATE));
}

static bool has_mapper(const struct rt_maps *maps, uint32_t i) { return maps->mapper && maps->mapper[i]; }

static bool present_bit(const uint64_t *present, uint32_t i) { return present && (present[i / 64] >> i % 64 & 1); }

uint64_t *ext_present(struct extents *ext, const struct rt_maps *maps) {
  uint64_t *bits = calloc(maps->count / 64 + 1, sizeof *bits);
  for (uint32_t i = 0; bits && i < maps->count; i++) {
    if (!is_mapping(maps, i) || has_mapper(maps, i)) continue;
    const struct ext_object *o = ext_find(ext, (uintptr_t)maps->ptr[i]);
    if (o && is_still_mapped(ext, o)) bits[i / 64] |= UINT64_C(1) << i % 64;
  }
  return bits;
}

/* A mapper's entries are not seen: believe only what libomptarget confirms, and no content. */
static void after_mapper(struct extents *ext) {
  for (size_t i = ext->count; i-- > 0;) {
    ext->object[i]->holds = 0;
    if (!ext_confirm(ext, ext->object[i])) kill(ext, i);
  }
  ext_doubt(ext);
  ext_change_all(ext);
}

/* Whether libomptarget counts one more reference of what the entry maps, for certain and now. */
static bool is_counted(int64_t type, size_t bytes, bool nowait) { return bytes && !nowait && !(type & (MAP_MEMBER_OF | MAP_PTR_AND_OBJ)); }

static void begin_entry(struct extents *ext, const struct rt_maps *maps, uint32_t i, bool was_present, bool nowait) {
  int64_t type = maps->type[i];
  uintptr_t host = (uintptr_t)maps->ptr[i], device_ptr;
  size_t bytes = maps->size[i] > 0 ? (size_t)maps->size[i] : 0;
  struct ext_object *o = ext_find(ext, host);
  if (type & MAP_PTR_AND_OBJ) { /* the pointer's own object gets a device address stored in it */
    struct ext_object *holder = ext_find(ext, (uintptr_t)maps->base[i]);
    if (holder) ext_change(ext, holder);
  }
  if (bytes && (!o || o->host + o->bytes < host + bytes || !was_present) && (device_ptr = mapped(ext, host))) {
    if (!o || o->device + (host - o->host) != device_ptr || o->host + o->bytes < host + bytes) {
      kill_overlapping(ext, host, bytes);
      o = insert(ext, host, device_ptr, bytes);
    }
  }
  if (!o) return;
  o->holds += is_counted(type, bytes, nowait);
  bool moves = type & MAP_TO && (!was_present || type & (MAP_ALWAYS | MAP_MEMBER_OF));
  if (moves) ext_change(ext, o);
  if (nowait) set_unstable(o, WHY_MAPPED_NOWAIT);
  if (type & MAP_RETURN_PARAM) set_unstable(o, WHY_DEVICE_ADDRESS_RETURNED);
}

void ext_begin(struct extents *ext, const struct rt_maps *maps, const uint64_t *present, bool nowait) {
  bool mapper = false;
  for (uint32_t i = 0; i < maps->count; i++) {
    if (!is_mapping(maps, i)) continue;
    if (has_mapper(maps, i)) mapper = true;
    else begin_entry(ext, maps, i, present_bit(present, i), nowait);
  }
  if (mapper) after_mapper(ext);
  if (nowait) {
    ext->unsettled = WHY_MAPPING_NOWAIT;
    ext_doubt(ext);
  }
}

void ext_end(struct extents *ext, const struct rt_maps *maps, bool nowait) {
  bool mapper = false;
  for (uint32_t i = 0; i < maps->count; i++) {
    if (!is_mapping(maps, i)) continue;
    mapper |= has_mapper(maps, i);
    struct ext_object *o = ext_find(ext, (uintptr_t)maps->ptr[i]);
    if (!o) continue;
    o->holds = maps->type[i] & MAP_DELETE || !o->holds ? 0 : o->holds - 1;
    if (nowait || !is_still_mapped(ext, o)) kill_object(ext, o);
  }
  if (mapper) after_mapper(ext);
}

void ext_update(struct extents *ext, const struct rt_maps *maps, bool nowait) {
  for (uint32_t i = 0; i < maps->count; i++) {
    if (!is_mapping(maps, i) || !(maps->type[i] & MAP_TO)) continue;
    if (has_mapper(maps, i) || maps->type[i] & MAP_NON_CONTIG) {
      ext_change_all(ext);
      if (nowait) ext->unstable = WHY_UPDATED_UNSEEN;
      continue;
    }
    struct ext_object *o = ext_find(ext, (uintptr_t)maps->ptr[i]);
    if (!o) continue;
    ext_change(ext, o);
    if (nowait) set_unstable(o, WHY_UPDATED_NOWAIT);
  }
}

/* ---- the OpenMP API ---- */

void ext_allocated(struct extents *ext, uintptr_t device_ptr, size_t bytes) {
  struct ext_object *o = device_ptr && bytes ? insert(ext, 0, device_ptr, bytes) : NULL;
  if (o) o->unstable = WHY_OWN_DEVICE_MEMORY;
}

void ext_freed(struct extents *ext, uintptr_t device_ptr) {
  for (size_t i = ext->count; i-- > 0;)
    if (!ext->object[i]->host && ext->object[i]->device == device_ptr) kill(ext, i);
}

void ext_associated(struct extents *ext, uintptr_t host, uintptr_t device_ptr, size_t bytes) {
  if (!bytes) return;
  kill_overlapping(ext, host, bytes);
  struct ext_object *o = insert(ext, host, device_ptr, bytes);
  if (o) o->unstable = WHY_ASSOCIATED;
}

void ext_disassociated(struct extents *ext, uintptr_t host) {
  struct ext_object *o = ext_find(ext, host);
  if (o) kill_object(ext, o);
}

void ext_device_written(struct extents *ext, uintptr_t begin, size_t bytes, bool later) {
  bool found = false;
  for (size_t i = 0; i < ext->count; i++) {
    struct ext_object *o = ext->object[i];
    if (!o->device || o->device >= begin + bytes || begin >= o->device + o->bytes) continue;
    ext_change(ext, o);
    if (later) set_unstable(o, WHY_COPIED_LATER);
    found = true;
  }
  if (found) return;
  ext_change_all(ext);
  if (later) ext->unstable = WHY_COPIED_UNSEEN;
}

void ext_escaped(struct extents *ext, uintptr_t host, const char *why) {
  struct ext_object *o = ext_find(ext, host);
  if (o) set_unstable(o, why);
}

/* ---- users ---- */

void ext_use(struct ext_object *object, bool writes) {
  object->users++;
  object->writers += writes;
}

void ext_release(struct extents *ext, struct ext_object *object, bool writes) {
  if (writes) {
    object->writers--;
    ext_change(ext, object);
  }
  if (!--object->users && object->dead) free(object);
}
