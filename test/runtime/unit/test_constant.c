/* Slots of the constant bank. */
#include "fake.h"

#include "constant.h"
#include "place/abi.h"

static unsigned char device_bank[PLACE_CONST_BYTES], host[PLACE_CONST_BYTES * 2], device_copy[PLACE_CONST_BYTES * 2];
static struct const_bank bank;

static int set_up(void **state) {
  (void)state;
  memset(&fake, 0, sizeof fake);
  for (size_t i = 0; i < sizeof host; i++) host[i] = device_copy[i] = (unsigned char)(i * 7);
  const_init(&bank, 0, &fake_ops, (uintptr_t)device_bank, sizeof device_bank);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  const_free(&bank);
  return 0;
}

static struct const_slot *from_device(size_t at, uint32_t bytes, uint64_t version) {
  const char *why = NULL;
  struct const_source s = {(uintptr_t)host + at, bytes, (uint32_t)at & 15, (uintptr_t)device_copy + at, version};
  return const_acquire(&bank, &s, &why);
}

static struct const_slot *from_host(size_t at, uint32_t bytes, const char **why) {
  struct const_source s = {(uintptr_t)host + at, bytes, (uint32_t)at & 15, 0, 0};
  return const_acquire(&bank, &s, why);
}

static void holds_the_window(void **state) {
  (void)state;
  struct const_slot *a = from_device(100, 300, 5), *b = from_device(1000, 1, 5);
  assert_memory_equal(device_bank + a->offset, host + 100, 300);
  assert_int_equal(a->begin % PLACE_CONST_ALIGN, 0);
  assert_int_equal(a->offset % 16, 100 % 16);
  assert_true(b->begin >= a->offset + a->bytes || a->begin >= b->offset + b->bytes);
}

static void copied_only_when_the_source_changed(void **state) {
  (void)state;
  struct const_slot *a = from_device(0, 256, 5);
  const_release(&bank, a);
  assert_ptr_equal(a, from_device(0, 256, 5));
  const_release(&bank, a);
  assert_int_equal(fake.uploads, 1);
  assert_int_equal(fake.downloads, 1);
  assert_ptr_equal(a, from_device(0, 256, 6)); /* may have changed, has not */
  const_release(&bank, a);
  assert_int_equal(fake.downloads, 2);
  assert_int_equal(fake.uploads, 1);
  device_copy[9]++;
  from_device(0, 256, 7);
  assert_int_equal(fake.uploads, 2);
  assert_int_equal(device_bank[a->offset + 9], device_copy[9]);
}

static void host_is_the_truth(void **state) {
  (void)state;
  const char *why = NULL;
  struct const_slot *a = from_host(0, 64, &why);
  const_release(&bank, a);
  const_release(&bank, from_host(0, 64, &why));
  assert_int_equal(fake.uploads, 1);
  host[3]++;
  const_release(&bank, from_host(0, 64, &why));
  assert_int_equal(fake.uploads, 2);
  device_copy[5] = 99; /* the same window, now of an object on the device */
  a = from_device(0, 64, 1);
  assert_int_equal(device_bank[a->offset + 5], 99);
}

static void in_use_is_not_overwritten(void **state) {
  (void)state;
  const char *why = NULL;
  struct const_slot *a = from_host(0, 64, &why);
  host[0]++;
  assert_null(from_host(0, 64, &why));
  assert_non_null(why);
  const_release(&bank, a);
  assert_non_null(from_host(0, 64, &why));
}

static void evicts_the_oldest_unused(void **state) {
  (void)state;
  const char *why = NULL;
  enum { MANY = PLACE_CONST_BYTES * 2 / 5 }; /* two fit, three do not */
  struct const_slot *a = from_device(0, MANY, 1), *b = from_device(MANY, MANY, 1);
  assert_null(from_host(2 * MANY, MANY, &why)); /* both in use */
  assert_non_null(why);
  const_release(&bank, a);
  const_release(&bank, b);
  assert_non_null(from_device(0, MANY, 1)); /* a is now the younger */
  struct const_slot *c = from_device(2 * MANY, MANY, 1);
  assert_non_null(c);
  assert_int_equal(bank.count, 2);
  assert_memory_equal(device_bank + c->offset, host + 2 * MANY, MANY);
  assert_null(from_host(0, PLACE_CONST_BYTES + 1, &why));
  assert_string_equal(why, "does not fit into constant memory");
}

static void many_small_slots(void **state) {
  (void)state;
  for (unsigned i = 0; i < 400; i++) {
    struct const_slot *s = from_device(i * 16, 16, 1);
    assert_non_null(s);
    assert_memory_equal(device_bank + s->offset, host + i * 16, 16);
    const_release(&bank, s);
  }
  for (unsigned i = 1; i < bank.count; i++)
    assert_true(bank.slot[i]->begin >= bank.slot[i - 1]->begin + PLACE_CONST_ALIGN);
}

static void failed_copies(void **state) {
  (void)state;
  const char *why = NULL;
  fake.fail = 1;
  assert_null(from_host(0, 64, &why));
  struct const_slot *a = from_host(0, 64, &why);
  assert_memory_equal(device_bank + a->offset, host, 64);
  const_release(&bank, a);
  host[1]++;
  fake.fail = 1;
  assert_null(from_host(0, 64, &why));
  assert_memory_equal(device_bank + from_host(0, 64, &why)->offset, host, 64);
  fake.fail = 1;
  assert_null(from_device(512, 64, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(holds_the_window, set_up, tear_down),
    cmocka_unit_test_setup_teardown(copied_only_when_the_source_changed, set_up, tear_down),
    cmocka_unit_test_setup_teardown(host_is_the_truth, set_up, tear_down),
    cmocka_unit_test_setup_teardown(in_use_is_not_overwritten, set_up, tear_down),
    cmocka_unit_test_setup_teardown(evicts_the_oldest_unused, set_up, tear_down),
    cmocka_unit_test_setup_teardown(many_small_slots, set_up, tear_down),
    cmocka_unit_test_setup_teardown(failed_copies, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
