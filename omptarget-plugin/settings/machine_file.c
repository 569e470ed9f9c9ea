#define _GNU_SOURCE
#include "machine_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Made at build time from msl/machines/ (CMakeLists.txt). */
struct embedded_machine {
  const char *name;
  const char *text;
  unsigned long length;
};
extern const struct embedded_machine embedded_machines[];

static struct place_machine *load_file(const char *file, char *note, size_t size) {
  struct msl_diagnostics *d = calloc(1, sizeof *d);
  struct place_machine *machine = d ? msl_read_file(file, d) : NULL;
  if (machine)
    snprintf(note, size, "%s", file);
  else if (d && d->items[0].line)
    snprintf(note, size, "PLACE_MACHINE=%s cannot be used: line %u: %s; correct it (place-msl check shows all errors) or unset "
             "PLACE_MACHINE", file, d->items[0].line, d->items[0].message);
  else
    snprintf(note, size, "PLACE_MACHINE=%s cannot be used: %s; name another file or unset PLACE_MACHINE", file,
             d ? d->items[0].message : "out of memory");
  free(d);
  return machine;
}

static unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

static unsigned arch_of(const struct place_machine *m) { return m->arch.state == MSL_GIVEN ? (unsigned)m->arch.value : 0; }

/* The model of that name; else of that architecture, or of the nearest one. */
static struct place_machine *nearest(const char *name, unsigned sm, const struct embedded_machine **from) {
  struct place_machine *best = NULL;
  unsigned best_distance = 0;
  for (const struct embedded_machine *e = embedded_machines; e->name; e++) {
    struct place_machine *m = msl_read(e->text, e->length, e->name, NULL);
    if (!m) continue;
    bool named = *name && m->name && !strcasecmp(m->name, name);
    unsigned arch = arch_of(m), d = arch ? distance(arch, sm) : ~0u;
    if (best && !named && d >= best_distance) {
      msl_free(m);
      continue;
    }
    msl_free(best);
    best = m;
    best_distance = d;
    *from = e;
    if (named) break;
  }
  return best;
}

static void say_choice(const struct place_machine *m, const char *from, const struct device_facts *device, unsigned image_sm,
                       char *out, size_t size) {
  if (*device->name && m->name && !strcasecmp(m->name, device->name))
    snprintf(out, size, "built-in %s", from);
  else if (*device->name)
    snprintf(out, size, "costs of the built-in %s, the nearest to sm_%u; place-probe can measure this GPU's, for PLACE_MACHINE", from,
             device->sm);
  else if (image_sm)
    snprintf(out, size, "costs of the built-in %s are assumed: the device cannot be asked", from);
  else
    snprintf(out, size, "costs of the built-in %s are assumed", from);
}

void machine_file_device(const struct device_facts *device, unsigned image_sm, char *out, size_t size) {
  if (*device->name) snprintf(out, size, "%s", device->name);
  else if (image_sm) snprintf(out, size, "a GPU for code for sm_%u", image_sm);
  else snprintf(out, size, "a device that is no NVIDIA GPU");
}

struct place_machine *machine_file_load(const char *file, const struct device_facts *device, unsigned image_sm, char *note,
                                        size_t size) {
  enum { NEWEST = 90 }; /* the machine that place was measured on */
  const struct embedded_machine *from = NULL;
  if (file) {
    struct place_machine *given = load_file(file, note, size);
    if (given) return given;
  }
  struct place_machine *machine = nearest(device->name, device->sm ? device->sm : image_sm ? image_sm : NEWEST, &from);
  size_t at = file ? strlen(note) : 0;
  const char *separator = file ? "; instead: " : "";
  if (!machine) {
    snprintf(note + at, size - at, "%sno machine model can be read", separator);
    return NULL;
  }
  at += (size_t)snprintf(note + at, size - at, "%s", separator);
  if (at < size) say_choice(machine, from->name, device, image_sm, note + at, size - at);
  return machine;
}

bool machine_file_is_refusal(const char *note) { return !strncmp(note, "PLACE_MACHINE=", strlen("PLACE_MACHINE=")); }
