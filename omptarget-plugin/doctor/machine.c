/* The driver, the GPU, its machine file, the settings. */
#define _GNU_SOURCE
#include "doctor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask_device.h"
#include "config.h"
#include "force.h"
#include "forest_file.h"
#include "machine_file.h"

static void check_driver(struct doctor *d, const struct device_facts *facts) {
  d->driver = facts->driver > 0 ? (unsigned)(facts->driver / 1000 * 100 + facts->driver % 1000 / 10) : 0;
  if (d->driver && d->cuda && d->driver / 100 < d->cuda / 100)
    doctor_say(d, FINDING_ERROR, "the driver is for CUDA %u.%u, older than the toolkit's CUDA %u: its code does not load; install a newer "
               "driver, or compile with an older toolkit (--cuda-path=)", d->driver / 100, d->driver % 100, d->cuda / 100);
  else if (d->driver)
    doctor_say(d, FINDING_OK, "the driver is for CUDA %u.%u", d->driver / 100, d->driver % 100);
}

static void check_machine_file(struct doctor *d, const struct device_facts *facts) {
  char note[512];
  struct place_machine *machine = machine_file_load(secure_getenv("PLACE_MACHINE"), facts, facts->sm, note, sizeof note);
  if (!machine || machine_file_is_refusal(note)) doctor_say(d, FINDING_ERROR, "%s", note);
  else if (!strncmp(note, "costs of", 8)) doctor_say(d, FINDING_WARNING, "no machine file describes %s: %s", facts->name, note);
  else doctor_say(d, FINDING_OK, "%s is described by %s", facts->name, note);
  msl_free(machine);
}

void doctor_machine(struct doctor *doctor) {
  struct device_facts facts;
  char why[300];
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
  typedef int start(unsigned flags);
  start *initialise = NULL;
  if (driver) *(void **)&initialise = dlsym(driver, "cuInit");
  if (initialise && !initialise(0)) ask_device(0, &facts);
  else facts = (struct device_facts){"", 0, 0};
  if (!*facts.name) {
    ask_why_no_device(90, why, sizeof why);
    doctor_say(doctor, FINDING_WARNING, "no GPU here, so programs run on the host: %s", why);
    return;
  }
  check_driver(doctor, &facts);
  doctor->sm = facts.sm;
  doctor_say(doctor, facts.sm ? FINDING_OK : FINDING_WARNING, "the GPU is a %s, sm_%u", facts.name, facts.sm);
  check_machine_file(doctor, &facts);
}

/* ---- settings ---- */

static const char *environment(const char *name) { return strcmp(name, "PLACE") ? secure_getenv(name) : NULL; }

void doctor_settings(struct doctor *doctor) {
  struct config config;
  struct place_diag diag = {""};
  config_read(&config, environment);
  config_check_names(&config, environ);
  forest_file_load(&config);
  if (config.force) {
    struct force *force = force_parse(config.force, &diag);
    if (!force) config_message(&config, "%s", diag.text);
    force_free(force);
  }
  place_forest_free(config.forest);
  for (unsigned i = 0; i < config.message_count; i++) doctor_say(doctor, FINDING_WARNING, "%s", config.messages[i]);
  if (!config.message_count) doctor_say(doctor, FINDING_OK, "the PLACE_ variables of the environment");
}
