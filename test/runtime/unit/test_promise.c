/* What #pragma place promises and asks for beside spaces. assume(noalias): a version that needs its arrays apart is launched where that cannot be shown, and is not where the
 * runtime sees that the promise is broken. shared(tile): blocks are tried whatever is predicted. */
#include "scene_regions.h"

#define SCENE_BODY \
  SCENE_PLACEABLE("128 open - - open-threads apart") \
  "version kernel_base role=base loop=original space=g,g,-\n" \
  "version kernel_natural role=plan loop=natural space=g,g,- threads=128 each=1 needs=open-threads,apart\n" \
  "version kernel_block role=plan loop=block space=g,g,- block=64 team=64 adjacent=0 threads=64 teams=1 extents=64 " \
  "needs=open-teams,open-threads,reads-unwritten,writes-apart\n"
enum { BASE, NATURAL, BLOCK, VERSIONS };
#include "launch_scene.h"
#include "needs.h"

static float unmapped[N];

static void launch_often(struct rt_call call) {
  kernel_ns[NATURAL] = 50000;
  for (int i = 0; i < 60; i++) launch(&call);
}

static const struct view *any_view(void) {
  for (unsigned i = 0; i < RT_DECISIONS; i++)
    if (region.device[0]->cache[i]) return &region.device[0]->cache[i]->view;
  return NULL;
}

/* Nothing is known of o. */
static void what_is_not_known_is_believed(void **state) {
  (void)state;
  map_all();
  launch_often(call_of(a, w, unmapped, 0));
  struct rt_class *c = only_class();
  if (c->chosen < 0) fail_msg("%s", c->reason);
  assert_int_equal(c->plan[c->chosen].version, NATURAL);
  assert_true(ran[NATURAL] > 30);
  assert_int_equal(needs_check(&region, BLOCK, any_view(), NULL, NULL), 0);
}

static void without_a_promise_nothing_is_believed(void **state) {
  (void)state;
  map_all();
  table.regions[0].apart = false;
  launch_often(call_of(a, w, unmapped, 0));
  assert_int_equal(ran[VERSIONS], 60);
  assert_string_equal(only_class()->reason, "it writes an array of unknown extent");
  assert_int_equal(needs_check(&region, BLOCK, any_view(), NULL, NULL), -1);
}

static void a_broken_promise_is_said(void **state) {
  (void)state;
  map_all();
  launch_often(call_of(a, o, o, 0)); /* w is o */
  assert_int_equal(ran[VERSIONS], 60);
  assert_string_equal(only_class()->reason,
                      "w and o overlap, though #pragma place assume(noalias) promises that no arrays of the region do");
  struct place_diag why = {""};
  assert_int_equal(needs_check(&region, NATURAL, any_view(), NULL, &why), -1);
  assert_string_equal(why.text, "the promise of #pragma place assume(noalias) is broken");
}

/* What is only read may overlap. */
static void two_that_are_read(void **state) {
  (void)state;
  map_all();
  launch_often(call_of(a, a, unmapped, 0));
  assert_true(ran[NATURAL] > 30);
}

static struct rt_call parts_of_one(float *to, size_t elements) {
  struct rt_call call = call_of(a, w, to, 1);
  sizes[0] = sizes[2] = (int64_t)(elements * sizeof *a);
  return call;
}

/* Parts of one mapped object, as the launch's own map clauses name them: apart, and not. */
static void parts_of_one_object(void **state) {
  (void)state;
  map_all();
  launch_often(parts_of_one(a + N / 2, N / 2));
  assert_true(ran[NATURAL] > 30);
  unsigned before = ran[NATURAL];
  launch_often(parts_of_one(a + N / 2 - 1, N / 2));
  assert_int_equal(ran[NATURAL], before);
  assert_int_equal(region.device[0]->class_count, 2);
  assert_string_equal(region.device[0]->classes[1]->reason,
                      "a and o overlap, though #pragma place assume(noalias) promises that no arrays of the region do");
}

/* Without such clauses it is the object that counts. */
static void one_object(void **state) {
  (void)state;
  map_all();
  launch_often(call_of(a, w, a + N / 2, 0));
  assert_int_equal(ran[VERSIONS], 60);
}

/* What the region does to memory that is not one of its arrays, nobody promised. */
static void unknown_writes(void **state) {
  (void)state;
  map_all();
  table.regions[0].unknown_writes = true;
  launch_often(call_of(a, w, unmapped, 0));
  assert_int_equal(ran[VERSIONS], 60);
}

static void blocks_that_are_asked_for(void **state) {
  (void)state;
  map_all();
  launch_often(call_of(a, w, o, 0));
  assert_int_equal(ran[BLOCK], 0); /* predicted to be far slower */
  tear_down(state);
  set_up(state);
  map_all();
  table.regions[0].asked_blocks = true;
  launch_often(call_of(a, w, o, 0));
  assert_true(ran[BLOCK] > 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    TEST(what_is_not_known_is_believed), TEST(without_a_promise_nothing_is_believed), TEST(a_broken_promise_is_said),
    TEST(two_that_are_read), TEST(parts_of_one_object), TEST(one_object), TEST(unknown_writes), TEST(blocks_that_are_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
