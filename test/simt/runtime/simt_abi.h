// What lowered device code (simt-lower's output) and the runner (libsimt) know about each other.
//
// Units: sizes, offsets and alignments in bytes; thread, team, lane and warp numbers count from 0.
// Ownership: every structure here is static data of the lowered image, but for struct simt_context, which the runner
// owns and which lives as long as one thread of one team runs.
// Thread-safety: lowered code runs on one of the runner's workers and calls these functions from its own fiber only.
// A change here needs the same change in lower/abi.cpp; simt_abi_version guards against a mixture.
#ifndef SIMT_ABI_H
#define SIMT_ABI_H

#include <stdbool.h>
#include <stdint.h>

#define SIMT_ABI_VERSION 3
#define SIMT_WARP_LANES 32
#define SIMT_NO_ARGUMENT 0xffff

#define SIMT_EXPORT __attribute__((visibility("default")))

// The special registers of one device thread. Lowered code reads the fields at these offsets.
struct simt_context {
  uint32_t thread, team_threads, team, teams;
  uint32_t lane, warp;
  char *shared;         // the team's storage for static shared variables, indexed with each variable's offset
  char *dynamic_shared; // the team's dynamic shared memory
};

enum simt_access { SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC, SIMT_READONLY_LOAD, SIMT_SYNC };
enum simt_space { SIMT_GENERIC = 0, SIMT_GLOBAL = 1, SIMT_SHARED = 3, SIMT_CONSTANT = 4, SIMT_LOCAL = 5 };

// One instruction of the program that can fail a check or move memory.
struct simt_site {
  const char *function; // that holds it after inlining; the kernel's entry name if it is the kernel itself
  const char *file;     // "" without -g
  uint32_t line;        // 0 without -g
  uint32_t number;      // counts the sites of a translation unit
  uint8_t access;       // enum simt_access
  uint8_t space;        // enum simt_space, of the pointer's type
  uint16_t argument;    // of the kernel, that the pointer comes from (0: launch environment), or SIMT_NO_ARGUMENT
  uint32_t bytes;       // that one thread moves; 0 if that varies
  uint32_t multiple;    // what a GPU needs the address to be a multiple of, a power of two; 0 if that varies
  const char *variable; // the global or shared variable it goes through, or ""
  uint64_t *state;      // two words of the runner's, zero at start
};

// One kernel: entry is called once for each device thread with the argument words of the launch.
struct simt_kernel {
  const char *name;
  void (*entry)(const uint64_t *arguments);
  const void *environment; // <name>_kernel_environment, or null
  uint32_t argument_count;
  uint32_t max_threads; // of nvvm.annotations, 0 if unset
};

// A shared-memory variable; the runner writes the offset before the first launch.
struct simt_shared_variable {
  const char *name;
  uint64_t *offset;
  uint64_t bytes, alignment;
};

// A variable of global or constant memory.
struct simt_global_variable {
  const char *name;
  void *address;
  uint64_t bytes;
  uint32_t space; // SIMT_GLOBAL or SIMT_CONSTANT
  uint32_t flags; // SIMT_VARIABLE_*
};
#define SIMT_VARIABLE_READONLY 1u      // constant in the program
#define SIMT_VARIABLE_UNINITIALISED 2u // constant memory that the host has to fill before device code reads it

struct simt_module {
  uint32_t version; // SIMT_ABI_VERSION
  uint32_t shared_count, global_count, instrumentation;
  const struct simt_shared_variable *shared;
  const struct simt_global_variable *globals;
  const char *source;
};
#define SIMT_INSTRUMENT_CHECK 1u
#define SIMT_INSTRUMENT_COUNT 2u

