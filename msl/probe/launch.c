/* What stands around a kernel: the region itself, filling constant memory, a team's copy to shared memory. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "measure.h"

enum { REGIONS = 50, FILLS = 5, STAGED_AT_ONCE = 4 };

/* ---- regions ----------------------------------------------------------------------------------------------------- */

static double region_us(struct probe_run *run, const void *what) {
  int device = run->device;
  (void)what;
  double started = probe_seconds();
  for (int i = 0; i < REGIONS; i++) {
#pragma omp target teams distribute parallel for device(device)
    for (int k = 0; k < 128; k++)
      ;
  }
  return 1e6 * (probe_seconds() - started) / REGIONS;
}

static double bare_us(struct probe_run *run, const void *what) {
  uint32_t teams = *(const uint32_t *)what;
  (void)run;
  double started = probe_seconds();
  for (int i = 0; i < REGIONS; i++) {
    PROBE_KERNEL(teams, 128, ) {}
  }
  return 1e6 * (probe_seconds() - started) / REGIONS;
}

/* From the first thread's first instruction to the last one's: how long it takes to start that many teams. */
static double start_ns(struct probe_run *run, const void *what) {
  struct probe_record *to = run->on_device;
  uint32_t teams = *(const uint32_t *)what;
  PROBE_KERNEL(teams, 128, is_device_ptr(to)) {
    struct probe_record record;
    probe_start(&record);
    probe_finish(to, &record, 0);
  }
  if (!probe_fetch_records(run, teams))
    return NAN;
  double ns = probe_elapsed_ns(run, teams);
  return ns > 0 ? ns : 0; /* the device's clock may not have ticked */
}

/* ---- filling constant memory ------------------------------------------------------------------------------------- */

struct fill {
  void *to, *from;
  size_t bytes;
  bool from_host;
};

static double fill_us(struct probe_run *run, const void *what) {
  const struct fill *fill = what;
  double started = probe_seconds();
  for (int i = 0; i < FILLS; i++)
    if (omp_target_memcpy(fill->to, fill->from, fill->bytes, 0, 0, run->device, fill->from_host ? run->host : run->device))
      return NAN;
  return 1e6 * (probe_seconds() - started) / FILLS;
}

static bool fills(struct probe_run *run) {
  void *host = calloc(1, PROBE_CONSTANT_BYTES), *device = probe_allocate(run, PROBE_CONSTANT_BYTES);
  void *to = probe_constant_pointer(run);
  bool good = host && device && to;
  for (size_t bytes = 256; good && bytes <= 48 << 10; bytes *= bytes < 16384 ? 8 : 3) {
    struct fill up = {.to = to, .from = host, .bytes = bytes, .from_host = true};
    struct fill within = {.to = to, .from = device, .bytes = bytes};
    good = probe_sample(run, "fill.host", (double)bytes, fill_us, &up) &&
           probe_sample(run, "fill.device", (double)bytes, fill_us, &within);
  }
  if (device)
    probe_release(run, device);
  free(host);
  return good;
}

/* ---- staging ----------------------------------------------------------------------------------------------------- */

struct stage {
  uint64_t from;
  uint32_t bytes;
};

/* One team of 128 threads an SM copies from the L2 cache, four times 4 bytes a thread and turn, and waits for all of it. */
static double stage_clk(struct probe_run *run, const void *what) {
  const struct stage *stage = what;
  struct probe_record *to = run->on_device;
  uint64_t from = stage->from;
  uint32_t bytes = stage->bytes, teams = run->sms;
  PROBE_KERNEL(teams, 128, is_device_ptr(to)) {
    struct probe_record record;
    uint32_t value, base = probe_shared_base() + probe_thread() * 4;
    probe_start(&record);
    for (uint32_t at = 0; at < bytes; at += probe_threads() * 4 * STAGED_AT_ONCE) {
      uint32_t x[STAGED_AT_ONCE], row = probe_threads() * 4;
      for (unsigned i = 0; i < STAGED_AT_ONCE; i++)
        PROBE_LD4("global.cg", "l", x[i], from + probe_thread() * 4 + at + i * row, 0);
      for (unsigned i = 0; i < STAGED_AT_ONCE; i++)
        PROBE_ST4("shared", "r", base + at + i * row, 0, x[i]);
    }
    probe_barrier();
    PROBE_LD4("shared", "r", value, base, 0);
    probe_finish(to, &record, value);
  }
  return probe_fetch_records(run, teams) ? probe_clk_per_team(run, teams) : NAN;
}

static bool stages(struct probe_run *run) {
  char *memory = probe_allocate(run, 1 << 20);
  bool good = memory != NULL;
  for (uint32_t bytes = 2048; good && bytes <= 48 << 10; bytes *= bytes == 16384 ? 3 : 2) {
    struct stage stage = {.from = (uint64_t)memory, .bytes = bytes};
    good = probe_sample(run, "stage", bytes, stage_clk, &stage);
  }
  if (memory)
    probe_release(run, memory);
  return good;
}

bool probe_launch(struct probe_run *run) {
  uint32_t one = 1, many = run->quick ? 8 : 3200;
  probe_say(run, "regions, filling, staging");
  return probe_sample(run, "region", 0, region_us, NULL) && probe_sample(run, "region.bare", one, bare_us, &one) &&
         probe_sample(run, "region.bare", many, bare_us, &many) && probe_sample(run, "start", many, start_ns, &many) &&
         fills(run) && stages(run);
}
