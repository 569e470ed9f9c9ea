/* What is mapped, and when its content may have changed. */
#include "fake.h"

#include "extents.h"

static struct extents ext;
static char host[4096], memory[8192];

static int set_up(void **state) {
  (void)state;
  memset(&fake, 0, sizeof fake);
  ext_init(&ext, 0, &fake_ops);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ext_free(&ext);
  return 0;
}

/* One entry, passed through begin, end or update as the interposed functions do. */
struct one {
  void *base, *ptr;
  int64_t size, type;
  void *mapper;
  struct rt_maps maps;
};

static struct rt_maps *one(struct one *o, void *base, void *ptr, int64_t size, int64_t type) {
  *o = (struct one){.base = base, .ptr = ptr, .size = size, .type = type};
  o->maps = (struct rt_maps){1, &o->base, &o->ptr, &o->size, &o->type, NULL};
  return &o->maps;
}

static void begin(void *ptr, int64_t size, int64_t type) {
  struct one o;
  struct rt_maps *maps = one(&o, ptr, ptr, size, type);
  uint64_t *present = ext_present(&ext, maps);
  if (size > 0 && !fake_mapped(ptr, 0)) fake_map(ptr, memory + ((char *)ptr - host), (size_t)size);
  ext_begin(&ext, maps, present, false);
  free(present);
}

static void end(void *ptr, int64_t size, bool gone) {
  struct one o;
  if (gone) fake_unmap(ptr);
  ext_end(&ext, one(&o, ptr, ptr, size, 0), false);
}

static void update(void *ptr, int64_t size, int64_t type) {
  struct one o;
  ext_update(&ext, one(&o, ptr, ptr, size, type), false);
}

static void mapped_and_released(void **state) {
  (void)state;
  uint64_t epoch = ext.epoch;
  assert_null(ext_find(&ext, (uintptr_t)host));
  begin(host, 100, MAP_TO);
  struct ext_object *o = ext_find(&ext, (uintptr_t)host + 99);
  assert_non_null(o);
  assert_int_equal(o->bytes, 100);
  assert_ptr_equal(o->device, memory);
  assert_null(ext_find(&ext, (uintptr_t)host + 100));
  assert_true(ext_confirm(&ext, o));
  assert_int_not_equal(epoch, ext.epoch);
  epoch = ext.epoch;
  end(host, 100, false); /* one reference less, still there */
  assert_int_equal(epoch, ext.epoch);
  assert_non_null(ext_find(&ext, (uintptr_t)host));
  end(host, 100, true);
  assert_null(ext_find(&ext, (uintptr_t)host));
  assert_int_not_equal(epoch, ext.epoch);
}

/* Environments of what another one holds cost no question; whatever may release more than was seen to be taken does. */
static void held(void **state) {
  (void)state;
  begin(host, 100, MAP_TO);
  struct ext_object *o = ext_find(&ext, (uintptr_t)host);
  assert_int_equal(o->holds, 1);
  struct one part;
  struct rt_maps *maps = one(&part, host + 8, host + 8, 16, MAP_PRESENT);
  for (int i = 0; i < 3; i++) {
    unsigned asked = fake.asked;
    uint64_t *present = ext_present(&ext, maps);
    assert_int_equal(present[0], 1);
    ext_begin(&ext, maps, present, false);
    free(present);
    assert_int_equal(o->holds, 2);
    ext_end(&ext, maps, false);
    assert_int_equal(o->holds, 1);
    assert_int_equal(fake.asked, asked);
  }
  static const int64_t uncounted[] = {INT64_C(1) << 48, MAP_PTR_AND_OBJ};
  for (size_t i = 0; i < sizeof uncounted / sizeof *uncounted; i++) {
    begin(host, 100, uncounted[i]);
    assert_int_equal(o->holds, 1);
  }
  begin(host, 0, 0);
  assert_int_equal(o->holds, 1);
  uint64_t *present = ext_present(&ext, maps);
  ext_begin(&ext, maps, present, true); /* counted some time later */
  free(present);
  assert_int_equal(o->holds, 1);
  begin(host, 100, 0);
  part.type = MAP_DELETE; /* whatever was taken is gone */
  fake_unmap(host);
  ext_end(&ext, maps, false);
  assert_null(ext_find(&ext, (uintptr_t)host));
  begin(host, 100, MAP_TO);
  end(host, 100, false); /* taken by an environment that was not seen */
  assert_int_equal(ext_find(&ext, (uintptr_t)host)->holds, 0);
  end(host, 100, false);
  end(host, 100, true);
  assert_null(ext_find(&ext, (uintptr_t)host));
}

