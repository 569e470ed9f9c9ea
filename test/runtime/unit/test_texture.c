/* Textures of arrays: which are made, where they begin, what the driver says, and when they go. */
#include "fake_textures.h"

#include "place/launch_reason.h"
#include "texture.h"

static struct rt_ops ops;
static struct texture_cache cache;

static int set_up(void **state) {
  (void)state;
  reset_driver();
  ops = fake_ops;
  ops.textures = &driver_textures;
  texture_init(&cache, &ops);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  texture_free(&cache);
  return 0;
}

static struct texture *acquire_rows(uintptr_t array, uint64_t bytes, unsigned texel_bytes, uint64_t row_bytes) {
  const char *why = NULL;
  struct texture *t = texture_acquire(&cache, array, &(struct rt_texture_shape){bytes, row_bytes, texel_bytes}, &why);
  assert_true(t ? !why : why != NULL);
  return t;
}

static struct texture *acquire(uintptr_t array, uint64_t bytes, unsigned texel_bytes) { return acquire_rows(array, bytes, texel_bytes, 0); }

static void refused_rows(uintptr_t array, uint64_t bytes, unsigned texel_bytes, uint64_t row_bytes, const char *expected) {
  const char *why = NULL;
  assert_null(texture_acquire(&cache, array, &(struct rt_texture_shape){bytes, row_bytes, texel_bytes}, &why));
  assert_string_equal(why, expected);
}

static void refused(uintptr_t array, uint64_t bytes, unsigned texel_bytes, const char *expected) {
  refused_rows(array, bytes, texel_bytes, 0, expected);
}

/* Where the driver is told to begin, how many bytes it is given, and which texels addresses are. */
static void begins_where_the_driver_wants(void **state) {
  (void)state;
  static const struct {
    uintptr_t array;
    uint64_t bytes;
    unsigned texel_bytes;
    uintptr_t begin;
    uint64_t bound;
    uintptr_t address;
    int64_t index;
  } all[] = {
    {0x10000, 400, 4, 0x10000, 400, 0x10000, 0},
    {0x10000, 400, 4, 0x10000, 400, 0x10010, 4},
    {0x10104, 400, 4, 0x10000, 0x104 + 400, 0x10104, 0x41},
    {0x10200, 400, 4, 0x10200, 400, 0x10200, 0},
    {0x10100, 160, 16, 0x10000, 0x100 + 160, 0x10100, 16},
    {0x10108, 24, 8, 0x10000, 0x108 + 24, 0x10110, 34},
    {0x10000, 402, 4, 0x10000, 400, 0x10004, 1},          /* a last texel that is not whole is none */
    {0x10000, 400, 4, 0x10000, 400, 0x10000 - 80, -20},   /* of a[20:100], the kernel is given &a[0] */
    {0x10200, 400, 8, 0x10200, 400, 0x10000, -64}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct texture *t = acquire(all[i].array, all[i].bytes, all[i].texel_bytes);
    assert_non_null(t);
    assert_int_equal(driver.begin, all[i].begin);
    assert_int_equal(driver.bytes, all[i].bound);
    assert_int_equal(driver.texel_bytes, all[i].texel_bytes);
    assert_int_equal(texture_index(t, all[i].address), all[i].index);
    texture_release(&cache, t);
    texture_forget(&cache, all[i].array, all[i].bytes);
    assert_int_equal(driver.destroyed, driver.made);
  }
  assert_int_equal(driver.asked, 1); /* a device's limits stay as they are */
}

static void made_once_for_an_array(void **state) {
  (void)state;
  struct texture *t = acquire(0x10000, 400, 4);
  assert_ptr_equal(t, acquire(0x10000, 400, 4));
  texture_release(&cache, t);
  texture_release(&cache, t);
  assert_ptr_equal(t, acquire(0x10000, 400, 4)); /* kept without users */
  assert_int_equal(driver.made, 1);
  const struct { uintptr_t array; uint64_t bytes; unsigned texel_bytes; } others[] = {{0x10000, 400, 8}, {0x10000, 200, 4}, {0x10200, 400, 4}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct texture *other = acquire(others[i].array, others[i].bytes, others[i].texel_bytes);
    assert_ptr_not_equal(other, t);
    assert_int_not_equal(other->bound.handle, t->bound.handle);
    assert_int_equal(driver.made, 2 + i);
  }
}

