#include "table.h"

#include "deferred.h"
#include "next.h"
#include "queue.h"
#include "state.h"

static void call_all(deferred_data_call call, void *location, const struct deferred_maps *m) {
  call(location, m->device, m->count, m->base, m->ptr, m->size, m->type, m->name, m->mapper);
}

/* For one of the arguments. */
static void call_one(deferred_data_call call, void *location, const struct deferred_maps *m, int32_t i) {
  void **name = m->name ? &m->name[i] : NULL, **mapper = m->mapper ? &m->mapper[i] : NULL;
  call(location, m->device, 1, &m->base[i], &m->ptr[i], &m->size[i], &m->type[i], name, mapper);
}

/* For what one of them points to, as a variable of its own. */
static void call_plain(deferred_data_call call, void *location, const struct deferred_maps *m, int32_t i, int64_t type) {
  void *ptr = m->ptr[i];
  call(location, m->device, 1, &ptr, &ptr, &m->size[i], &type, m->name ? &m->name[i] : NULL, NULL);
}

static bool has_mapper(const struct deferred_maps *m, int32_t i) { return m->mapper && m->mapper[i]; }

/* ---- updates ---- */

static bool is_plain_from(const struct deferred_maps *m, int32_t i) {
  const int64_t others = MAP_TO | MAP_LITERAL | MAP_PRIVATE | MAP_NON_CONTIG;
  return (m->type[i] & (others | MAP_FROM)) == MAP_FROM && !has_mapper(m, i);
}

/* Whether all of it is: an update transfers nothing else, where a beginning would map what is absent. */
static bool is_present(const struct deferred_maps *m, int32_t i, int device) {
  type_omp_get_mapped_ptr mapped = next_omp_get_mapped_ptr();
  const char *host = m->ptr[i];
  int64_t last = m->size[i] > 0 ? m->size[i] - 1 : 0;
  if (!mapped || device < 0 || device >= next_num_devices()) return false;
  const char *first = mapped(host, device);
  return first && mapped(host + last, device) == first + last;
}

/* The beginning makes one more user, so that the end removes nothing. */
static void copy_back(void *location, const struct deferred_maps *m, int32_t i) {
  call_plain(next___tgt_target_data_begin_mapper(), location, m, i, 0);
  call_plain(next___tgt_target_data_end_mapper(), location, m, i, MAP_ALWAYS | MAP_FROM);
}

void table_update(void *location, const struct deferred_maps *m) {
  deferred_data_call update = next___tgt_target_data_update_mapper();
  if (!queue_is_any_started()) {
    call_all(update, location, m);
    return;
  }
  int device = m->device == -1 ? next_default_device() : (int)m->device;
  for (int32_t i = 0; i < m->count; i++)
    if (is_plain_from(m, i) && is_present(m, i, device)) copy_back(location, m, i);
    else call_one(update, location, m, i);
}

/* ---- members that point to something ---- */

/* What has to be present already is not mapped here, so that its absence is told. */
static bool is_attached(const struct deferred_maps *m, int32_t i) {
  const int64_t others = MAP_LITERAL | MAP_PRIVATE | MAP_NON_CONTIG | MAP_PRESENT;
  return (m->type[i] & (others | MAP_PTR_AND_OBJ)) == MAP_PTR_AND_OBJ && m->size[i] > 0 && !has_mapper(m, i);
}

void table_hold(void *location, const struct deferred_maps *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (is_attached(m, i)) call_plain(next___tgt_target_data_begin_mapper(), location, m, i, m->type[i] & MAP_TO);
}

void table_release(void *location, const struct deferred_maps *m, bool copy_back) {
  for (int32_t i = m->count; i-- > 0;)
    if (is_attached(m, i))
      call_plain(next___tgt_target_data_end_mapper(), location, m, i, copy_back ? m->type[i] & MAP_FROM : 0);
}

void table_begin(void *location, const struct deferred_maps *m) {
  bool held = queue_is_any_started();
  if (held) table_hold(location, m);
  call_all(next___tgt_target_data_begin_mapper(), location, m);
  if (held) table_release(location, m, false);
}
