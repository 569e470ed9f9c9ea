/* libomptarget's entry points for images and launches, as the program calls them. This file and deferred.c alone know
 * its structures (omptarget_abi.h). */
#define _GNU_SOURCE
#include "interpose.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_texture.h"
#include "deferred.h"
#include "descriptor.h"
#include "dispatch.h"
#include "ending.h"
#include "next.h"
#include "omptarget_abi.h"
#include "queue.h"
#include "redirect.h"
#include "refused.h"
#include "report.h"
#include "runtime.h"
#include "table.h"

_Thread_local int interpose_depth;

/* ---- how the runtime reaches libomptarget ---- */

static void *mapped(const void *host, int device) {
  type_omp_get_mapped_ptr next = next_omp_get_mapped_ptr();
  return next ? next(host, device) : NULL;
}

static int copy(void *to, const void *from, size_t bytes, int to_device, int from_device) {
  type_omp_target_memcpy next = next_omp_target_memcpy();
  if (!next) return -1;
  interpose_depth++;
  int rc = next(to, from, bytes, 0, 0, to_device, from_device);
  interpose_depth--;
  return rc;
}

static int to_device(void *device_ptr, const void *host, size_t bytes, int device) {
  return copy(device_ptr, host, bytes, device, next_num_devices());
}

static int from_device(void *host, const void *device_ptr, size_t bytes, int device) {
  return copy(host, device_ptr, bytes, next_num_devices(), device);
}

static uint64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
static uint64_t worked_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

/* schedstat (Linux, Documentation/scheduler/sched-stats.rst): time with a processor, time ready and without one, turns. */
static uint64_t delayed_ns(void) {
  char text[64];
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[bytes > 0 ? bytes : 0] = '\0';
  const char *second = strchr(text, ' ');
  return second ? strtoull(second, NULL, 10) : 0;
}

/* An empty data environment: libomptarget initialises the device and loads its images. */
static void load_images(int device) {
  type___tgt_target_data_begin_mapper next = next___tgt_target_data_begin_mapper();
  interpose_depth++;
  if (next) next(NULL, device, 0, NULL, NULL, NULL, NULL, NULL, NULL);
  interpose_depth--;
}

/* ---- loading ---- */

static bool late; /* reached through redirected import slots */

__attribute__((constructor)) static void start(void) {
  static const struct rt_ops ops = {mapped, to_device, from_device, now_ns, worked_ns, delayed_ns, &cuda_textures};
  if (redirect_other_copy_active()) return;
  redirect_claim();
  runtime_start(&ops, load_images);
  late = runtime.active && !redirect_is_early();
  if (late) redirect_objects();
}

/* For a library that was opened after the runtime and carries its own loader: opening the runtime again runs nothing of it,
 * so the loader calls this before its image registers. */
EXPORTED void place_runtime_attach(void) {
  if (late) redirect_new_objects();
}

__attribute__((destructor)) static void finish(void) { ending_reached(); }

static void look_at_new_objects(struct rt_device *device) {
  if (!late || !redirect_new_objects()) return;
  pthread_mutex_lock(&device->lock);
  ext_change_all(&device->ext); /* what the new objects did before is not known */
  ext_doubt(&device->ext);
  pthread_mutex_unlock(&device->lock);
}

static struct rt_device *device_of(int64_t number) {
  if (!runtime.active || interpose_depth) return NULL;
  if (number == -1) number = next_default_device();
  return number < RT_MAX_DEVICES ? runtime_device((int)number) : NULL;
}

struct rt_device *interpose_device(int64_t number) {
  struct rt_device *device = device_of(number);
  if (device) look_at_new_objects(device);
  return device;
}

void interpose_make_ready(struct rt_device *device) {
  look_at_new_objects(device);
  next___tgt_target_kernel();
}

/* ---- images ---- */

/* Refused tables, each once. */
static void say_messages(void) {
  static _Atomic unsigned said;
  for (const char *text; (text = refused_text(said)); said++) report_say("%s", text);
}

EXPORTED void __tgt_register_lib(struct tgt_desc *d) {
  type___tgt_register_lib next = next___tgt_register_lib();
  if (!runtime.active || !d) {
    if (next) next(d);
  } else {
    descriptor_register(d, next);
    say_messages();
  }
  runtime_set_registered();
}

