#include "deferred.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "next.h"
#include "omptarget_abi.h"
#include "queue.h"
#include "report.h"
#include "state.h"

/* ---- arguments kept ---- */

/* OpenMP's firstprivate by address: the runtime copies from the caller's frame. */
static bool is_private_copy(int64_t type) { return (type & (MAP_PRIVATE | MAP_TO | MAP_LITERAL)) == (MAP_PRIVATE | MAP_TO); }

enum { ALIGNMENT = 16 };
static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static size_t private_bytes(const struct deferred_maps *m) {
  size_t bytes = 0;
  for (int32_t i = 0; i < m->count; i++)
    if (is_private_copy(m->type[i])) bytes += aligned((size_t)m->size[i]);
  return bytes;
}

/* Bytes behind an operation for a copy of its maps. */
static size_t kept_bytes(const struct deferred_maps *m) {
  return (size_t)m->count * (4 * sizeof(void *) + 2 * sizeof(int64_t)) + ALIGNMENT + private_bytes(m);
}

static void *keep(char **at, const void *from, size_t bytes) {
  void *copy = *at;
  memcpy(copy, from, bytes);
  *at += bytes;
  return copy;
}

static struct deferred_maps keep_maps(const struct deferred_maps *m, char *at) {
  struct deferred_maps kept = {.device = queue_device(), .count = m->count};
  if (!m->count) return kept;
  size_t pointers = (size_t)m->count * sizeof(void *), numbers = (size_t)m->count * sizeof(int64_t);
  kept.base = keep(&at, m->base, pointers);
  kept.ptr = keep(&at, m->ptr, pointers);
  kept.size = keep(&at, m->size, numbers);
  kept.type = keep(&at, m->type, numbers);
  if (m->name) kept.name = keep(&at, m->name, pointers);
  if (m->mapper) kept.mapper = keep(&at, m->mapper, pointers);
  at += -(uintptr_t)at % ALIGNMENT;
  for (int32_t i = 0; i < m->count; i++) {
    if (!is_private_copy(m->type[i])) continue;
    ptrdiff_t offset = (char *)m->base[i] - (char *)m->ptr[i];
    kept.ptr[i] = keep(&at, m->ptr[i], (size_t)m->size[i]);
    kept.base[i] = (char *)kept.ptr[i] + offset;
    at += aligned((size_t)m->size[i]) - (size_t)m->size[i];
  }
  return kept;
}

/* ---- whether a call can wait ---- */

/* Of a section with gaps an argument leads to descriptors in the caller's frame. */
static bool can_be_kept(const struct deferred_maps *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (m->type[i] & MAP_NON_CONTIG) return false;
  return m->count >= 0;
}

static bool goes_to_device(int64_t device) {
  int own = queue_device();
  return (device == -1 || device == own) && own >= 0 && own < next_num_devices();
}

static bool is_deferred(const struct deferred_maps *m) {
  if (!queue_is_open()) return false;
  if (goes_to_device(m->device) && can_be_kept(m)) return true;
  queue_wait_open();
  return false;
}

/* ---- data environments ---- */

struct data {
  struct queue_operation operation;
  deferred_data_call call;
  void *location;
  struct deferred_maps maps;
};

static void run_data(struct queue_operation *operation) {
  struct data *d = (struct data *)operation;
  const struct deferred_maps *m = &d->maps;
  d->call(d->location, m->device, m->count, m->base, m->ptr, m->size, m->type, m->name, m->mapper);
  free(d);
}

static bool append_data(deferred_data_call call, void *location, const struct deferred_maps *maps, bool changes) {
  struct data *d = malloc(sizeof *d + kept_bytes(maps));
  if (!d) return queue_wait_open(), false;
  *d = (struct data){{NULL, run_data, changes}, call, location, keep_maps(maps, (char *)(d + 1))};
  queue_append(&d->operation);
  return true;
}

/* ---- beginnings: mapped now, copied later ---- */

/* Parts of structures and mappers come with others that they depend on. */
static bool is_plain(const struct deferred_maps *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (m->type[i] & (MAP_MEMBER_OF | MAP_PTR_AND_OBJ) || (m->mapper && m->mapper[i])) return false;
  return true;
}

static bool is_copied(const struct deferred_maps *m, int32_t i) {
  return m->type[i] & MAP_TO && m->size[i] > 0 &&
         (m->type[i] & MAP_ALWAYS || !next_omp_get_mapped_ptr()(m->ptr[i], queue_device()));
}

