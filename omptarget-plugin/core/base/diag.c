/* One message for the caller. */
#include "place/diag.h"

#include <stdarg.h>
#include <stdio.h>

int place_diag_set(struct place_diag *diag, const char *format, ...) {
  if (!diag) return -1;
  va_list list;
  va_start(list, format);
  vsnprintf(diag->text, sizeof diag->text, format, list);
  va_end(list);
  for (char *c = diag->text; *c; c++) /* one line: a name from a damaged file must not break it */
    if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
  return -1;
}
