/* What was decided about a launch holds while other memory is mapped and released around it: after each of many random events, a view that is
 * said to hold is the one that would be built now. */
#include "launch_scene.h"

#include "view.h"

enum { BLOCK = 64, BLOCKS = 24, CALLS = 40, ENTRIES = 3, EVENTS = 4000 };

static char host[BLOCKS * BLOCK], memory[4 * BLOCKS * BLOCK];
static uint32_t seed;

static unsigned any(unsigned most) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % most;
}

/* ---- events ---- */

static struct rt_maps one_entry(void **base, void **ptr, int64_t *size, int64_t *type) { return (struct rt_maps){1, base, ptr, size, type, NULL}; }

/* Enters data of some blocks; those of which some are mapped already are mapped together, as OpenMP wants it. */
static void enter(void) {
  unsigned first = any(BLOCKS), blocks = 1 + any(3), mapped = 0;
  void *ptr = host + first * BLOCK;
  int64_t size = blocks * BLOCK, type = any(2) ? MAP_TO : MAP_FROM;
  if (first + blocks > BLOCKS) return;
  for (unsigned i = 0; i < blocks; i++) mapped += fake_mapped(host + (first + i) * BLOCK, 0) != NULL;
  const struct ext_object *o = ext_find(&device.ext, (uintptr_t)ptr);
  if (mapped && !(o && o->host + o->bytes >= (uintptr_t)ptr + (size_t)size)) return;
  struct rt_maps maps = one_entry(&ptr, &ptr, &size, &type);
  uint64_t *present = ext_present(&device.ext, &maps);
  if (!mapped) fake_map(ptr, memory + (any(2) * BLOCKS + first) * BLOCK, (size_t)size);
  ext_begin(&device.ext, &maps, present, false);
  free(present);
}

static void leave(void) {
  if (!device.ext.count) return;
  const struct ext_object *o = device.ext.object[any((unsigned)device.ext.count)];
  void *ptr = (void *)o->host;
  int64_t size = (int64_t)o->bytes, type = MAP_FROM;
  if (!ptr) {
    ext_freed(&device.ext, o->device);
    return;
  }
  if (o->holds <= 1) fake_unmap(ptr);
  struct rt_maps maps = one_entry(&ptr, &ptr, &size, &type);
  ext_end(&device.ext, &maps, false);
}

static bool is_allocated(uintptr_t begin, size_t bytes) {
  for (size_t i = 0; i < device.ext.count && !device.ext.object[i]->host; i++)
    if (device.ext.object[i]->device < begin + bytes && begin < device.ext.object[i]->device + device.ext.object[i]->bytes) return true;
  return false;
}

/* In the second half of the device's memory; data are entered to the first. */
static void allocate(void) {
  uintptr_t begin = (uintptr_t)memory + (2 * BLOCKS + any(2 * BLOCKS - 4)) * BLOCK;
  if (!is_allocated(begin, 4 * BLOCK)) ext_allocated(&device.ext, begin, 4 * BLOCK);
}

/* A block within an allocation. */
static void associate(void) {
  unsigned block = any(BLOCKS);
  uintptr_t to = (uintptr_t)memory + (2 * BLOCKS + any(2 * BLOCKS)) * BLOCK;
  if (fake_mapped(host + block * BLOCK, 0) || !is_allocated(to, BLOCK)) return;
  fake_map(host + block * BLOCK, (void *)to, BLOCK);
  ext_associated(&device.ext, (uintptr_t)host + block * BLOCK, to, BLOCK);
}

static void happen(void) {
  switch (any(8)) {
    case 0: case 1: case 2: enter(); break;
    case 3: case 4: leave(); break;
    case 5: allocate(); break;
    default: associate(); break;
  }
}

/* ---- launches ---- */

struct one_call {
  void *base[ENTRIES], *ptr[ENTRIES];
  int64_t size[ENTRIES], type[ENTRIES];
  struct rt_call call;
  struct view view;
  uint64_t generation; /* 0: no view */
};

static void *pointer[BLOCKS]; /* of structures on the host, each to its block */

