#include "json.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Bytes of the UTF-8 sequence that the text begins with, or 0: it begins with none. */
static size_t sequence(const unsigned char *p) {
  static const struct {
    unsigned char least, most, next_least, next_most;
    size_t bytes;
  } kinds[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
               {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  if (*p < 0x80) return 1;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (*p < kinds[k].least || *p > kinds[k].most || p[1] < kinds[k].next_least || p[1] > kinds[k].next_most) continue;
    for (size_t i = 2; i < kinds[k].bytes; i++)
      if (p[i] < 0x80 || p[i] > 0xbf) return 0;
    return kinds[k].bytes;
  }
  return 0;
}

static void put_string(struct json *j, const char *text) {
  fputc('"', j->out);
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    size_t bytes = sequence(p);
    if (!bytes) fputs("\\ufffd", j->out);
    else if (*p == '"' || *p == '\\') fprintf(j->out, "\\%c", *p);
    else if (*p < 0x20 || *p == 0x7f) fprintf(j->out, "\\u%04x", *p);
    else fwrite(p, 1, bytes, j->out);
    p += bytes ? bytes : 1;
  }
  fputc('"', j->out);
}

static void begin(struct json *j, const char *name) {
  if (!j->first) fputc(',', j->out);
  j->first = false;
  if (!name) return;
  put_string(j, name);
  fputc(':', j->out);
}

void json_open(struct json *j, const char *name, char bracket) {
  begin(j, name);
  fputc(bracket, j->out);
  j->first = true;
}

void json_close(struct json *j, char bracket) {
  fputc(bracket, j->out);
  j->first = false;
}

void json_text(struct json *j, const char *name, const char *value) {
  begin(j, name);
  if (value) put_string(j, value);
  else fputs("null", j->out);
}

void json_number(struct json *j, const char *name, double value) {
  begin(j, name);
  if (isfinite(value)) fprintf(j->out, "%.17g", value);
  else fputs("null", j->out);
}

void json_known(struct json *j, const char *name, double value) { json_number(j, name, value > 0 ? value : NAN); }

void json_count(struct json *j, const char *name, uint64_t value) {
  begin(j, name);
  fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_truth(struct json *j, const char *name, bool value) {
  begin(j, name);
  fputs(value ? "true" : "false", j->out);
}
