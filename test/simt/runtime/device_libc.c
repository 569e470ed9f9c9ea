// The device's C library and the special registers that are functions of time.
#define _GNU_SOURCE
#include "extents.h"
#include "finding.h"
#include "launch.h"
#include "registry.h"
#include "team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

enum { SPINS_BEFORE_YIELD = 64 };

static void yield(void) {
  if (simt_team)
    simt_team_wait(SIMT_SPINNING, NULL);
}

void simt_spin(void) {
  if (!simt_team)
    return;
  struct simt_thread *self = simt_thread_self();
  if (++self->spins >= SPINS_BEFORE_YIELD) {
    self->spins = 0;
    yield();
  }
}

// Loops that wait for the clock wait for another thread: let it run. The clock counts the host's cycles.
uint64_t simt_clock(void) {
  simt_spin();
  return __rdtsc();
}

uint64_t simt_globaltimer(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void simt_nanosleep(uint32_t nanoseconds) {
  (void)nanoseconds;
  yield();
}

uint32_t simt_is_space(uint32_t space, const void *pointer) {
  const struct simt_team *team = simt_team;
  const char *address = pointer;
  bool shared = team && address >= team->shared && address < team->shared + team->shared_bytes;
  bool local = team && simt_stacks_hold(&team->stacks, address);
  const struct simt_global_variable *variable = simt_registry_global_at(pointer);
  bool constant = variable && variable->space == SIMT_CONSTANT;
  switch (space) {
  case SIMT_SHARED:
    return shared;
  case SIMT_LOCAL:
    return local;
  case SIMT_CONSTANT:
    return constant;
  default:
    return !shared && !local && !constant;
  }
}

_Noreturn void simt_trap(const struct simt_site *site) {
  simt_finding("trap", site, "device code ended the program");
  simt_fatal("trap in %s", simt_team ? simt_team->launch->kernel->name : "device code");
}

_Noreturn void simt_assertfail(const char *message, const char *file, uint32_t line, const char *function,
                               uint64_t char_bytes) {
  (void)char_bytes;
  simt_fatal("%s:%u: %s: assertion failed: %s", file, line, function, message);
}

// malloc and free are slow on a GPU, and OpenMP's device runtime (its dispatcher of dynamic schedules) relies on it: the
// other threads of the team have read a variable before the one that allocates writes it. They get their turn here.
void *simt_malloc(uint64_t bytes) {
  yield();
  void *memory = malloc(bytes ? bytes : 1);
  simt_extents_note_allocated(memory, bytes);
  return memory;
}

void simt_free(void *pointer) {
  yield();
  simt_extents_note_freed(pointer);
  free(pointer);
}

// Arguments lie in `packed` as a C structure of promoted types: 4-byte integers, 8-byte integers, doubles, pointers.
static const char *take(const char **packed, size_t bytes) {
  uintptr_t at = ((uintptr_t)*packed + bytes - 1) & ~(uintptr_t)(bytes - 1);
  *packed = (const char *)(at + bytes);
  return (const char *)at;
}

// Prints one conversion (spec, nul-terminated, from % to the conversion letter); returns the characters printed.
static int print_conversion(const char *spec, const char **packed) {
  size_t length = strlen(spec);
  char letter = spec[length - 1];
  if (letter == '%')
    return printf("%%");
  if (letter == 's')
    return printf(spec, *(const char *const *)take(packed, 8));
  if (letter == 'p')
    return printf(spec, *(void *const *)take(packed, 8));
  if (strchr("aAeEfFgG", letter))
    return printf(spec, *(const double *)take(packed, 8));
  if (strpbrk(spec, "ljzt"))
    return printf(spec, *(const long *)take(packed, 8));
  return printf(spec, *(const int *)take(packed, 4));
}

int simt_vprintf(const char *format, const void *packed) {
  const char *arguments = packed;
  int printed = 0;
  flockfile(stdout);
  while (*format) {
    if (*format != '%') {
      putchar(*format++);
      printed++;
      continue;
    }
    size_t length = 1 + strcspn(format + 1, "%aAcdeEfFgGionpsuxX") + 1;
    char spec[64];
    if (length >= sizeof spec || !format[length - 1])
      break;
    memcpy(spec, format, length);
    spec[length] = '\0';
    printed += print_conversion(spec, &arguments);
    format += length;
  }
  funlockfile(stdout);
  return printed;
}
