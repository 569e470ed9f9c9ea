/* What the runtime tells the user: the report at the end, and single lines on the way.
 *
 * Thread-safety: report_say any thread; report_write when no launch is in flight. */
#ifndef PLACE_RT_REPORT_H
#define PLACE_RT_REPORT_H

#include <stdio.h>

#include "state.h"

/* One line on stderr, beginning with "place: ". */
void report_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A region as messages name it: "filter (conv.c:14)". */
void report_name(const struct place_region *region, char *out, size_t size);

/* With PLACE_VERBOSE: what was decided for a size class. */
void report_decision(const struct runtime *rt, const struct rt_region *region, const struct rt_class *c);

/* The report that PLACE_REPORT asks for. */
void report_write(const struct runtime *rt);

/* Its two forms. */
void report_text(const struct runtime *rt, FILE *out);
void report_json(const struct runtime *rt, FILE *out);

struct row;  /* gain.h */
struct json; /* json.h */

enum { REPORT_WIDTH = 120 }; /* of its lines, where they can be broken */

/* ---- pieces that both use ---- */

/* Calls `visit` for each region of each module and each device that launched it; once with a null state for a region that
 * none did. */
void report_regions(const struct runtime *rt,
                    void (*visit)(const struct runtime *, const struct rt_region *, int device,
                                  const struct rt_device_region *, void *),
                    void *context);

/* Why the class (NULL: the region) runs its original kernel, or NULL if it does not. */
const char *report_left_alone(const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *state,
                              const struct rt_class *c);

/* Whether it was launched in another form before anything was measured, and nothing was settled on after that (presume.h). c: may be NULL. */
bool report_is_presumed(const struct rt_device_region *state, const struct rt_class *c);

/* The plan that the class's launches run with, or NULL for the original. */
const struct place_plan *report_plan(const struct rt_device_region *state, const struct rt_class *c);

/* Median kernel times in ns, 0 where not measured: with everything in global memory, and as chosen or forced. */
double report_base_ns(const struct rt_class *c);
double report_kernel_ns(const struct rt_class *c);

/* Least median of what was measured with an array, by placeable index, in a space; 0: nothing was. */
double report_measured_ns(const struct rt_class *c, int placeable, enum place_space space);

/* What the model says of what runs; 0: nothing. */
double report_predicted_ns(const struct rt_device_region *state, const struct rt_class *c);

/* Of what was measured beside the chosen plan, the one that cannot be told from it, or -1. apart: how much longer it takes, as a
 * fraction. */
int report_tie(const struct rt_class *c, double *apart);

/* Why an array is not in a space, or NULL if it could be. */
const char *report_excluded(const struct rt_region *region, const struct rt_class *c, size_t array, enum place_space space);

/* One size of a region, and one region on one device, as the reports have them; device -1 and a null state: not launched. */
void report_text_row(const struct runtime *rt, const struct row *row, FILE *out);
void report_json_class(struct json *json, const struct runtime *rt, const struct rt_region *region,
                       const struct rt_device_region *state, const struct rt_class *c);
void report_json_region(const struct runtime *rt, const struct rt_region *region, int device,
                        const struct rt_device_region *state, FILE *out);

#endif
