/* What is told of a size class: its events, and what its launches saved. */
#include "launch_scene.h"

static void first_events_and_the_last_are_kept(void **state) {
  (void)state;
  struct history h = {0};
  for (unsigned i = 0; i < HISTORY_MOST + 100; i++) history_add(&h, (struct history_event){.at_ns = i, .kind = HISTORY_TRIED}, NULL);
  assert_int_equal(h.count, HISTORY_MOST);
  assert_int_equal(h.dropped, 100);
  assert_int_equal(h.event[HISTORY_MOST - 2].at_ns, HISTORY_MOST - 2);
  assert_int_equal(h.event[HISTORY_MOST - 1].at_ns, HISTORY_MOST + 99);
  history_free(&h);
  assert_true(!h.event && !h.count);
  history_free(&h);
}

static void plans_come_back(void **state) {
  (void)state;
  struct history h = {0};
  struct place_plan plan = {.version = 7, .placeable_count = PLACE_MAX_PLACEABLE};
  for (unsigned p = 0; p < PLACE_MAX_PLACEABLE; p++) plan.array[p].space = (enum place_space)(p % PLACE_SPACE_COUNT);
  history_add(&h, (struct history_event){.kind = HISTORY_CHOSE}, &plan);
  history_add(&h, (struct history_event){.kind = HISTORY_KEPT}, NULL);
  struct place_plan back = history_plan(&h.event[0], PLACE_MAX_PLACEABLE);
  assert_int_equal(back.version, 7);
  for (unsigned p = 0; p < PLACE_MAX_PLACEABLE; p++) assert_int_equal(back.array[p].space, plan.array[p].space);
  assert_int_equal(history_plan(&h.event[1], 2).version, -1);
  for (int kind = 0; kind < HISTORY_KINDS; kind++) assert_true(strcmp(history_name((enum history_kind)kind), "?") != 0);
  assert_string_equal(history_name(HISTORY_KINDS), "?");
  history_free(&h);
}

static unsigned count_of(const struct rt_class *c, enum history_kind kind) {
  unsigned count = 0;
  for (unsigned i = 0; i < c->history.count; i++) count += c->history.event[i].kind == kind;
  return count;
}

/* Each launch of what was chosen saves what its trial measured; nothing else does. */
static void launches_save(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = 60000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->plan[c->chosen].version, GC);
  assert_true(c->gain_ns > 39000 && c->gain_ns < 41000);
  double before = c->saved_ns;
  assert_true(before > 0 && before < 60 * c->gain_ns);
  launch_mapped(10);
  assert_true(c->saved_ns > before + 9.9 * c->gain_ns && c->saved_ns < before + 10.1 * c->gain_ns);
  assert_int_equal(count_of(c, HISTORY_LOOKED), 1);
  assert_int_equal(count_of(c, HISTORY_CHOSE), 1);
  assert_true(count_of(c, HISTORY_TRIED) >= 6);
  assert_int_equal(c->history.event[0].kind, HISTORY_LOOKED);
  for (unsigned i = 1; i < c->history.count; i++) assert_true(c->history.event[i].at_ns >= c->history.event[i - 1].at_ns);
  assert_true(c->ran_ns > 0);
  class_give_up(c, &region); /* since when it has been slower is not known */
  assert_true(c->saved_ns == 0 && c->gain_ns == 0 && strstr(c->reason, "later given up"));
}

/* PLACE_VERBOSE: figures with units, and none that was not measured. */
static void decisions_are_said(void **state) {
  char *text = NULL;
  size_t size;
  FILE *before = stderr;
  (void)state;
  map_all();
  rt.config.verbose = true;
  kernel_ns[GC] = 60000;
  stderr = open_memstream(&text, &size);
  launch_mapped(60);
  fclose(stderr);
  stderr = before;
  if (!strstr(text, "place: main (conv.c:14): trying ") || !strstr(text, "\nplace: main (conv.c:14): chosen: w in constant memory\n") ||
      !strstr(text, "\nplace:   w in constant memory: measured 60.0 us a launch (") || strstr(text, "0.000000") || strstr(text, " 0 rounds"))
    fail_msg("%s", text);
  free(text);
}

static void nothing_is_saved_by_the_original(void **state) {
  (void)state;
  map_all();
  kernel_ns[GC] = kernel_ns[GS] = kernel_ns[ANY] = 120000;
  launch_mapped(60);
  struct rt_class *c = only_class();
  assert_int_equal(c->chosen, -1);
  assert_true(c->saved_ns == 0);
  assert_int_equal(count_of(c, HISTORY_KEPT), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(first_events_and_the_last_are_kept), cmocka_unit_test(plans_come_back),
                                     cmocka_unit_test_setup_teardown(launches_save, set_up, tear_down),
                                     cmocka_unit_test_setup_teardown(decisions_are_said, set_up, tear_down),
                                     cmocka_unit_test_setup_teardown(nothing_is_saved_by_the_original, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
