/* A machine file under way: what the files write*.c share. Internal to them.
 *
 * Owner: probe_write. Thread-safety: none of its own. */
#ifndef PLACE_PROBE_WRITER_H
#define PLACE_PROBE_WRITER_H

#include "analyse.h"
#include "known.h"
#include "sheet.h"

struct writer {
  const struct probe_log *log;
  struct probe_findings f;
  const struct probe_known *known; /* NULL: not in the table */
  struct probe_sheet sheet;
  double clk_ns;
};

/* A value that is known without doubt where it is above 0. */
struct probe_value writer_exactly(uint64_t value);

/* Text as it is; a value with its unit, a count, or `?`. */
void writer_add(struct writer *w, const char *text);
void writer_value(struct writer *w, struct probe_value v, const char *unit);
void writer_count(struct writer *w, struct probe_value v);

/* Lines of their own: a value, bytes, a curve of that quantity of the log. */
void writer_field(struct writer *w, const char *key, struct probe_value v, const char *unit);
void writer_bytes_field(struct writer *w, const char *key, struct probe_value v);
void writer_curve(struct writer *w, const char *key, const char *quantity, double factor, bool sizes);

/* All memories, from the device's to the caches. */
void write_memories(struct writer *w);

#endif