static void zero_sizes_and_literals_are_no_objects(void **state) {
  (void)state;
  begin(host, 0, MAP_TO);
  begin(host, 8, MAP_LITERAL);
  begin(host, 8, MAP_PRIVATE | MAP_TO);
  assert_int_equal(ext.count, 0);
}

static void content_changes(void **state) {
  (void)state;
  begin(host, 100, MAP_TO);
  begin(host + 200, 100, MAP_TO);
  struct ext_object *a = ext_find(&ext, (uintptr_t)host), *b = ext_find(&ext, (uintptr_t)host + 200);
  uint64_t va = ext_version(&ext, a), vb = ext_version(&ext, b);
  begin(host, 100, MAP_TO); /* present: nothing is transferred */
  update(host, 100, MAP_FROM);
  assert_int_equal(va, ext_version(&ext, a));
  begin(host, 100, MAP_TO | MAP_ALWAYS);
  assert_true(ext_version(&ext, a) > va);
  va = ext_version(&ext, a);
  update(host + 50, 4, MAP_TO);
  assert_true(ext_version(&ext, a) > va);
  va = ext_version(&ext, a);
  assert_int_equal(vb, ext_version(&ext, b));
  ext_device_written(&ext, (uintptr_t)memory + 210, 4, false);
  assert_int_equal(va, ext_version(&ext, a));
  assert_true(ext_version(&ext, b) > vb);
  vb = ext_version(&ext, b);
  ext_device_written(&ext, (uintptr_t)memory + 5000, 4, false); /* whose memory? */
  assert_true(ext_version(&ext, a) > va && ext_version(&ext, b) > vb);
}

static void pointer_in_structure(void **state) {
  (void)state;
  begin(host, 64, MAP_TO);
  struct ext_object *o = ext_find(&ext, (uintptr_t)host);
  uint64_t version = ext_version(&ext, o);
  struct one one_entry;
  struct rt_maps *maps = one(&one_entry, host + 8, host + 512, 32, MAP_TO | MAP_PTR_AND_OBJ);
  fake_map(host + 512, memory + 512, 32);
  ext_begin(&ext, maps, NULL, false);
  assert_true(ext_version(&ext, o) > version);
  assert_non_null(ext_find(&ext, (uintptr_t)host + 512));
}

static void custom_mapper(void **state) {
  (void)state;
  begin(host, 64, MAP_TO);
  begin(host + 100, 64, MAP_TO);
  uint64_t version = ext_version(&ext, ext_find(&ext, (uintptr_t)host)), epoch = ext.epoch;
  struct one o;
  struct rt_maps *maps = one(&o, host, host, 64, MAP_TO);
  o.mapper = host;
  maps->mapper = &o.mapper;
  fake_unmap(host + 100); /* the mapper released it */
  ext_end(&ext, maps, false);
  assert_null(ext_find(&ext, (uintptr_t)host + 100));
  assert_true(ext_version(&ext, ext_find(&ext, (uintptr_t)host)) > version);
  assert_int_not_equal(epoch, ext.epoch);
}

static void never_stable_again(void **state) {
  (void)state;
  begin(host, 64, MAP_TO);
  begin(host, 0, MAP_RETURN_PARAM); /* use_device_ptr */
  assert_non_null(ext_unstable(&ext, ext_find(&ext, (uintptr_t)host)));
  begin(host + 100, 64, MAP_TO);
  struct ext_object *o = ext_find(&ext, (uintptr_t)host + 100);
  assert_null(ext_unstable(&ext, o));
  ext_escaped(&ext, (uintptr_t)host + 101, "given out");
  assert_string_equal(ext_unstable(&ext, o), "given out");
  ext_allocated(&ext, (uintptr_t)memory + 1000, 100);
  assert_non_null(ext_unstable(&ext, ext_find_device(&ext, (uintptr_t)memory + 1099)));
  ext_associated(&ext, (uintptr_t)host + 300, (uintptr_t)memory + 1010, 10);
  assert_int_equal(ext_find_device(&ext, (uintptr_t)memory + 1015)->bytes, 10);
  assert_non_null(ext_unstable(&ext, ext_find(&ext, (uintptr_t)host + 300)));
  ext_disassociated(&ext, (uintptr_t)host + 300);
  ext_freed(&ext, (uintptr_t)memory + 1000);
  assert_null(ext_find_device(&ext, (uintptr_t)memory + 1015));
}

