/* Bandwidths of the whole die: 16 bytes a thread and load, all SMs full, several loads in flight. */
#include <math.h>
#include <omp.h>

#include "measure.h"

struct stream {
  void (*kernel)(struct probe_run *run, const struct stream *stream, uint32_t teams);
  bool team_a_tile; /* as many teams as tiles, not as many as run at a time */
  uint64_t from, to, bytes, passes;
  double moved; /* bytes for each byte of `bytes`: a copy moves two */
};

enum { TEAM = 256, TEAMS_AN_SM = 8, AT_ONCE = 4 };

/* Each team takes tiles of AT_ONCE * TEAM * 16 bytes, in turns. */
#define STREAM(name, BODY)                                                                                             \
  static void name(struct probe_run *run, const struct stream *stream, uint32_t teams) {                               \
    struct probe_record *records = run->on_device;                                                                     \
    struct stream s = *stream;                                                                                         \
    PROBE_KERNEL(teams, TEAM, is_device_ptr(records) firstprivate(s)) {                                                \
      struct probe_record record;                                                                                      \
      uint32_t seen = 0;                                                                                               \
      uint64_t tile = (uint64_t)AT_ONCE * probe_threads() * 16, row = (uint64_t)probe_threads() * 16;                  \
      probe_start(&record);                                                                                            \
      for (uint64_t pass = 0; pass < s.passes; pass++)                                                                 \
        for (uint64_t at = probe_team() * tile; at + tile <= s.bytes; at += probe_teams() * tile) {                    \
          uint64_t from = s.from + at + probe_thread() * 16, to = s.to + at + probe_thread() * 16;                     \
          uint32_t x[AT_ONCE], y[AT_ONCE], z[AT_ONCE], w[AT_ONCE];                                                     \
          BODY                                                                                                         \
          (void)from, (void)to, (void)x, (void)y, (void)z, (void)w, (void)row;                                         \
        }                                                                                                              \
      probe_finish(records, &record, seen);                                                                            \
    }                                                                                                                  \
  }

#define READ(n) PROBE_LD16("global.cg", "l", x[n], y[n], z[n], w[n], from + n * row, 0);
#define WRITE(n) PROBE_ST16("global", "l", to + n * row, 0, seen, seen, seen, seen);
#define SEEN(n) seen ^= x[n] ^ y[n]; seen ^= z[n] ^ w[n];
STREAM(stream_read, READ(0) READ(1) READ(2) READ(3) SEEN(0) SEEN(1) SEEN(2) SEEN(3))
STREAM(stream_write, WRITE(0) WRITE(1) WRITE(2) WRITE(3))
#define COPIED(n) PROBE_ST16("global", "l", to + n * row, 0, x[n], y[n], z[n], w[n]);
STREAM(stream_copy, READ(0) READ(1) READ(2) READ(3) COPIED(0) COPIED(1) COPIED(2) COPIED(3))

/* The same copy past the caches' usual order: what is read is not wanted again, and what is written neither. */
#define READ_ONCE(n) PROBE_LD16("global.cs", "l", x[n], y[n], z[n], w[n], from + n * row, 0);
#define WRITE_ONCE(n) PROBE_ST16("global.cs", "l", to + n * row, 0, x[n], y[n], z[n], w[n]);
STREAM(stream_copy_once, READ_ONCE(0) READ_ONCE(1) READ_ONCE(2) READ_ONCE(3)
       WRITE_ONCE(0) WRITE_ONCE(1) WRITE_ONCE(2) WRITE_ONCE(3))
/* 1e9 bytes a second */
static double gbps(struct probe_run *run, const void *what) {
  const struct stream *stream = what;
  uint64_t tile = (uint64_t)AT_ONCE * TEAM * 16;
  uint32_t teams = stream->team_a_tile ? (uint32_t)(stream->bytes / tile) : run->sms * TEAMS_AN_SM;
  stream->kernel(run, stream, teams);
  if (!probe_fetch_records(run, teams))
    return NAN;
  return stream->moved * (double)(stream->bytes / tile * tile) * (double)stream->passes / probe_elapsed_ns(run, teams);
}

/* The driver's own copy within the device, wall clock. */
static double driver_gbps(struct probe_run *run, const void *what) {
  enum { COPIES = 4 };
  const struct stream *s = what;
  double started = probe_seconds();
  for (int i = 0; i < COPIES; i++)
    if (omp_target_memcpy((void *)s->to, (void *)s->from, s->bytes, 0, 0, run->device, run->device))
      return NAN;
  return COPIES * s->moved * (double)s->bytes / (1e9 * (probe_seconds() - started));
}

static bool l2(struct probe_run *run, uint64_t memory) {
  static const unsigned mib[] = {8, 16, 24, 32, 40, 48, 56, 64, 96, 128};
  bool good = true;
  for (unsigned i = 0; good && i < (run->quick ? 1 : sizeof mib / sizeof *mib); i++) {
    uint64_t bytes = (uint64_t)mib[i] << 20;
    struct stream read = {.kernel = stream_read, .from = memory, .bytes = bytes, .passes = 1, .moved = 1};
    read.passes = run->quick ? 1 : 2048 / mib[i];
    good = probe_sample(run, "bandwidth.read", (double)bytes, gbps, &read);
  }
  struct stream write = {.kernel = stream_write, .to = memory, .bytes = 16 << 20, .passes = run->quick ? 1 : 64, .moved = 1};
  return good && probe_sample(run, "bandwidth.write", (double)write.bytes, gbps, &write);
}

static bool driver(struct probe_run *run) {
  uint64_t bytes = run->quick ? 1 << 20 : (uint64_t)8 << 30; /* so many that the call itself does not count */
  char *memory = probe_allocate(run, bytes);
  if (!memory) { /* a smaller device goes without */
    *run->error = 0;
    return true;
  }
  struct stream copy = {.from = (uint64_t)memory, .to = (uint64_t)memory + bytes / 2, .bytes = bytes / 2, .moved = 2};
  bool good = probe_sample(run, "bandwidth.copy.driver", (double)bytes, driver_gbps, &copy);
  probe_release(run, memory);
  return good;
}

bool probe_bandwidth(struct probe_run *run) {
  probe_say(run, "bandwidths of the die");
  uint64_t bytes = run->quick ? 16 << 20 : (uint64_t)2 << 30, half = bytes / 2;
  char *memory = probe_allocate(run, bytes);
  uint64_t at = (uint64_t)memory;
  struct stream write = {.kernel = stream_write, .to = at, .bytes = bytes, .passes = 1, .moved = 1};
  struct stream read = {.kernel = stream_read, .from = at, .bytes = bytes, .passes = 1, .moved = 1};
  struct stream copy = {.kernel = stream_copy, .from = at, .to = at + half, .bytes = half, .passes = 1, .moved = 2};
  struct stream once = copy, many = copy;
  once.kernel = stream_copy_once;
  many.team_a_tile = true;
  bool good = memory && probe_sample(run, "bandwidth.write", (double)bytes, gbps, &write) &&
              probe_sample(run, "bandwidth.read", (double)bytes, gbps, &read) &&
              probe_sample(run, "bandwidth.copy", (double)bytes, gbps, &copy) &&
              probe_sample(run, "bandwidth.copy.once", (double)bytes, gbps, &once) &&
              probe_sample(run, "bandwidth.copy.teams", (double)bytes, gbps, &many) &&
              l2(run, at) && driver(run);
  if (memory)
    probe_release(run, memory);
  return good;
}