/* Those of `m` that are to be copied: leaves them in `m`, which is the caller's own. */
static void select_copied(struct deferred_maps *m) {
  int32_t count = 0;
  for (int32_t i = 0; i < m->count; i++) {
    if (!is_copied(m, i)) continue;
    m->base[count] = m->base[i];
    m->ptr[count] = m->ptr[i];
    m->size[count] = m->size[i];
    m->type[count] = MAP_TO;
    if (m->name) m->name[count] = m->name[i];
    count++;
  }
  m->count = count;
}

static void map_now(deferred_data_call begin, void *location, const struct deferred_maps *m) {
  struct queue_pause pause = queue_pause();
  for (int32_t i = 0; i < m->count; i++) m->type[i] &= ~(int64_t)(MAP_TO | MAP_ALWAYS);
  begin(location, m->device, m->count, m->base, m->ptr, m->size, m->type, m->name, m->mapper);
  queue_resume(pause);
}

bool deferred_begin(deferred_data_call begin, deferred_data_call update, void *location, const struct deferred_maps *maps) {
  if (queue_any_maps() && !queue_is_open() && !queue_is_own_thread()) queue_wait_all();
  if (!is_deferred(maps)) return false;
  if (!is_plain(maps) || queue_any_maps()) return append_data(begin, location, maps, true);
  char *copies = malloc(2 * kept_bytes(maps));
  if (!copies) return queue_wait_open(), false;
  struct deferred_maps now = keep_maps(maps, copies), later = keep_maps(maps, copies + kept_bytes(maps));
  later.mapper = NULL;
  select_copied(&later);
  map_now(begin, location, &now);
  if (later.count && !append_data(update, location, &later, false))
    update(location, later.device, later.count, later.base, later.ptr, later.size, later.type, later.name, NULL);
  free(copies);
  return true;
}

bool deferred_update(deferred_data_call update, void *location, const struct deferred_maps *maps) {
  return is_deferred(maps) && append_data(update, location, maps, false);
}

bool deferred_end(deferred_data_call end, void *location, const struct deferred_maps *maps) {
  if (queue_any_pending() && !queue_is_open() && !queue_is_own_thread()) queue_wait_all();
  return is_deferred(maps) && append_data(end, location, maps, true);
}

/* ---- launches ---- */

struct kernel {
  struct queue_operation operation;
  deferred_kernel_call call;
  struct deferred_launch launch;
  struct tgt_kernel_args args;
};

static void run_kernel(struct queue_operation *operation) {
  struct kernel *k = (struct kernel *)operation;
  const struct deferred_launch *l = &k->launch;
  if (k->call(l->location, l->device, l->teams, l->thread_limit, l->host_ptr, &k->args)) {
    report_say("an asynchronous region could not be launched, and the host cannot carry it out any more; the program ends");
    abort();
  }
  free(k);
}

/* Whether a launch copies what is absent, to or from the device. */
static bool transfers(const struct deferred_maps *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (m->type[i] & (MAP_TO | MAP_FROM) && !is_private_copy(m->type[i])) return true;
  return false;
}

bool deferred_kernel(deferred_kernel_call call, const struct deferred_launch *launch) {
  if (!queue_is_open()) return false;
  const struct tgt_kernel_args *a = launch->args;
  struct deferred_maps maps = {.device = launch->device, .count = -1};
  if (a && a->version == TGT_KERNEL_ARGS_VERSION)
    maps = (struct deferred_maps){launch->device, (int32_t)a->count, a->base, a->ptr, a->size, a->type, a->name, a->mapper};
  if (!is_deferred(&maps)) return false;
  struct kernel *k = malloc(sizeof *k + kept_bytes(&maps));
  if (!k) return queue_wait_open(), false;
  maps = keep_maps(&maps, (char *)(k + 1));
  *k = (struct kernel){{NULL, run_kernel, transfers(&maps)}, call, *launch, *a};
  k->launch.device = maps.device;
  k->args.base = maps.base;
  k->args.ptr = maps.ptr;
  k->args.size = maps.size;
  k->args.type = maps.type;
  k->args.name = maps.name;
  k->args.mapper = maps.mapper;
  queue_append(&k->operation);
  return true;
}

/* ---- anything else ---- */

struct other {
  struct queue_operation operation;
  void (*call)(const void *);
  const void *argument;
  int device;
};

static void run_other(struct queue_operation *operation) {
  struct other *o = (struct other *)operation;
  next_set_default_device(o->device); /* each thread has its own */
  o->call(o->argument);
  free(o);
}

bool deferred_call(void (*call)(const void *), const void *argument) {
  if (!queue_is_open()) return false;
  struct other *o = goes_to_device(-1) ? malloc(sizeof *o) : NULL;
  if (!o) return queue_wait_open(), false;
  *o = (struct other){{NULL, run_other, false}, call, argument, queue_device()};
  queue_append(&o->operation);
  return true;
}
