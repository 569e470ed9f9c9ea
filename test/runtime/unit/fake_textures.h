/* A driver that makes textures, and notes what it is asked for. */
#ifndef PLACE_TEST_FAKE_TEXTURES_H
#define PLACE_TEST_FAKE_TEXTURES_H

#include "fake.h"

enum { ALIGNMENT = 512, MOST_TEXELS = 1 << 10, FIRST_HANDLE = 101, ROW_ALIGNMENT = 32, ROW_TEXELS = 256, ROW_BYTES = 2048, ROWS = 100 };

static struct {
  struct rt_texture_limits limits;
  int fail_limits, fail_make; /* calls to fail */
  unsigned asked, made, destroyed;
  uintptr_t begin;
  uint64_t bytes, row_bytes;
  unsigned texel_bytes;
  uint64_t last_destroyed;
} driver;
static char context;

static inline void reset_driver(void) {
  memset(&driver, 0, sizeof driver);
  driver.limits = (struct rt_texture_limits){ALIGNMENT, MOST_TEXELS, ROW_ALIGNMENT, ROW_TEXELS, ROW_BYTES, ROWS};
}

static int driver_limits(uintptr_t device_ptr, struct rt_texture_limits *limits) {
  assert_true(device_ptr != 0);
  driver.asked++;
  if (driver.fail_limits) return driver.fail_limits--, -1;
  *limits = driver.limits;
  return 0;
}

static int driver_make(uintptr_t device_ptr, const struct rt_texture_shape *shape, struct rt_texture *texture) {
  if (driver.fail_make) return driver.fail_make--, -1;
  driver.begin = device_ptr, driver.bytes = shape->bytes, driver.texel_bytes = shape->texel_bytes, driver.row_bytes = shape->row_bytes;
  *texture = (struct rt_texture){FIRST_HANDLE + driver.made++, &context};
  return 0;
}

static void driver_destroy(const struct rt_texture *texture) {
  assert_ptr_equal(texture->context, &context);
  driver.last_destroyed = texture->handle;
  driver.destroyed++;
}

static const struct rt_textures driver_textures = {driver_limits, driver_make, driver_destroy};

#endif
