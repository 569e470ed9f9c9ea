/* The machine file: every value, and beside it the quantity of the log that it comes from. */
#include "write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "known.h"
#include "stats.h"
#include "writer.h"

struct probe_value writer_exactly(uint64_t value) {
  return (struct probe_value){value > 0, false, (double)value};
}

void writer_add(struct writer *w, const char *text) {
  msl_text_add(&w->sheet.msl, text);
}

void writer_value(struct writer *w, struct probe_value v, const char *unit) {
  probe_sheet_value(&w->sheet, v, unit);
}

void writer_count(struct writer *w, struct probe_value v) {
  if (v.known)
    msl_text_format(&w->sheet.msl, "%s%.0f", v.unsure ? "~" : "", v.value);
  else
    writer_add(w, "?");
}

void writer_field(struct writer *w, const char *key, struct probe_value v, const char *unit) {
  msl_text_format(&w->sheet.msl, "\n %s = ", key);
  writer_value(w, v, unit);
}

void writer_bytes_field(struct writer *w, const char *key, struct probe_value v) {
  msl_text_format(&w->sheet.msl, "\n %s = ", key);
  probe_sheet_bytes(&w->sheet, v);
}

void writer_curve(struct writer *w, const char *key, const char *quantity, double factor, bool sizes) {
  struct probe_series series;
  probe_series_of(w->log, quantity, &series);
  probe_sheet_curve(&w->sheet, key, &series, factor, sizes, PROBE_THROUGHPUT_TOLERANCE);
}

/* ---- the processor ----------------------------------------------------------------------------------------------- */

static void item(struct writer *w, const char *key, struct probe_value v, const char *what) {
  msl_text_format(&w->sheet.msl, "%s = ", key);
  writer_count(w, v);
  msl_text_format(&w->sheet.msl, "%s%s;\n", *what ? " " : "", what);
}

static void item_bytes(struct writer *w, const char *key, struct probe_value v, const char *what) {
  msl_text_format(&w->sheet.msl, "%s = ", key);
  probe_sheet_bytes(&w->sheet, v);
  msl_text_format(&w->sheet.msl, "%s%s;\n", *what ? " " : "", what);
}

static void top(struct writer *w) {
  const char *date = probe_log_find(w->log, "date"), *driver = probe_log_find(w->log, "cuda-driver-version");
  probe_sheet_note(&w->sheet, "",
                   "Written by place-probe from %u rounds of measurements (%s; CUDA driver API %s).\n"
                   "~ marks what its rounds did not agree on within %.0f%% (throughputs) or %.0f%% (latencies), ? what was not "
                   "measured. Quantities in [brackets] are those of the log; docs/probe.md says how each is measured.\n"
                   "[device] is what the driver says; [guide] the CUDA C programming guide's table of compute capabilities.",
                   w->log->rounds, date ? date : "no date", driver ? driver : "?", 100 * PROBE_THROUGHPUT_TOLERANCE,
                   100 * PROBE_LATENCY_TOLERANCE);
  msl_text_format(&w->sheet.msl, "Mem spec of %s:\n\n", *w->f.name ? w->f.name : "a GPU");
}

static void chip(struct writer *w) {
  const struct probe_known *k = w->known;
  uint64_t per_tpc = k && w->f.sms % k->sms_per_tpc == 0 ? k->sms_per_tpc : 1;
  item(w, "die", writer_exactly(w->f.sms / per_tpc), "tpc");
  item(w, "tpc", writer_exactly(per_tpc), "sm");
  item(w, "sm", writer_exactly(k ? k->cores_per_sm : 0), "core");
  if (w->f.arch)
    msl_text_format(&w->sheet.msl, "arch = sm_%u;\n", w->f.arch);
  writer_add(w, "clock = ");
  if (w->f.clock_mhz.known)
    msl_text_format(&w->sheet.msl, "%s%.0fMHz;\n", w->f.clock_mhz.unsure ? "~" : "", w->f.clock_mhz.value);
  else
    writer_add(w, "?;\n");
  probe_sheet_note(&w->sheet,
                   "die = ", "%llu SMs run kernels [sms]; SMs of a TPC and cores of an SM: the architecture's white paper.",
                   (unsigned long long)w->f.sms);
  probe_sheet_note(&w->sheet, "clock = ", "While all SMs were busy [clock]: cycles against the device's own clock.");
}

static void limits(struct writer *w) {
  const struct probe_findings *f = &w->f;
  const struct probe_known *k = w->known;
  item(w, "warp", f->warp, "thread");
  item(w, "block", writer_exactly(f->team_threads), "thread");
  item(w, "sm", f->threads_per_sm, "thread");
  item(w, "sm", writer_exactly(k ? k->warps_per_sm : 0), "warp");
  item(w, "sm", f->teams_per_sm, "block");
  if (k)
    writer_add(w, "sm = 65536 register;\n");
  item(w, "block", writer_exactly(f->team_registers), "register");
  if (k)
    writer_add(w, "thread = 255 register;\n");
  item_bytes(w, "sm", f->shared_per_sm_bytes, "shared");
  item_bytes(w, "block", writer_exactly(f->team_shared_bytes), "shared");
  if (k)
    msl_text_format(&w->sheet.msl, "registerUnit = 256;\nsharedUnit = %uB;\n", k->shared_unit_bytes);
  if (f->shared_reserved_bytes.known && f->shared_reserved_bytes.value > 0)
    item_bytes(w, "sharedReserved", f->shared_reserved_bytes, "");
  probe_sheet_note(&w->sheet, "warp = ",
                   "Teams and threads of an SM, its shared memory and what is reserved of it for each team: "
                   "counted [teams.threads, teams.shared]. Of a team: [device]; its shared memory is static and dynamic "
                   "together, and libomptarget "
                   "19 never asks for more, whatever the chip allows. Warps, registers, units: [guide].");
}

static void costs(struct writer *w) {
  writer_add(w, "launch = ~1.7us;\nregion = ");
  writer_value(w, w->f.region_us, "us");
  writer_add(w, ";\n");
  probe_sheet_note(&w->sheet, "launch = ",
                   "An empty kernel as a profiler reports it (ncu, on an H200): libomptarget has no way to time "
                   "one. To start 3,200 teams takes %.3g ns [start].",
                   w->f.start_ns.value);
  probe_sheet_note(&w->sheet,
                   "region = ", "Wall clock of an empty region [region]; the host's part varies from process to process.");
}

char *probe_write(const struct probe_log *log, char error[PROBE_ERROR_BYTES]) {
  struct writer *w = calloc(1, sizeof *w);
  if (!w) {
    snprintf(error, PROBE_ERROR_BYTES, "out of memory");
    return NULL;
  }
  w->log = log;
  probe_analyse(log, &w->f);
  w->known = probe_known(w->f.arch);
  w->clk_ns = w->f.clock_mhz.known && w->f.clock_mhz.value > 0 ? 1000 / w->f.clock_mhz.value : 1;
  top(w);
  chip(w);
  limits(w);
  costs(w);
  write_memories(w);
  char *text = probe_sheet_finish(&w->sheet, error);
  free(w);
  return text;
}
