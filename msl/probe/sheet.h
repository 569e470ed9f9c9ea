/* A machine file in the making: MSL text piece by piece, and comments by where they go. The text goes through the reader and
 * the printer, so that what comes out is canonical; the comments are put in afterwards, before the lines that they explain. */
#ifndef MSL_PROBE_SHEET_H
#define MSL_PROBE_SHEET_H

#include "../internal.h"
#include "series.h"

enum { PROBE_MOST_NOTES = 64 };

struct probe_note {
  char before[48]; /* a printed line that begins so; "" : the top of the file */
  char *text;
};

struct probe_sheet {
  struct msl_text msl;
  struct probe_note notes[PROBE_MOST_NOTES];
  unsigned note_count;
  bool failed; /* out of memory, or too many notes */
};

void probe_sheet_note(struct probe_sheet *sheet, const char *before, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "~12.3clk", "?": a value with its unit, three significant digits. */
void probe_sheet_value(struct probe_sheet *sheet, struct probe_value value, const char *unit);
/* "~48K", in whole bytes. */
void probe_sheet_bytes(struct probe_sheet *sheet, struct probe_value value);

/* " KEY = <<x y> ...>", each cost times `ns`; nothing for an empty series. Sizes: x are bytes. */
void probe_sheet_curve(struct probe_sheet *sheet, const char *key, const struct probe_series *series, double ns, bool sizes,
                       double tolerance);

/* The file, for free(); NULL, and why in `error`. Releases what the sheet holds. */
char *probe_sheet_finish(struct probe_sheet *sheet, char error[PROBE_ERROR_BYTES]);

#endif