static void make_call(struct one_call *c) {
  for (unsigned i = 0; i < ENTRIES; i++) {
    unsigned block = any(BLOCKS);
    c->base[i] = c->ptr[i] = host + block * BLOCK;
    c->size[i] = any(2) ? BLOCK : 0;
    c->type[i] = MAP_TARGET_PARAM;
    switch (any(6)) {
      case 0: c->base[i] = c->ptr[i] = memory + any(4 * BLOCKS) * BLOCK, c->type[i] |= MAP_LITERAL; break;
      case 1: pointer[block] = c->ptr[i], c->base[i] = &pointer[block], c->type[i] |= MAP_PTR_AND_OBJ; break;
      case 2: c->base[i] = host + any(BLOCKS) * BLOCK, *(void **)c->base[i] = c->ptr[i], c->type[i] |= MAP_PTR_AND_OBJ; break;
      case 3: c->type[i] |= MAP_TO | MAP_ALWAYS; break;
      default: break;
    }
  }
  c->call = (struct rt_call){.host_ptr = &region, .maps = {ENTRIES, c->base, c->ptr, c->size, c->type, NULL}, .trip_count = N - TAPS};
}

static void same_views(const struct view *a, const struct view *b) {
  for (size_t i = 0; i < region.region->array_count; i++) {
    assert_int_equal(a->array[i].kind, b->array[i].kind);
    assert_ptr_equal(a->array[i].object, b->array[i].object);
    assert_int_equal(a->array[i].host, b->array[i].host);
    assert_int_equal(a->array[i].device, b->array[i].device);
    assert_ptr_equal(a->array[i].why_global, b->array[i].why_global);
    assert_ptr_equal(a->array[i].why_constant, b->array[i].why_constant);
    assert_int_equal(a->extent[i].lo, b->extent[i].lo);
    assert_int_equal(a->extent[i].bytes, b->extent[i].bytes);
  }
  assert_int_equal(a->written_count, b->written_count);
  for (unsigned i = 0; i < a->written_count; i++) assert_ptr_equal(a->written[i], b->written[i]);
  assert_int_equal(a->writes_unknown, b->writes_unknown);
  assert_int_equal(a->changes_mapped, b->changes_mapped);
  assert_ptr_equal(a->refused, b->refused);
}

/* Whether the view that the call had still holds; then it is what is built now, which it has from here on. */
static bool check(struct one_call *c) {
  struct view now;
  bool holds = c->generation == device.ext.generation && view_holds(&c->view, &region, &c->call, &device.ext);
  assert_int_equal(view_build(&now, &region, &c->call, &device.ext), 0);
  if (holds) same_views(&c->view, &now);
  if (c->generation) view_free(&c->view);
  c->view = now;
  c->generation = device.ext.generation;
  return holds;
}

static void random_events(void **state) {
  static struct one_call call[CALLS];
  unsigned held = 0, changed = 0;
  (void)state;
  for (unsigned sequence = 1; sequence <= 20; sequence++) {
    seed = sequence;
    for (unsigned i = 0; i < CALLS; i++) make_call(&call[i]);
    for (unsigned e = 0; e < EVENTS; e++) {
      struct one_call *c = &call[any(CALLS)];
      bool had = c->generation != 0;
      happen();
      if (check(c)) held++;
      else changed += had;
    }
    for (unsigned i = 0; i < CALLS; i++) {
      view_free(&call[i].view);
      call[i].generation = 0;
    }
    while (device.ext.count) leave();
  }
  print_message("%u views held, %u did not\n", held, changed);
  assert_true(held > 10000 && changed > 10000);
}

/* What a program maps and releases around its exchanges leaves decisions about other arrays alone. */
static void other_memory(void **state) {
  (void)state;
  static char buffer[BLOCK];
  void *ptr = buffer;
  int64_t size = sizeof buffer, type = MAP_TO;
  struct rt_maps maps = one_entry(&ptr, &ptr, &size, &type);
  map_all();
  for (int i = 0; i < 100; i++) {
    fake_map(buffer, memory, sizeof buffer);
    ext_begin(&device.ext, &maps, NULL, false);
    launch_mapped(1);
    fake_unmap(buffer);
    ext_end(&device.ext, &maps, false);
    launch_mapped(1);
  }
  assert_int_equal(region.device[0]->slow, 1);
  assert_int_equal(region.device[0]->fast, 199);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(random_events, set_up, tear_down),
    cmocka_unit_test_setup_teardown(other_memory, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
