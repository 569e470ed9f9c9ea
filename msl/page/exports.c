/* What the page calls of the library, compiled to WebAssembly: text in, JSON out. Texts that are returned are valid until the next
 * call. */
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

#define EXPORT(name) __attribute__((export_name(#name)))

static char *answer;

static const char *answered(struct msl_text *out) {
  free(answer);
  answer = msl_text_take(out);
  return answer ? answer : "";
}

/* ---- JSON ---- */

static void put_string(struct msl_text *out, const char *string) {
  msl_text_add(out, "\"");
  for (const char *c = string; *c; c++) {
    if (*c == '"' || *c == '\\')
      msl_text_format(out, "\\%c", *c);
    else if ((unsigned char)*c < ' ')
      msl_text_format(out, "\\u%04x", *c);
    else
      msl_text_bytes(out, c, 1);
  }
  msl_text_add(out, "\"");
}

static void put_key(struct msl_text *out, const char *key) {
  char last = out->len ? out->bytes[out->len - 1] : '{';
  msl_text_add(out, strchr("{[", last) ? "" : ",");
  put_string(out, key);
  msl_text_add(out, ":");
}

static void put_text(struct msl_text *out, const char *key, char *taken) {
  put_key(out, key);
  put_string(out, taken ? taken : "");
  free(taken);
}

static void put_number(struct msl_text *out, const char *key, double value) {
  put_key(out, key);
  if (value >= 0)
    msl_text_real(out, value);
  else
    msl_text_add(out, "null"); /* not known */
}

static void put_count(struct msl_text *out, const char *key, unsigned long long value) {
  put_key(out, key);
  msl_text_format(out, "%llu", value);
}

/* ---- errors and places ---- */

static void put_errors(struct msl_text *out, const struct msl_diagnostics *all) {
  unsigned kept = all->count < MSL_MAX_DIAGNOSTICS ? all->count : MSL_MAX_DIAGNOSTICS;
  put_count(out, "count", all->count);
  put_text(out, "text", msl_diagnostics_text(all));
  put_key(out, "errors");
  msl_text_add(out, "[");
  for (unsigned i = 0; i < kept; i++) {
    const struct msl_diagnostic *item = &all->items[i];
    msl_text_add(out, i ? ",{" : "{");
    put_count(out, "line", item->line);
    put_count(out, "column", item->column);
    put_count(out, "caret", item->caret);
    put_text(out, "message", strdup(item->message));
    put_text(out, "excerpt", strdup(item->excerpt));
    msl_text_add(out, "}");
  }
  msl_text_add(out, "]");
}

static unsigned index_of(const struct msl_span *span) {
  return (unsigned)(span->field - (span->memory < 0 ? msl_processor_fields : msl_memory_fields));
}

/* [memory, field, from, to]: bytes. */
static void put_spans(struct msl_text *out, const struct msl_spans *spans) {
  put_key(out, "spans");
  msl_text_add(out, "[");
  for (size_t i = 0; i < spans->count; i++) {
    const struct msl_span *span = &spans->items[i];
    msl_text_format(out, "%s[%d,%u,%zu,%zu]", i ? "," : "", span->memory, index_of(span), span->from, span->to);
  }
  msl_text_add(out, "]");
  put_key(out, "broken");
  msl_text_add(out, spans->broken ? "true" : "false");
}

/* ---- the machine ---- */

static void put_curve(struct msl_text *out, const struct msl_field *field, const struct place_memory *memory) {
  const struct msl_curve *curve = msl_at(memory, field->offset);
  put_key(out, field->key);
  msl_text_add(out, "[");
  for (unsigned i = 0; i < curve->count; i++) {
    msl_text_add(out, i ? ",[" : "[");
    msl_text_real(out, curve->points[i].x);
    msl_text_add(out, ",");
    msl_text_real(out, curve->points[i].cost_ns);
    msl_text_add(out, curve->points[i].unsure ? ",1]" : ",0]");
  }
  msl_text_add(out, "]");
}

static void put_curves(struct msl_text *out, const struct place_memory *memory) {
  put_key(out, "curves");
  msl_text_add(out, "{");
  for (unsigned i = 0; i < msl_memory_field_count; i++) {
    const struct msl_field *field = &msl_memory_fields[i];
    bool is_curve = field->kind == MSL_KIND_CURVE_BYTES || field->kind == MSL_KIND_CURVE_COUNT;
    if (is_curve && msl_field_state(field, memory) == MSL_GIVEN)
      put_curve(out, field, memory);
  }
  msl_text_add(out, "}");
}

static void put_memory(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory) {
  msl_text_add(out, "{");
  put_text(out, "name", strdup(memory->name));
  put_number(out, "read_clk", msl_read_latency_clk(machine, memory));
  put_number(out, "read_ns", msl_time_ns(machine, &memory->read_latency));
  put_number(out, "write_clk", msl_write_latency_clk(machine, memory));
  put_count(out, "capacity", msl_capacity_bytes(memory));
  put_count(out, "path", memory->path);
  put_curves(out, memory);
  msl_text_add(out, "}");
}

static void put_machine(struct msl_text *out, const struct place_machine *machine) {
  put_key(out, "machine");
  msl_text_add(out, "{");
  put_text(out, "name", strdup(machine->name));
  put_key(out, "memories");
  msl_text_add(out, "[");
  for (unsigned i = 0; i < machine->memory_count; i++) {
    msl_text_add(out, i ? "," : "");
    put_memory(out, machine, &machine->memories[i]);
  }
  msl_text_add(out, "]}");
  put_text(out, "svg", msl_draw_svg(machine));
  put_text(out, "canonical", msl_print(machine));
}

/* ---- what the page calls ---- */

EXPORT(room) void *page_room(size_t bytes) { return malloc(bytes ? bytes : 1); }
EXPORT(release) void page_release(void *room) { free(room); }

/* The text as place-msl check reads it: errors, where values stand, and the machine if it is one. */
EXPORT(read) const char *page_read(const char *text, size_t len, const char *file) {
  static struct msl_diagnostics diagnostics;
  struct msl_spans spans = {0};
  struct msl_text out = {0};
  struct place_machine *machine = msl_read_spans(text, len, file, &diagnostics, &spans);
  msl_text_add(&out, "{");
  put_errors(&out, &diagnostics);
  put_spans(&out, &spans);
  if (machine)
    put_machine(&out, machine);
  msl_text_add(&out, "}");
  free(spans.items);
  msl_free(machine);
  return answered(&out);
}

static void put_fields(struct msl_text *out, const char *key, const struct msl_field *fields, unsigned count) {
  put_key(out, key);
  msl_text_add(out, "[");
  for (unsigned i = 0; i < count; i++) {
    msl_text_add(out, i ? ",{" : "{");
    put_text(out, "key", strdup(fields[i].key));
    put_text(out, "item", strdup(fields[i].item));
    put_count(out, "kind", fields[i].kind);
    msl_text_add(out, "}");
  }
  msl_text_add(out, "]");
}

/* The table of fields. */
EXPORT(fields) const char *page_fields(void) {
  struct msl_text out = {0};
  msl_text_add(&out, "{");
  put_fields(&out, "memory", msl_memory_fields, msl_memory_field_count);
  put_fields(&out, "processor", msl_processor_fields, msl_processor_field_count);
  put_count(&out, "base", MSL_BASE_FIELDS);
  msl_text_add(&out, "}");
  return answered(&out);
}
