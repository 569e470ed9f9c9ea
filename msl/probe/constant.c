/* Filling the constant memory that kernels load from. It is a global of the device image alone; an offload entry made here
 * gives libomptarget its name, so that it can be written like any mapped array. */
#include <omp.h>
#include <stddef.h>

#include "measure.h"

#if defined PROBE_CPU
static uint32_t *const image = probe_constant;
#elif !defined __NVPTX__
static uint32_t probe_constant_image[PROBE_CONSTANT_BYTES / 4];
static uint32_t *const image = probe_constant_image;

struct offload_entry { /* __tgt_offload_entry of libomptarget 19 */
  void *address;
  const char *name;
  size_t bytes;
  int32_t flags, reserved;
};
static char entry_name[] = "probe_constant";
__attribute__((section("omp_offloading_entries"), used)) static struct offload_entry constant_entry = {
    probe_constant_image, entry_name, sizeof probe_constant_image, 0, 0};
#endif

#if defined PROBE_CPU || !defined __NVPTX__
void *probe_constant_pointer(struct probe_run *run) {
  void *found = omp_get_mapped_ptr(image, run->device);
  if (!found)
    probe_fail(run, "libomptarget does not know the probe's constant memory");
  return found;
}

bool probe_constant_fill(struct probe_run *run, const uint32_t *words, size_t bytes) {
  void *to = probe_constant_pointer(run);
  return to && bytes <= PROBE_CONSTANT_BYTES && probe_upload(run, to, words, bytes);
}
#endif

bool probe_constant_address(struct probe_run *run, uint32_t *address) {
  uint32_t base = 0;
  PROBE_KERNEL(1, 32, map(from : base)) {
    if (probe_thread() == 0)
      base = probe_constant_base();
  }
  *address = base;
  return !*run->error;
}
