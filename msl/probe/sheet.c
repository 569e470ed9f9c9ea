/* Text and comments of a machine file. */
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

enum { COLUMNS = 128, MOST = 1000000000 }; /* of a field's range in MSL */

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

void probe_sheet_note(struct probe_sheet *sheet, const char *before, const char *format, ...) {
  va_list arguments, again;
  if (sheet->note_count == PROBE_MOST_NOTES) {
    sheet->failed = true;
    return;
  }
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  struct probe_note *note = &sheet->notes[sheet->note_count];
  note->text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (note->text) {
    vsnprintf(note->text, (size_t)length + 1, format, again);
    snprintf(note->before, sizeof note->before, "%s", before);
    sheet->note_count++;
  } else {
    sheet->failed = true;
  }
  va_end(again);
}

static double rounded(double value) {
  if (!(value > 0))
    return 0;
  double digits = 2 - floor(log10(value)), scale = pow(10, fabs(digits)); /* exact up to 1e22, unlike its inverse */
  return digits >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
}

static void add_real(struct probe_sheet *sheet, double value) {
  msl_text_real(&sheet->msl, rounded(value));
}

void probe_sheet_value(struct probe_sheet *sheet, struct probe_value value, const char *unit) {
  if (!value.known || !(value.value < MOST)) { /* NaN, too */
    msl_text_add(&sheet->msl, "?");
    return;
  }
  msl_text_add(&sheet->msl, value.unsure ? "~" : "");
  add_real(sheet, value.value);
  msl_text_add(&sheet->msl, unit);
}

void probe_sheet_bytes(struct probe_sheet *sheet, struct probe_value value) {
  if (!value.known)
    msl_text_add(&sheet->msl, "?");
  else
    msl_text_format(&sheet->msl, "%s%.0fB", value.unsure ? "~" : "", value.value);
}

void probe_sheet_curve(struct probe_sheet *sheet, const char *key, const struct probe_series *series, double ns, bool sizes,
                       double tolerance) {
  unsigned chosen[PROBE_MOST_POINTS], count = probe_simplify(series, 0.03, chosen);
  if (!count)
    return;
  msl_text_format(&sheet->msl, "\n %s = <", key);
  for (unsigned i = 0; i < count; i++) {
    double x = series->points[chosen[i]].x;
    msl_text_format(&sheet->msl, sizes ? "%s<%.0fB " : "%s<%.4g ", i ? " " : "", x);
    msl_text_add(&sheet->msl, series->points[chosen[i]].spread > tolerance ? "~" : "");
    add_real(sheet, fmin(series->points[chosen[i]].value * ns, MOST));
    msl_text_add(&sheet->msl, "ns>");
  }
  msl_text_add(&sheet->msl, ">");
}

/* ---- putting together -------------------------------------------------------------------------------------------- */

/* As comment lines of at most COLUMNS characters. */
static void add_comment(struct msl_text *out, const char *indent, const char *text) {
  while (*text) {
    size_t room = COLUMNS - 3 - strlen(indent), length = strcspn(text, "\n");
    if (length > room) {
      length = room;
      while (length && text[length] != ' ')
        length--;
      length = length ? length : room;
    }
    msl_text_format(out, "%s// ", indent);
    msl_text_bytes(out, text, length);
    msl_text_add(out, "\n");
    text += length;
    text += *text == ' ' || *text == '\n';
  }
}

static void add_notes(const struct probe_sheet *sheet, struct msl_text *out, const char *line) {
  for (unsigned i = 0; i < sheet->note_count; i++) {
    const char *before = sheet->notes[i].before;
    bool top = !*before && !line, here = *before && line && !strncmp(line, before, strlen(before));
    if (top || here)
      add_comment(out, "", sheet->notes[i].text);
  }
}

static char *weave(const struct probe_sheet *sheet, const char *printed) {
  struct msl_text out = {0};
  add_notes(sheet, &out, NULL);
  while (*printed) {
    size_t length = strcspn(printed, "\n");
    add_notes(sheet, &out, printed);
    msl_text_bytes(&out, printed, length + (printed[length] == '\n'));
    printed += length + (printed[length] == '\n');
  }
  return msl_text_take(&out);
}

static char *canonical(const char *text, char error[PROBE_ERROR_BYTES]) {
  struct msl_diagnostics *diagnostics = calloc(1, sizeof *diagnostics);
  struct place_machine *machine = diagnostics ? msl_read(text, strlen(text), "probe", diagnostics) : NULL;
  char *printed = machine ? msl_print(machine) : NULL;
  if (!machine && diagnostics)
    snprintf(error, PROBE_ERROR_BYTES, "the measurements make no machine: line %u, %.100s", diagnostics->items[0].line,
             diagnostics->items[0].message);
  msl_free(machine);
  free(diagnostics);
  return printed;
}

char *probe_sheet_finish(struct probe_sheet *sheet, char error[PROBE_ERROR_BYTES]) {
  bool failed = sheet->failed;
  char *text = msl_text_take(&sheet->msl), *woven = NULL;
  snprintf(error, PROBE_ERROR_BYTES, "out of memory");
  char *printed = text && !failed ? canonical(text, error) : NULL;
  if (printed)
    woven = weave(sheet, printed);
  for (unsigned i = 0; i < sheet->note_count; i++)
    free(sheet->notes[i].text);
  free(printed);
  free(text);
  return woven;
}
