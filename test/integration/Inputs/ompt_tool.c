/* An OMPT tool such as a profiler loads: counts parallel regions of the host. */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int regions;

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned threads, int flags, const void *code) {
  (void)task, (void)frame, (void)region, (void)threads, (void)flags, (void)code;
  atomic_fetch_add(&regions, 1);
}

static int initialise(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  return set && set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel) == ompt_set_always;
}

static void finalise(ompt_data_t *data) {
  (void)data;
  printf("tool: %d parallel regions\n", atomic_load(&regions));
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialise, finalise, {0}};
  (void)version, (void)runtime;
  return &result;
}
