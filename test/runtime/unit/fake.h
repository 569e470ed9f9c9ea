/* A device that is plain memory: a table of mapped ranges, counted copies, a clock that tests turn. */
#ifndef PLACE_TEST_FAKE_H
#define PLACE_TEST_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above */
#include <cmocka.h>

#include "device.h"

enum { FAKE_MAX = 64 };

static struct {
  struct {
    uintptr_t host, device;
    size_t bytes;
  } map[FAKE_MAX];
  unsigned count;
  unsigned uploads, downloads;
  unsigned asked; /* how often what is mapped was looked up */
  int fail; /* copies to fail */
  uint64_t copy_ns; /* of the clock, that each copy takes */
  uint64_t clock_ns;
  uint64_t preempted_ns; /* part of the clock: other threads had the processor */
  uint64_t delayed_ns;   /* part of the clock: the thread was ready and had no processor */
  uint64_t preempt_ns;   /* for so long each time that the thread asks for its own time */
} fake;

static inline void fake_map(const void *host, void *device, size_t bytes) {
  assert_true(fake.count < FAKE_MAX);
  fake.map[fake.count].host = (uintptr_t)host;
  fake.map[fake.count].device = (uintptr_t)device;
  fake.map[fake.count++].bytes = bytes;
}

static inline void fake_unmap(const void *host) {
  for (unsigned i = 0; i < fake.count; i++)
    if (fake.map[i].host == (uintptr_t)host) fake.map[i] = fake.map[--fake.count];
}

static void *fake_mapped(const void *host, int device) {
  (void)device;
  fake.asked++;
  for (unsigned i = 0; i < fake.count; i++)
    if ((uintptr_t)host - fake.map[i].host < fake.map[i].bytes)
      return (void *)(fake.map[i].device + ((uintptr_t)host - fake.map[i].host));
  return NULL;
}

static int fake_to(void *to, const void *from, size_t bytes, int device) {
  (void)device;
  if (fake.fail) return fake.fail--, -1;
  fake.uploads++;
  fake.clock_ns += fake.copy_ns;
  memcpy(to, from, bytes);
  return 0;
}

static int fake_from(void *to, const void *from, size_t bytes, int device) {
  (void)device;
  if (fake.fail) return fake.fail--, -1;
  fake.downloads++;
  fake.clock_ns += fake.copy_ns;
  memcpy(to, from, bytes);
  return 0;
}

static uint64_t fake_now(void) { return __atomic_add_fetch(&fake.clock_ns, 10, __ATOMIC_RELAXED); }

/* The thread has the processor all the time but for what a test takes away. */
static uint64_t fake_worked(void) {
  fake.clock_ns += fake.preempt_ns, fake.preempted_ns += fake.preempt_ns;
  return fake_now() - fake.preempted_ns;
}

static uint64_t fake_delayed(void) { return fake.delayed_ns; }

static const struct rt_ops fake_ops = {fake_mapped, fake_to, fake_from, fake_now, fake_worked, fake_delayed, NULL};

#endif
