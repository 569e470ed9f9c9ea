#include "machine_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  if (machine) {
    snprintf(note, size, "%s", file);
  } else {
    snprintf(note, size, "PLACE_MACHINE=%s cannot be used: line %u: %s; correct it (place-msl shows all errors) or unset it",
             file, d ? d->items[0].line : 0, d ? d->items[0].message : "out of memory");
  }
  free(d);
  return machine;
}

static unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

/* The model of the same architecture, else of the nearest one. */
static struct place_machine *nearest(unsigned sm, const struct embedded_machine **from) {
  struct place_machine *best = NULL;
  unsigned best_distance = 0;
  for (const struct embedded_machine *e = embedded_machines; e->name; e++) {
    struct place_machine *m = msl_read(e->text, e->length, e->name, NULL);
    if (!m) continue;
    unsigned arch = m->arch.state == MSL_GIVEN ? (unsigned)m->arch.value : 0, d = distance(arch, sm);
    if (best && (!arch || d >= best_distance)) {
      msl_free(m);
      continue;
    }
    msl_free(best);
    best = m;
    best_distance = arch ? d : ~0u;
    *from = e;
  }
  return best;
}

struct place_machine *machine_file_load(const char *file, unsigned sm, char *note, size_t size) {
  enum { NEWEST = 90 }; /* the machine that place was measured on */
  const struct embedded_machine *from = NULL;
  if (file) {
    struct place_machine *given = load_file(file, note, size);
    if (given) return given;
  }
  struct place_machine *machine = nearest(sm ? sm : NEWEST, &from);
  size_t at = file ? strlen(note) : 0;
  const char *separator = file ? "; instead: " : "";
  if (!machine) {
    snprintf(note + at, size - at, "%sno machine model can be read", separator);
    return NULL;
  }
  unsigned arch = machine->arch.state == MSL_GIVEN ? (unsigned)machine->arch.value : 0;
  if (sm && arch != sm)
    snprintf(note + at, size - at, "%smsl/machines/%s, the nearest model for sm_%u", separator, from->name, sm);
  else
    snprintf(note + at, size - at, "%smsl/machines/%s", separator, from->name);
  return machine;
}
