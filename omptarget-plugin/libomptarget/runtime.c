#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

#include "case_file.h"
#include "machine_file.h"
#include "next.h"
#include "recall.h"
#include "report.h"

struct runtime runtime;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* making devices */

static const char *environment(const char *name) { return getenv(name); }

void runtime_start(const struct rt_ops *ops, void (*prepare)(int device)) {
  struct place_diag diag = {""};
  runtime.ops = *ops;
  runtime.prepare = prepare;
  runtime.started_ns = ops->now_ns();
  config_read(&runtime.config, environment);
  if (runtime.config.force && !(runtime.force = force_parse(runtime.config.force, &diag)))
    config_message(&runtime.config, "%s; it is ignored", diag.text);
  runtime.active = !runtime.config.off;
  for (unsigned i = 0; i < runtime.config.message_count; i++) report_say("%s", runtime.config.messages[i]);
}

/* The model is chosen when the first device is used: by then the images are known, and the device can be asked. */
static void load_machine(const struct device_facts *device) {
  if (runtime.machine || *runtime.machine_note) return;
  runtime.machine = machine_file_load(runtime.config.machine_file, device, registry_sm(), runtime.machine_note,
                                      sizeof runtime.machine_note);
  if (!runtime.machine || machine_file_is_refusal(runtime.machine_note))
    report_say("%s", runtime.machine_note);
}

static struct rt_device *make_device(int number) {
  struct rt_device *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  if (registry_sm()) ask_device(number, &d->facts);
  load_machine(&d->facts);
  pthread_mutex_init(&d->lock, NULL);
  d->number = number;
  d->budget = budget_with(BUDGET_PROGRAM_NS);
  ext_init(&d->ext, number, &runtime.ops);
  return d;
}

struct rt_device *runtime_device(int number) {
  if (!runtime.active || runtime.unified || number < 0 || number >= RT_MAX_DEVICES) return NULL;
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
  if (atomic_exchange(&asked, true) || next_num_devices()) return;
  unsigned sm = registry_unloadable_sm();
  if (!sm) return;
  report_say("libomptarget sees no device: the program's device code for sm_%u was assembled by CUDA 13, whose files LLVM 19 "
             "cannot recognise (llvm issue 159088), so target regions run on the host; compile with CUDA 11.8 to 12.x "
             "(--cuda-path=)", sm);
}

void runtime_finish(void) {
  if (!runtime.active) return;
  recall_save(&runtime);
  if (runtime.config.case_folder) case_write_plans(&runtime);
  report_write(&runtime);
}
