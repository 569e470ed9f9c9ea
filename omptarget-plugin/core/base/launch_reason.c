/* The list of the runtime's reasons, for people. */
#include "place/launch_reason.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const struct place_launch_reason place_launch_reasons[PLACE_LAUNCH_REASON_COUNT] = {
#define PLACE_LAUNCH_REASON(identifier, of, text, remedy) {#identifier, of, text, remedy},
#include "place/launch_reason.def"
#undef PLACE_LAUNCH_REASON
};

/* A format as a reader sees it: values are dots, and "%%" is a sign. Two values next to each other are one. */
static void print_text(const char *format, char *out, size_t size) {
  size_t at = 0;
  out[0] = 0;
  while (*format) {
    size_t plain = strcspn(format, "%");
    at += (size_t)snprintf(at < size ? out + at : NULL, at < size ? size - at : 0, "%.*s", (int)plain, format);
    format += plain;
    if (!*format) return;
    size_t directive = 1 + strspn(format + 1, "0123456789.l") + 1;
    bool sign = format[1] == '%', again = !plain && at;
    at += (size_t)snprintf(at < size ? out + at : NULL, at < size ? size - at : 0, "%s", sign ? "%" : again ? "" : "…");
    format += directive;
  }
}

size_t place_launch_reason_document(char *out, size_t size) {
  size_t at = (size_t)snprintf(out, size, "| of | in reports | what helps |\n|---|---|---|\n");
  for (int r = 0; r < PLACE_LAUNCH_REASON_COUNT; r++) {
    const struct place_launch_reason *reason = &place_launch_reasons[r];
    char text[256];
    print_text(reason->text, text, sizeof text);
    at += (size_t)snprintf(at < size ? out + at : NULL, at < size ? size - at : 0, "| %s | %s | %s |\n", reason->of, text, reason->remedy);
  }
  return at;
}
