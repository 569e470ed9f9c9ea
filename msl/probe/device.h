/* What kernels of the probe are made of: special registers, single load instructions, and the form of a kernel.
 *
 * A kernel is PROBE_KERNEL(teams, threads) { body }: a bare target region, that is, exactly these teams of exactly these
 * threads run the body and nothing of the device runtime. For GPUs every load is an inline PTX instruction, so that
 * no compiler widens, hoists or drops it; each is volatile and its result is used. On an offload device that is a CPU the
 * same bodies run with plain loads and one thread a team: for trying the program out, the numbers mean nothing. */
#ifndef MSL_PROBE_DEVICE_H
#define MSL_PROBE_DEVICE_H

#include <stdint.h>

enum { PROBE_CONSTANT_BYTES = 60 << 10, PROBE_SHARED_BYTES = 48 << 10 };

struct probe_record { /* what each team leaves behind */
  uint64_t clk_start, clk_end; /* the SM's cycle counter */
  uint64_t ns_start, ns_end;   /* the device's clock */
  uint32_t sm, value;
};

#define PROBE_STRING_(x) #x
#define PROBE_PRAGMA(x) _Pragma(PROBE_STRING_(x))
#define PROBE_KERNEL(how_many, of_threads, ...)                                                                        \
  PROBE_PRAGMA(omp target teams ompx_bare num_teams(how_many) thread_limit(of_threads) __VA_ARGS__)

#define PROBE_INLINE static inline __attribute__((always_inline))

/* The constant and the shared memory that kernels use, defined in memories.c. PROBE_CPU: the offload device is a CPU. */
#if defined __NVPTX__
#pragma omp begin declare target device_type(nohost)
extern uint32_t probe_constant[PROBE_CONSTANT_BYTES / 4] __attribute__((address_space(4), aligned(256)));
static uint32_t probe_shared[PROBE_SHARED_BYTES / 4] __attribute__((address_space(3), loader_uninitialized, aligned(256)));
#pragma omp end declare target
#elif defined PROBE_CPU
#pragma omp begin declare target
extern uint32_t probe_constant[PROBE_CONSTANT_BYTES / 4], probe_shared[PROBE_SHARED_BYTES / 4];
#pragma omp end declare target
#endif

#pragma omp begin declare target
#if defined __NVPTX__

#define PROBE_REGISTER(name, type, constraint, text)                                                                   \
  PROBE_INLINE type name(void) {                                                                                       \
    type value;                                                                                                        \
    __asm__ volatile(text : constraint(value)::"memory");                                                              \
    return value;                                                                                                      \
  }
PROBE_REGISTER(probe_clk, uint64_t, "=l", "mov.u64 %0, %%clock64;")
PROBE_REGISTER(probe_ns, uint64_t, "=l", "mov.u64 %0, %%globaltimer;")
PROBE_REGISTER(probe_sm, uint32_t, "=r", "mov.u32 %0, %%smid;")
PROBE_REGISTER(probe_sm_count, uint32_t, "=r", "mov.u32 %0, %%nsmid;")
PROBE_REGISTER(probe_thread, uint32_t, "=r", "mov.u32 %0, %%tid.x;")
PROBE_REGISTER(probe_threads, uint32_t, "=r", "mov.u32 %0, %%ntid.x;")
PROBE_REGISTER(probe_team, uint32_t, "=r", "mov.u32 %0, %%ctaid.x;")
PROBE_REGISTER(probe_teams, uint32_t, "=r", "mov.u32 %0, %%nctaid.x;")
PROBE_REGISTER(probe_warp_size, uint32_t, "=r", "mov.u32 %0, WARP_SZ;")

PROBE_INLINE void probe_barrier(void) { __asm__ volatile("bar.sync 0;" ::: "memory"); }
PROBE_INLINE uint32_t probe_add(uint32_t *at, uint32_t value) { /* what was there before */
  uint32_t before;
  __asm__ volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(at), "r"(value) : "memory");
  return before;
}
PROBE_INLINE uint32_t probe_constant_base(void) { return (uint32_t)(uintptr_t)probe_constant; }
PROBE_INLINE uint32_t probe_shared_base(void) { return (uint32_t)(uintptr_t)probe_shared; }