EXPORTED void __tgt_unregister_lib(struct tgt_desc *d) {
  type___tgt_unregister_lib next = next___tgt_unregister_lib();
  queue_empty_all(); /* the program's own calls at its end, which come after the queues' one, may have used them again */
  if (runtime.active && d) descriptor_unregister(d, next);
  else if (next) next(d);
}

EXPORTED void __tgt_register_requires(int64_t flags) {
  type___tgt_register_requires next = next___tgt_register_requires();
  if (flags & TGT_REQ_UNIFIED_SHARED_MEMORY) runtime_set_unified();
  if (next) next(flags);
}

/* ---- launches ---- */

struct launch_context {
  void *location;
  int64_t device;
  int32_t thread_limit;
  struct tgt_kernel_args *args;
  struct { /* of the nowait form */
    bool is;
    int32_t count, other_count;
    void *list, *other_list;
  } depend;
};

static int call_held(const struct launch_context *c, int32_t teams, void *host_ptr, struct tgt_kernel_args *args) {
  const struct deferred_maps maps = {c->device, (int32_t)args->count, args->base, args->ptr, args->size, args->type, args->name,
                                     args->mapper};
  table_hold(c->location, &maps);
  int rc = next___tgt_target_kernel()(c->location, c->device, teams, c->thread_limit, host_ptr, args);
  table_release(c->location, &maps, !rc);
  return rc;
}

/* Clang makes a task of a nowait region, whose dependences are met when it launches: that the launch waits holds up the task alone. */
static int call_next(const struct launch_context *c, int32_t teams, void *host_ptr, struct tgt_kernel_args *args, bool wait) {
  if (wait) args->flags &= ~(uint64_t)TGT_KERNEL_NOWAIT;
  else if (c->depend.is)
    return next___tgt_target_kernel_nowait()(c->location, c->device, teams, c->thread_limit, host_ptr, args, c->depend.count,
                                             c->depend.list, c->depend.other_count, c->depend.other_list);
  if (args->version != TGT_KERNEL_ARGS_VERSION || args->flags & TGT_KERNEL_NOWAIT)
    return next___tgt_target_kernel()(c->location, c->device, teams, c->thread_limit, host_ptr, args);
  return queue_is_any_started() ? call_held(c, teams, host_ptr, args)
                                : next___tgt_target_kernel()(c->location, c->device, teams, c->thread_limit, host_ptr, args);
}

enum { MAX_ENTRIES = 64 + RT_MAX_WORDS };

/* Clang passes the addresses of variables that a construct maps and its kernel knows by name (map(p, p[:n]), p in declare target)
 * behind the kernel's own arguments. The original ignores them; where a version has its words they must not be. Whether there are
 * as many arguments as the kernel has. */
static bool pass_parameters_only(int64_t *type, uint32_t count, int parameters) {
  int seen = 0;
  for (uint32_t i = 0; i < count; i++)
    if (type[i] & MAP_TARGET_PARAM && seen++ >= parameters) type[i] &= ~(int64_t)MAP_TARGET_PARAM;
  return seen >= parameters;
}

static int launch_version(const struct launch_context *c, const struct rt_request *request) {
  void *base[MAX_ENTRIES], *ptr[MAX_ENTRIES], *name[MAX_ENTRIES] = {NULL}, *mapper[MAX_ENTRIES] = {NULL};
  int64_t size[MAX_ENTRIES], type[MAX_ENTRIES];
  struct tgt_kernel_args args = *c->args;
  uint32_t own = args.count, count = own + request->word_count;
  if (count > MAX_ENTRIES) return -1;
  memcpy(base, args.base, own * sizeof *base);
  memcpy(ptr, args.ptr, own * sizeof *ptr);
  memcpy(size, args.size, own * sizeof *size);
  memcpy(type, args.type, own * sizeof *type);
  if (request->parameters >= 0 && !pass_parameters_only(type, own, request->parameters)) return -1;
  if (args.name) memcpy(name, args.name, own * sizeof *name);
  if (args.mapper) memcpy(mapper, args.mapper, own * sizeof *mapper);
  for (uint32_t i = own; i < count; i++) {
    base[i] = ptr[i] = (void *)(uintptr_t)request->words[i - own];
    size[i] = 8;
    type[i] = MAP_LITERAL | MAP_TARGET_PARAM;
  }
  args.count = count;
  args.base = base;
  args.ptr = ptr;
  args.size = size;
  args.type = type;
  if (args.name) args.name = name;
  if (args.mapper) args.mapper = mapper;
  if (request->teams >= 0) args.teams[0] = (uint32_t)request->teams;
  args.dynamic_shared_bytes = request->dynamic_shared_bytes;
  struct launch_context context = *c;
  if (request->thread_limit > 0) args.threads[0] = (uint32_t)(context.thread_limit = request->thread_limit);
  return call_next(&context, request->teams, request->host_ptr, &args, request->wait);
}