static void as_long_as_the_driver_says(void **state) {
  (void)state;
  static const struct { uintptr_t array; uint64_t bytes; unsigned texel_bytes; bool fits; } all[] = {
    {0x10000, 4 * MOST_TEXELS, 4, true},        {0x20000, 4 * MOST_TEXELS + 4, 4, false}, {0x30000, 4 * MOST_TEXELS + 3, 4, true},
    {0x40000, 16 * MOST_TEXELS, 16, true},      {0x50000, 16 * MOST_TEXELS, 8, false},
    {0x60004, 4 * MOST_TEXELS, 4, false} /* what lies before it counts */, {0x70000, UINT64_MAX / 2, 16, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].fits) assert_non_null(acquire(all[i].array, all[i].bytes, all[i].texel_bytes));
    else refused(all[i].array, all[i].bytes, all[i].texel_bytes, WHY_BEYOND_TEXTURE);
  }
  refused(0x80000, 3, 4, WHY_TEXTURE_REFUSED); /* of no texel */
}

/* A refusal holds until the array's memory goes: the driver is not asked at each launch. */
static void what_the_driver_refuses(void **state) {
  (void)state;
  driver.fail_make = 1;
  refused(0x10000, 400, 4, WHY_TEXTURE_REFUSED);
  refused(0x10000, 400, 4, WHY_TEXTURE_REFUSED);
  assert_non_null(acquire(0x20000, 400, 4));
  texture_forget(&cache, 0x10000, 400);
  assert_int_equal(driver.destroyed, 0); /* there was nothing to destroy */
  assert_non_null(acquire(0x10000, 400, 4));
}

static void without_textures(void **state) {
  (void)state;
  driver.fail_limits = 1;
  refused(0x10000, 400, 4, WHY_NO_TEXTURES);
  assert_string_equal(cache.none, WHY_NO_TEXTURES);
  refused(0x10000, 400, 4, WHY_NO_TEXTURES);
  assert_int_equal(driver.asked, 1);
  for (int i = 0; i < 2; i++) { /* limits that say nothing */
    set_up(state);
    if (i) driver.limits.texels = 0;
    else driver.limits.alignment = 0;
    refused(0x10000, 400, 4, WHY_NO_TEXTURES);
  }
  texture_init(&cache, &fake_ops); /* a library that has none */
  refused(0x10000, 400, 4, WHY_NO_TEXTURES);
}

/* Rows are whole, aligned, and no more than the driver has; the array begins where a texture may. */
static void in_rows(void **state) {
  (void)state;
  static const struct { uintptr_t array; uint64_t bytes, row_bytes; unsigned texel_bytes; const char *why; } all[] = {
    {0x10000, 640, 64, 4, NULL},         {0x20000, 640, 64, 16, NULL},        {0x30000, 32, 32, 8, NULL},
    {0x40000, 1024 * 100, 1024, 4, NULL}, {0x50000, 640, 48, 4, WHY_NO_ROWS}, /* rows that are not aligned */
    {0x60000, 650, 64, 4, WHY_NO_ROWS},  {0x70100, 640, 64, 4, WHY_NO_ROWS},
    {0x80000, 4096, 1024 + 32, 4, WHY_NO_ROWS},
    {0x90000, 1056 * 2, 1056, 4, WHY_BEYOND_TEXTURE},  /* texels of a row */
    {0xa0000, 2080 * 2, 2080, 16, WHY_BEYOND_TEXTURE}, /* bytes of a row */
    {0xb0000, 32 * 101, 32, 4, WHY_BEYOND_TEXTURE}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].why) {
      refused_rows(all[i].array, all[i].bytes, all[i].texel_bytes, all[i].row_bytes, all[i].why);
      continue;
    }
    struct texture *t = acquire_rows(all[i].array, all[i].bytes, all[i].texel_bytes, all[i].row_bytes);
    assert_non_null(t);
    assert_int_equal(driver.begin, all[i].array);
    assert_int_equal(driver.bytes, all[i].bytes);
    assert_int_equal(driver.row_bytes, all[i].row_bytes);
    assert_ptr_equal(t, acquire_rows(all[i].array, all[i].bytes, all[i].texel_bytes, all[i].row_bytes));
  }
  assert_int_equal(driver.made, 4);
  assert_ptr_not_equal(acquire_rows(0x10000, 640, 4, 64), acquire(0x10000, 640, 4)); /* the same array in both */
  tear_down(state);
  set_up(state);
  driver.limits.row_alignment = 0; /* a driver with textures of one dimension alone */
  refused_rows(0x10000, 640, 4, 64, WHY_NO_TEXTURES);
  assert_non_null(acquire(0x10000, 640, 4));
}