enum simt_shuffle { SIMT_SHUFFLE_IDX, SIMT_SHUFFLE_UP, SIMT_SHUFFLE_DOWN, SIMT_SHUFFLE_BFLY };
enum simt_vote { SIMT_VOTE_ALL, SIMT_VOTE_ANY, SIMT_VOTE_UNI, SIMT_VOTE_BALLOT };
enum simt_match { SIMT_MATCH_ANY, SIMT_MATCH_ALL };
enum simt_redux {
  SIMT_REDUX_ADD, SIMT_REDUX_MIN, SIMT_REDUX_MAX, SIMT_REDUX_UMIN, SIMT_REDUX_UMAX,
  SIMT_REDUX_AND, SIMT_REDUX_OR, SIMT_REDUX_XOR
};
enum simt_barrier_reduction { SIMT_BARRIER_PLAIN, SIMT_BARRIER_POPC, SIMT_BARRIER_AND, SIMT_BARRIER_OR };

extern SIMT_EXPORT __thread struct simt_context *simt_self;

SIMT_EXPORT void simt_register_module(const struct simt_module *module);
SIMT_EXPORT void simt_launch(const struct simt_kernel *kernel, const uint64_t *arguments);

// Barriers of the team. threads 0 means all; aligned: every thread must come to the same site.
SIMT_EXPORT void simt_barrier(uint32_t id, uint32_t threads, uint32_t aligned, const struct simt_site *site);
SIMT_EXPORT uint32_t simt_barrier_reduce(uint32_t reduction, uint32_t predicate, const struct simt_site *site);

// Asynchronous copies of the running thread: a store (site->bytes of low and high) happens when the thread waits for its
// group, or for all.
SIMT_EXPORT void simt_async_store(void *pointer, uint64_t low, uint64_t high, const struct simt_site *site);
SIMT_EXPORT void simt_async_commit(void);
SIMT_EXPORT void simt_async_wait(uint32_t groups); // for all but the latest `groups` groups
SIMT_EXPORT void simt_async_wait_all(void);

// Where the first `words` 32-bit words of a texel lie, of the texture that the handle stands for.
SIMT_EXPORT const void *simt_texture_texel(uint64_t handle, int32_t index, uint32_t words, const struct simt_site *site);
SIMT_EXPORT const void *simt_texture_texel_2d(uint64_t handle, int32_t column, int32_t row, uint32_t words, const struct simt_site *site);

// Operations of the warp's lanes in mask. Results with a predicate carry it in bit 32.
SIMT_EXPORT void simt_warp_sync(uint32_t mask, const struct simt_site *site);
SIMT_EXPORT uint64_t simt_shuffle(uint32_t mode, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp,
                                  const struct simt_site *site);
SIMT_EXPORT uint32_t simt_vote(uint32_t mode, uint32_t mask, uint32_t predicate, const struct simt_site *site);
SIMT_EXPORT uint64_t simt_match(uint32_t mode, uint32_t mask, uint64_t value, const struct simt_site *site);
SIMT_EXPORT uint32_t simt_redux(uint32_t mode, uint32_t mask, uint32_t value, const struct simt_site *site);
SIMT_EXPORT uint32_t simt_activemask(const struct simt_site *site);

SIMT_EXPORT uint64_t simt_clock(void);
SIMT_EXPORT uint64_t simt_globaltimer(void);
SIMT_EXPORT void simt_nanosleep(uint32_t nanoseconds);
SIMT_EXPORT void simt_spin(void); // before each atomic operation: lets the others run if a thread spins
SIMT_EXPORT uint32_t simt_is_space(uint32_t space, const void *pointer);
_Noreturn SIMT_EXPORT void simt_trap(const struct simt_site *site);
_Noreturn SIMT_EXPORT void simt_exit(void);

// Checks and counts (instrumented code only). The pointer returned is the one to access: the given one, or scratch
// memory in place of an address that must not be touched.
SIMT_EXPORT void *simt_check(void *pointer, const struct simt_site *site);
SIMT_EXPORT void *simt_check_range(void *pointer, uint64_t bytes, const struct simt_site *site);
SIMT_EXPORT void simt_count(const void *pointer, uint64_t iteration, const struct simt_site *site);

// The device's C library.
SIMT_EXPORT int simt_vprintf(const char *format, const void *packed);
SIMT_EXPORT void *simt_malloc(uint64_t bytes);
SIMT_EXPORT void simt_free(void *pointer);
_Noreturn SIMT_EXPORT void simt_assertfail(const char *message, const char *file, uint32_t line, const char *function,
                                           uint64_t char_bytes);

#endif