/* One load; `out` is the value, `a` the address: 64 bits for global memory, 32 for the other spaces. */
#define PROBE_LD4(ptx, area, out, a, at) __asm__ volatile("ld." ptx ".u32 %0, [%1+" #at "];" : "=r"(out) : area(a))
#define PROBE_LD8(ptx, area, lo, hi, a, at)                                                                            \
  __asm__ volatile("ld." ptx ".v2.u32 {%0, %1}, [%2+" #at "];" : "=r"(lo), "=r"(hi) : area(a))
#define PROBE_LD64(ptx, area, value, a, at) /* as one number: of constant memory, ptxas splits the vector form */          \
  __asm__ volatile("ld." ptx ".u64 %0, [%1+" #at "];" : "=l"(value) : area(a))
#define PROBE_LD16(ptx, area, x, y, z, w, a, at)                                                                       \
  __asm__ volatile("ld." ptx ".v4.u32 {%0, %1, %2, %3}, [%4+" #at "];"                                                 \
                   : "=r"(x), "=r"(y), "=r"(z), "=r"(w)                                                                \
                   : area(a))
#define PROBE_ST4(ptx, area, a, at, value)                                                                             \
  __asm__ volatile("st." ptx ".u32 [%0+" #at "], %1;" ::area(a), "r"(value) : "memory")
#define PROBE_ST16(ptx, area, a, at, x, y, z, w)                                                                       \
  __asm__ volatile("st." ptx ".v4.u32 [%0+" #at "], {%1, %2, %3, %4};" ::area(a), "r"(x), "r"(y), "r"(z), "r"(w) : "memory")
#define PROBE_NEXT8(ptx, a) __asm__ volatile("ld." ptx ".u64 %0, [%0];" : "+l"(a)) /* a = *a */
#define PROBE_NEXT4(ptx, a) __asm__ volatile("ld." ptx ".u32 %0, [%0];" : "+r"(a))

#else /* a CPU as offload device; and what the host's own compile of a kernel sees, which never runs */

#include <omp.h>
#include <time.h>

PROBE_INLINE uint64_t probe_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
PROBE_INLINE uint64_t probe_clk(void) { return probe_ns(); }
PROBE_INLINE uint32_t probe_sm(void) { return 0; }
PROBE_INLINE uint32_t probe_sm_count(void) { return 1; }
PROBE_INLINE uint32_t probe_thread(void) { return 0; }
PROBE_INLINE uint32_t probe_threads(void) { return 1; }
PROBE_INLINE uint32_t probe_team(void) { return (uint32_t)omp_get_team_num(); }
PROBE_INLINE uint32_t probe_teams(void) { return (uint32_t)omp_get_num_teams(); }
PROBE_INLINE uint32_t probe_warp_size(void) { return 1; }
PROBE_INLINE void probe_barrier(void) {}
PROBE_INLINE uint32_t probe_add(uint32_t *at, uint32_t value) { return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
/* addresses of these two spaces are 32 bits wide: offsets, here */
PROBE_INLINE uint32_t probe_constant_base(void) { return 0; }
PROBE_INLINE uint32_t probe_shared_base(void) { return 1u << 30; }
PROBE_INLINE const volatile uint32_t *probe_at(uint64_t a) {
#if defined PROBE_CPU
  if (a < PROBE_CONSTANT_BYTES)
    return (const volatile uint32_t *)((const char *)probe_constant + a);
  if (a >= 1u << 30 && a < (1u << 30) + PROBE_SHARED_BYTES)
    return (const volatile uint32_t *)((const char *)probe_shared + (a - (1u << 30)));
#endif
  return (const volatile uint32_t *)a;
}
#define PROBE_LD4(ptx, area, out, a, at) (out = *probe_at((a) + at))
#define PROBE_LD8(ptx, area, lo, hi, a, at) (lo = *probe_at((a) + at), hi = *probe_at((a) + at + 4))
#define PROBE_LD64(ptx, area, value, a, at) (value = *(const volatile uint64_t *)probe_at((a) + at))
#define PROBE_LD16(ptx, area, x, y, z, w, a, at)                                                                       \
  (x = *probe_at((a) + at), y = *probe_at((a) + at + 4), z = *probe_at((a) + at + 8), w = *probe_at((a) + at + 12))
#define PROBE_ST4(ptx, area, a, at, value) (*(volatile uint32_t *)probe_at((a) + at) = (value))
#define PROBE_ST16(ptx, area, a, at, x, y, z, w)                                                                       \
  do {                                                                                                                 \
    PROBE_ST4(ptx, area, a, at, x);                                                                                    \
    PROBE_ST4(ptx, area, a, at + 4, y);                                                                                \
    PROBE_ST4(ptx, area, a, at + 8, z);                                                                                \
    PROBE_ST4(ptx, area, a, at + 12, w);                                                                               \
  } while (0)
#define PROBE_NEXT8(ptx, a) (a = *(const volatile uint64_t *)probe_at(a))
#define PROBE_NEXT4(ptx, a) (a = *probe_at(a))

#endif

/* Holds all teams of a launch, which fit the device together, until each has arrived: work before it does not count into
 * what is measured after it. `arrived` is 0 before the launch. Should a team be missing, it gives up after a while. */
PROBE_INLINE void probe_gate(uint32_t *arrived) {
#if defined __NVPTX__
  const uint64_t patience_ns = 20000000;
  probe_barrier();
  if (probe_thread() == 0) {
    uint64_t since = probe_ns();
    probe_add(arrived, 1);
    while (probe_add(arrived, 0) < probe_teams() && probe_ns() - since < patience_ns)
      continue;
  }
  probe_barrier();
#else
  (void)arrived;
#endif
}

PROBE_INLINE void probe_start(struct probe_record *record) {
  record->sm = probe_sm();
  record->ns_start = probe_ns();
  record->clk_start = probe_clk();
}

/* `value` keeps alive what was computed. All threads of the team have arrived. */
PROBE_INLINE void probe_finish(struct probe_record *to, struct probe_record *record, uint32_t value) {
  probe_barrier();
  record->clk_end = probe_clk();
  record->ns_end = probe_ns();
  record->value = value;
  if (probe_thread() == 0)
    to[probe_team()] = *record;
  else if (value == 0x9E3779B9u) /* as good as never; but the compiler has to compute it in every thread */
    to[probe_team()].value = value;
}
#pragma omp end declare target

#endif