static void hold(void *context, bool begin) {
  const struct launch_context *c = context;
  const struct tgt_kernel_args *a = c->args;
  if (begin) next___tgt_target_data_begin_mapper()(c->location, c->device, (int32_t)a->count, a->base, a->ptr, a->size, a->type, a->name, a->mapper);
  else next___tgt_target_data_end_mapper()(c->location, c->device, (int32_t)a->count, a->base, a->ptr, a->size, a->type, a->name, a->mapper);
}

/* libomptarget writes into the arguments, and a failed version is followed by the original: each call gets a copy. */
static int perform(void *context, const struct rt_request *request) {
  const struct launch_context *c = context;
  if (request->words) return launch_version(c, request);
  struct tgt_kernel_args args = *c->args;
  return call_next(c, request->teams, request->host_ptr, &args, request->wait);
}

static int forward(const struct launch_context *c, int32_t teams, void *host_ptr) {
  if (c->depend.is ? !next___tgt_target_kernel_nowait() : !next___tgt_target_kernel()) return -1; /* run on the host */
  return call_next(c, teams, host_ptr, c->args, false);
}

/* What no device takes: the caller runs its own code where libomptarget fails, too. */
static int forward_elsewhere(const struct launch_context *c, int32_t teams, void *host_ptr) {
  int rc = forward(c, teams, host_ptr);
  if (rc && runtime.active && !interpose_depth) atomic_fetch_add(&runtime.host_launches, 1);
  return rc;
}

static int launch(struct launch_context *c, int32_t teams, void *host_ptr) {
  struct rt_device *device = device_of(c->device);
  struct rt_region *region = device ? registry_find(host_ptr) : NULL;
  const struct tgt_kernel_args *a = c->args;
  bool routine = region && dispatch_is_routine(device, region); /* then new objects matter from a later launch on */
  if (device && !routine) look_at_new_objects(device);
  if (runtime.active) runtime_check_force();
  if (!device && runtime.active && !interpose_depth) runtime_check_devices();
  if (!device || !a) return forward_elsewhere(c, teams, host_ptr);
  bool nowait = c->depend.is || a->flags & TGT_KERNEL_NOWAIT;
  if (a->version != TGT_KERNEL_ARGS_VERSION) {
    dispatch_unknown_begin(device, nowait);
    int rc = forward(c, teams, host_ptr);
    dispatch_unknown_end(device);
    return rc;
  }
  struct rt_call call = {.hold = next___tgt_target_data_begin_mapper() && next___tgt_target_data_end_mapper() ? hold : NULL,
                         .device = device->number, .host_ptr = host_ptr,
                         .maps = {a->count, a->base, a->ptr, a->size, a->type, a->mapper},
                         .trip_count = a->trip_count, .teams = teams, .thread_limit = c->thread_limit,
                         .dynamic_shared_bytes = a->dynamic_shared_bytes, .nowait = nowait, .routine = routine};
  return region ? dispatch_launch(&runtime, device, region, &call, perform, c)
                : dispatch_unknown(device, &call, perform, c);
}

EXPORTED int __tgt_target_kernel(void *location, int64_t device, int32_t teams, int32_t thread_limit, void *host_ptr,
                                 struct tgt_kernel_args *args) {
  const struct deferred_launch later = {location, device, teams, thread_limit, host_ptr, args};
  if (deferred_kernel(__tgt_target_kernel, &later)) return 0;
  struct launch_context c = {.location = location, .device = device, .thread_limit = thread_limit, .args = args};
  return launch(&c, teams, host_ptr);
}

EXPORTED int __tgt_target_kernel_nowait(void *location, int64_t device, int32_t teams, int32_t thread_limit, void *host_ptr,
                                        struct tgt_kernel_args *args, int32_t count, void *list, int32_t other_count,
                                        void *other_list) {
  struct launch_context c = {.location = location, .device = device, .thread_limit = thread_limit, .args = args,
                             .depend = {true, count, other_count, list, other_list}};
  return launch(&c, teams, host_ptr);
}