static void writers_in_flight(void **state) {
  (void)state;
  begin(host, 64, MAP_TO);
  struct ext_object *o = ext_find(&ext, (uintptr_t)host);
  uint64_t version = ext_version(&ext, o);
  ext_use(o, true);
  assert_non_null(ext_unstable(&ext, o));
  end(host, 64, true); /* while the launch runs */
  assert_true(o->dead);
  ext_release(&ext, o, true); /* frees it: the sanitizers watch */
  begin(host, 64, MAP_TO);
  o = ext_find(&ext, (uintptr_t)host);
  assert_true(ext_version(&ext, o) > version);
  ext.writers = 1;
  assert_non_null(ext_unstable(&ext, o));
}

static void stale_object_is_replaced(void **state) {
  (void)state;
  begin(host, 64, MAP_TO);
  fake_unmap(host); /* unseen */
  assert_false(ext_confirm(&ext, ext_find(&ext, (uintptr_t)host)));
  fake_map(host - 0, memory + 2048, 128);
  struct one o;
  struct rt_maps *maps = one(&o, host, host, 128, MAP_TO);
  ext_begin(&ext, maps, NULL, false);
  assert_int_equal(ext.count, 1);
  assert_int_equal(ext_find(&ext, (uintptr_t)host + 100)->bytes, 128);
  assert_true(ext_confirm(&ext, ext_find(&ext, (uintptr_t)host)));
}

static void many_objects(void **state) {
  (void)state;
  for (int i = 0; i < 60; i++) begin(host + 32 * ((i * 37) % 60), 16 + i % 2 * 8, MAP_TO);
  assert_int_equal(ext.count, 60);
  for (int i = 0; i < 60; i++) assert_ptr_equal(ext_find(&ext, (uintptr_t)host + 32 * i + 15)->host, host + 32 * i);
  for (int i = 0; i < 60; i++) assert_null(ext_find(&ext, (uintptr_t)host + 32 * i + 31));
  ext_forget(&ext);
  assert_int_equal(ext.count, 0);
}

static void bytes_taken(void **state) {
  (void)state;
  assert_int_equal(ext_bytes(&ext), 0);
  begin(host, 100, MAP_TO);
  ext_allocated(&ext, (uintptr_t)memory + 4096, 256);
  assert_int_equal(ext_bytes(&ext), 356);
  ext_associated(&ext, (uintptr_t)host + 2048, (uintptr_t)memory + 4096 + 64, 64);
  assert_int_equal(ext_bytes(&ext), 356);
  ext_disassociated(&ext, (uintptr_t)host + 2048);
  ext_freed(&ext, (uintptr_t)memory + 4096);
  assert_int_equal(ext_bytes(&ext), 100);
  end(host, 100, true);
  assert_int_equal(ext_bytes(&ext), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(mapped_and_released, set_up, tear_down),
    cmocka_unit_test_setup_teardown(held, set_up, tear_down),
    cmocka_unit_test_setup_teardown(zero_sizes_and_literals_are_no_objects, set_up, tear_down),
    cmocka_unit_test_setup_teardown(content_changes, set_up, tear_down),
    cmocka_unit_test_setup_teardown(pointer_in_structure, set_up, tear_down),
    cmocka_unit_test_setup_teardown(custom_mapper, set_up, tear_down),
    cmocka_unit_test_setup_teardown(never_stable_again, set_up, tear_down),
    cmocka_unit_test_setup_teardown(writers_in_flight, set_up, tear_down),
    cmocka_unit_test_setup_teardown(stale_object_is_replaced, set_up, tear_down),
    cmocka_unit_test_setup_teardown(many_objects, set_up, tear_down),
    cmocka_unit_test_setup_teardown(bytes_taken, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
