/* Data environments: what is mapped, released and updated. */
#include "interpose.h"

#include <stdlib.h>

#include "deferred.h"
#include "next.h"
#include "table.h"

#define MAPPER_PARAMETERS                                                                                                \
  void *location, int64_t device, int32_t count, void **base, void **ptr, int64_t *size, int64_t *type, void **names,    \
    void **mappers
#define MAPPER_ARGUMENTS location, device, count, base, ptr, size, type, names, mappers
#define DEPEND_PARAMETERS int32_t depend_count, void *depend, int32_t other_count, void *other
#define DEPEND_ARGUMENTS depend_count, depend, other_count, other

#define KEPT (&(const struct deferred_maps){device, count, base, ptr, size, type, names, mappers})
#define MAPS ((struct rt_maps){count > 0 ? (uint32_t)count : 0, base, ptr, size, type, mappers})

enum what { BEGIN, END, UPDATE };

EXPORTED void __tgt_target_data_update_mapper(MAPPER_PARAMETERS);

/* Content changes while a transfer runs: launches of other threads must not take it for settled. Counted as a writer of
 * everything from before the call to after it. An end writes nothing on the device. */
static uint64_t *before(struct rt_device *device, enum what what, const struct rt_maps *maps) {
  pthread_mutex_lock(&device->lock);
  device->ext.writers += what != END;
  uint64_t *present = what == BEGIN ? ext_present(&device->ext, maps) : NULL;
  pthread_mutex_unlock(&device->lock);
  return present;
}

static void after(struct rt_device *device, enum what what, const struct rt_maps *maps, uint64_t *present, bool nowait) {
  pthread_mutex_lock(&device->lock);
  device->ext.writers -= what != END;
  if (what == BEGIN) ext_begin(&device->ext, maps, present, nowait);
  else if (what == END) ext_end(&device->ext, maps, nowait);
  else ext_update(&device->ext, maps, nowait);
  bool first = what == BEGIN && !device->launches;
  pthread_mutex_unlock(&device->lock);
  free(present);
  if (first) interpose_make_ready(device);
}

#define AROUND(what, nowait, call)                                   \
  struct rt_device *d = interpose_device(device);                    \
  struct rt_maps maps = MAPS;                                        \
  uint64_t *present = d ? before(d, what, &maps) : NULL;             \
  call;                                                              \
  if (d) after(d, what, &maps, present, nowait)

EXPORTED void __tgt_target_data_begin_mapper(MAPPER_PARAMETERS) {
  if (deferred_begin(__tgt_target_data_begin_mapper, __tgt_target_data_update_mapper, location, KEPT)) return;
  AROUND(BEGIN, false, table_begin(location, KEPT));
}
EXPORTED void __tgt_target_data_end_mapper(MAPPER_PARAMETERS) {
  if (deferred_end(__tgt_target_data_end_mapper, location, KEPT)) return;
  AROUND(END, false, next___tgt_target_data_end_mapper()(MAPPER_ARGUMENTS));
}
EXPORTED void __tgt_target_data_update_mapper(MAPPER_PARAMETERS) {
  if (deferred_update(__tgt_target_data_update_mapper, location, KEPT)) return;
  AROUND(UPDATE, false, table_update(location, KEPT));
}
EXPORTED void __tgt_target_data_begin_nowait_mapper(MAPPER_PARAMETERS, DEPEND_PARAMETERS) {
  AROUND(BEGIN, true, next___tgt_target_data_begin_nowait_mapper()(MAPPER_ARGUMENTS, DEPEND_ARGUMENTS));
}
EXPORTED void __tgt_target_data_end_nowait_mapper(MAPPER_PARAMETERS, DEPEND_PARAMETERS) {
  AROUND(END, true, next___tgt_target_data_end_nowait_mapper()(MAPPER_ARGUMENTS, DEPEND_ARGUMENTS));
}
EXPORTED void __tgt_target_data_update_nowait_mapper(MAPPER_PARAMETERS, DEPEND_PARAMETERS) {
  AROUND(UPDATE, true, next___tgt_target_data_update_nowait_mapper()(MAPPER_ARGUMENTS, DEPEND_ARGUMENTS));
}
