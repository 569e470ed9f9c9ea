/* What the runtime tells the user: the report at the end, and single lines on the way.
 *
 * Thread-safety: report_say any thread; report_write when no launch is in flight. */
#ifndef PLACE_RT_REPORT_H
#define PLACE_RT_REPORT_H

#include <stdio.h>

#include "state.h"

/* One line on stderr, beginning with "place: ". */
void report_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a message of static storage, the first time only. */
void report_once(const char *text);

/* With PLACE_VERBOSE: what was decided for a size class. */
void report_decision(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c);

/* The report that PLACE_REPORT asks for. */
void report_write(const struct runtime *rt);

/* Its two forms; JSON in report_json.c. */
void report_text(const struct runtime *rt, FILE *out);
void report_json(const struct runtime *rt, FILE *out);

/* Pieces that both use. */
const char *report_file_name(const struct place_region *region);
void report_bytes(uint64_t bytes, char *out, size_t size);
const char *report_left_alone(const struct rt_region *region, const struct rt_device_region *state, const struct rt_class *c);
const char *report_spaces(const struct place_region *region, const struct place_plan *plan, char *out, size_t size);

#endif