/* As device code divides: exact up to the last number that a texel may have. */
static void divides_exactly(void **state) {
  (void)state;
  for (uint32_t divisor = 2; divisor <= 1u << 17; divisor += divisor < 5000 ? 1 : 977) {
    const struct texture_divisor by = texture_divisor(divisor);
    const uint32_t last = INT32_MAX / divisor, quotients[] = {0, 1, 2, last / 3, last / 2, last - 1, last};
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++)
      for (int beside = -1; beside <= 1; beside++) {
        uint64_t n = (uint64_t)quotients[i] * divisor + (uint64_t)beside;
        if (n <= INT32_MAX) assert_int_equal((n * by.factor >> 32) >> by.shift, n / divisor);
      }
    assert_int_equal(((uint64_t)INT32_MAX * by.factor >> 32) >> by.shift, INT32_MAX / divisor);
  }
  static const uint32_t powers[] = {1u << 17, 1u << 20, 1u << 30, 1u << 31};
  for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
    const struct texture_divisor by = texture_divisor(powers[i]);
    for (uint64_t n = powers[i] / 2 - 1; n <= INT32_MAX; n += powers[i] / 2) assert_int_equal((n * by.factor >> 32) >> by.shift, n / powers[i]);
  }
}

static void goes_with_its_memory(void **state) {
  (void)state;
  static const struct { uintptr_t begin; uint64_t bytes; bool goes; } all[] = {
    {0x10000, 400, true}, {0xff00, 0x101, true}, {0x1018f, 1, true}, {0xff00, 0x100, false}, {0x10190, 16, false}, {0, UINT32_MAX, true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    set_up(state);
    struct texture *t = acquire(0x10000, 400, 4);
    texture_release(&cache, t);
    texture_forget(&cache, all[i].begin, all[i].bytes);
    assert_int_equal(driver.destroyed, all[i].goes);
    tear_down(state);
  }
}

/* A kernel may still fetch from it. */
static void not_while_it_is_used(void **state) {
  (void)state;
  struct texture *old = acquire(0x10000, 400, 4), *other = acquire(0x20000, 400, 4);
  uint64_t handle = old->bound.handle;
  acquire(0x10000, 400, 4);
  texture_forget(&cache, 0x10000, 400);
  struct texture *new = acquire(0x10000, 400, 4); /* other memory at the same address */
  assert_ptr_not_equal(new, old);
  texture_release(&cache, old);
  assert_int_equal(driver.destroyed, 0);
  texture_release(&cache, old);
  assert_int_equal(driver.destroyed, 1);
  assert_int_equal(driver.last_destroyed, handle);
  assert_ptr_equal(new, acquire(0x10000, 400, 4));
  assert_ptr_equal(other, acquire(0x20000, 400, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(begins_where_the_driver_wants, set_up, tear_down),
    cmocka_unit_test_setup_teardown(made_once_for_an_array, set_up, tear_down),
    cmocka_unit_test_setup_teardown(as_long_as_the_driver_says, set_up, tear_down),
    cmocka_unit_test_setup_teardown(what_the_driver_refuses, set_up, tear_down),
    cmocka_unit_test_setup_teardown(without_textures, set_up, tear_down),
    cmocka_unit_test_setup_teardown(in_rows, set_up, tear_down),
    cmocka_unit_test_setup_teardown(divides_exactly, set_up, tear_down),
    cmocka_unit_test_setup_teardown(goes_with_its_memory, set_up, tear_down),
    cmocka_unit_test_setup_teardown(not_while_it_is_used, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
