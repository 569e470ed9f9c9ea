#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "case_file.h"
#include "ending.h"
#include "forest_file.h"
#include "machine_file.h"
#include "next.h"
#include "recall.h"
#include "refused.h"
#include "report.h"

struct runtime runtime;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* making devices */

static const char *environment(const char *name) { return secure_getenv(name); }

/* ---- the end ---- */

static uint64_t count_launches(void) {
  uint64_t count = 0;
  for (int i = 0; i < RT_MAX_DEVICES; i++) {
    const struct rt_device *d = atomic_load(&runtime.device[i]);
    if (d) count += d->launches + d->unknown_launches;
  }
  return count;
}

static void report(void) { report_write(&runtime); }

static void finish(void) {
  runtime_check_force();
  recall_save(&runtime);
  if (runtime.config.case_folder) case_write_plans(&runtime);
  report();
}

/* ---- the beginning ---- */

void runtime_start(const struct rt_ops *ops, void (*prepare)(int device)) {
  struct place_diag diag = {""};
  runtime.ops = *ops;
  runtime.prepare = prepare;
  runtime.started_ns = ops->now_ns();
  if (getauxval(AT_SECURE)) return; /* a program with rights that its user has not: every call goes straight on */
  config_read(&runtime.config, environment);
  config_check_names(&runtime.config, environ);
  forest_file_load(&runtime.config);
  const char *offload = environment("OMP_TARGET_OFFLOAD");
  runtime.on_host = offload && !strcasecmp(offload, "disabled");
  if (runtime.config.force && !(runtime.force = force_parse(runtime.config.force, &diag)))
    config_message(&runtime.config, "%s; it is ignored", diag.text);
  if (runtime.force && runtime.on_host)
    config_message(&runtime.config, "PLACE_FORCE has no effect: OMP_TARGET_OFFLOAD=%.20s runs all target regions on the host", offload);
  if (runtime.config.solver == PLACE_SOLVER_GLPK && !place_solver_has_glpk())
    config_message(&runtime.config, "PLACE_SOLVER=glpk: libglpk.so.40 cannot be opened, so place's own exact search is used; install "
                   "GLPK (Debian: libglpk40) or unset PLACE_SOLVER");
  runtime.active = !runtime.config.off;
  if (runtime.active) ending_start(finish, runtime.config.report ? report : NULL, count_launches);
  for (unsigned i = 0; i < runtime.config.message_count; i++) report_say("%s", runtime.config.messages[i]);
}

static size_t count_regions(void) {
  size_t count = 0;
  for (const struct rt_module *m = registry_modules(); m; m = m->next) count += m->region_count;
  return count;
}

void runtime_check_force(void) {
  static _Atomic bool checked;
  if (!runtime.force || atomic_load(&checked) || atomic_exchange(&checked, true)) return;
  size_t count = count_regions(), n = 0;
  if (!count && refused_text(0)) return; /* there are regions, but their tables were refused, which was said */
  const struct place_region **regions = calloc(count + 1, sizeof *regions);
  if (!regions) return;
  for (const struct rt_module *m = registry_modules(); m; m = m->next)
    for (size_t i = 0; i < m->region_count && n < count; i++) regions[n++] = m->regions[i].region;
  force_check_names(runtime.force, regions, n, report_say);
  free(regions);
}

/* The model is chosen when the first device is used: by then the images are known, and the device can be asked. */
static void load_machine(const struct device_facts *device) {
  if (runtime.machine || *runtime.machine_note) return;
  runtime.machine = machine_file_load(runtime.config.machine_file, device, registry_sm(), runtime.machine_note,
                                      sizeof runtime.machine_note);
  machine_file_device(device, registry_sm(), runtime.device_name, sizeof runtime.device_name);
  if (!runtime.machine || machine_file_is_refusal(runtime.machine_note))
    report_say("%s", runtime.machine_note);
}

/* It is held for a fraction of a microsecond: to sleep until it is free takes longer. */
static void make_lock(pthread_mutex_t *made) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(made, &kind);
  pthread_mutexattr_destroy(&kind);
}

static struct rt_device *make_device(int number) {
  struct rt_device *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  if (registry_sm()) ask_device(number, &d->facts);
  if (!runtime.on_host) load_machine(&d->facts);
  make_lock(&d->lock);
  d->number = number;
  d->budget = budget_with(BUDGET_PROGRAM_NS);
  ext_init(&d->ext, number, &runtime.ops);
  return d;
}

static _Atomic bool registered; /* libomptarget 19 can be asked nothing before the first library is registered: it would crash */

void runtime_set_registered(void) { atomic_store(&registered, true); }

struct rt_device *runtime_device(int number) {
  if (!atomic_load(&registered) || !runtime.active || runtime.unified || number < 0 || number >= RT_MAX_DEVICES) return NULL;
  struct rt_device *d = atomic_load_explicit(&runtime.device[number], memory_order_acquire);
  if (d) return d;
  if (number >= next_num_devices()) return NULL;
  pthread_mutex_lock(&lock);
  d = atomic_load(&runtime.device[number]);
  if (!d && (d = make_device(number))) atomic_store_explicit(&runtime.device[number], d, memory_order_release);
  pthread_mutex_unlock(&lock);
  return d;
}

void runtime_set_unified(void) { runtime.unified = true; }

void runtime_check_devices(void) {
  static _Atomic bool asked;
  char why[300];
  if (runtime.on_host || !registry_image_count() || atomic_exchange(&asked, true) || next_num_devices()) return;
  unsigned sm = registry_unloadable_sm();
  if (!sm) {
    ask_why_no_device(registry_sm(), why, sizeof why);
    report_say("libomptarget sees no device, so target regions run on the host: %s", why);
    return;
  }
  report_say("libomptarget sees no device: the program's device code for sm_%u was assembled by CUDA 13, whose files LLVM 19 "
             "cannot recognise (llvm issue 159088), so target regions run on the host; compile with CUDA 11.8 to 12.x "
             "(--cuda-path=)", sm);
}
