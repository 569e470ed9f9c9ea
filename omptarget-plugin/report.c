#define _GNU_SOURCE
#include "report.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"

void report_say(const char *format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "place: %s\n", text);
}

void report_once(const char *text) {
  static const char *said[32];
  static unsigned count;
  for (unsigned i = 0; i < count; i++)
    if (said[i] == text) return;
  if (count == 32) return;
  said[count++] = text;
  report_say("%s", text);
}

void report_decision(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c) {
  (void)rt, (void)region, (void)c;
}
void report_write(const struct runtime *rt) { (void)rt; }
