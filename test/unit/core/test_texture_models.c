/* Textures as the models see them: ranked where the machine file has figures of them, by paper 000's sum where that is known by hand; and
 * launched where they are asked for, whatever the file says. */
#include "launches.h"

#include <math.h>

#include "session.h"

enum { TABLE = 1, ENTRIES = 8192, WITH_TEXTURES = 0x1f };

static void open_with_texture(struct scene *s) {
  scene_lut(s, ENTRIES, true);
  s->table.regions[0].arrays[TABLE].candidates = WITH_TEXTURES;
  s->allowed[TABLE] = WITH_TEXTURES;
}

static struct place_machine *machine_of(const char *name) {
  static struct msl_diagnostics why;
  char path[512];
  snprintf(path, sizeof path, MACHINES "/%s.msl", name);
  struct place_machine *machine = msl_read_file(path, &why);
  if (!machine) fail_msg("%s: line %u: %s", path, why.items[0].line, why.items[0].message);
  return machine;
}

static struct session *session_of(struct scene *s, const struct place_machine *machine, enum place_model model) {
  struct place_diag diag = {""};
  const struct place_question question = scene_question(s, machine, model);
  struct session *session = session_open(&question, &diag);
  if (!session) fail_msg("%s", diag.text);
  return session;
}

/* The look-up table in a texture; by placeable index. */
static const uint8_t *in_texture(const struct scene *s) {
  static uint8_t space[SOLVE_MAX_ARRAYS];
  memset(space, 0, sizeof space);
  space[s->region->arrays[TABLE].placeable] = PLACE_TEXTURE;
  return space;
}

/* Whether a model ranks the plan. `place` and the learned trees know textures from measurement alone. */
static void ranked_where_there_are_figures(void **state) {
  (void)state;
  static const struct { const char *machine; enum place_model model; bool ranked; } cases[] = {
    {"h200", PLACE_MODEL_PLACE, false},  {"h200", PLACE_MODEL_PORPLE, false}, {"h200", PLACE_MODEL_HUANG, false},
    {"h200", PLACE_MODEL_LEARNED, false}, {"c1060", PLACE_MODEL_PORPLE, true}, {"c1060", PLACE_MODEL_PLACE, false},
    {"c1060", PLACE_MODEL_LEARNED, false}, {"k40", PLACE_MODEL_PORPLE, true},  {"k40", PLACE_MODEL_HUANG, true},
    {"k40", PLACE_MODEL_PLACE, false},   {"v100", PLACE_MODEL_PORPLE, true},  {"v100", PLACE_MODEL_HUANG, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct place_machine *machine = machine_of(cases[i].machine);
    struct scene s;
    open_with_texture(&s);
    struct session *session = session_of(&s, machine, cases[i].model);
    uint8_t global[SOLVE_MAX_ARRAYS] = {0};
    double with = session_cost(session, in_texture(&s), NULL), without = session_cost(session, global, NULL);
    assert_true(isfinite(without) && without > 0);
    if (isfinite(with) != cases[i].ranked || (cases[i].ranked && !(with > 0)))
      fail_msg("%s on %s: %g", place_model_name(cases[i].model), cases[i].machine, with);
    session_close(session);
    scene_close(&s);
    msl_free(machine);
  }
}

/* Nothing is known of the sizes of the C1060's texture caches: what they do not hold, memory serves (546 clk, alpha 0.2). */
static void porple_by_hand(void **state) {
  (void)state;
  struct place_machine *machine = machine_of("c1060");
  struct scene s;
  open_with_texture(&s);
  struct session *session = session_of(&s, machine, PLACE_MODEL_PORPLE);
  double path[SOLVE_MAX_PATHS], transactions = 0, clk = 1e9 / machine->clock_hz.value;
  solve_cost_paths(&session->problem, in_texture(&s), path, NULL);
  for (size_t i = 0; i < s.region->access_count; i++) {
    const struct access_traits *t = &session->traits.access[i];
    if (s.region->accesses[i].array == TABLE) transactions += t->executions * t->transactions[PLACE_TEXTURE][2];
  }
  double found = path[msl_memory_by_name(machine, "textureMem")->path], wanted = transactions / machine->sm_count * 546 * clk * 0.2;
  if (!(fabs(found - wanted) < 1e-6 * wanted)) fail_msg("%g, by hand %g", found, wanted);
  session_close(session);
  scene_close(&s);
  msl_free(machine);
}

static void why_it_is_not_ranked(void **state) {
  (void)state;
  struct place_machine *machine = machine_of("h200");
  struct scene s;
  struct candidate found[MAX_ARRAYS];
  struct place_diag diag = {""};
  open_with_texture(&s);
  struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  assert_int_equal(candidates_find(&question, found, &diag), 0);
  assert_string_equal(found[TABLE].excluded[PLACE_TEXTURE], "the machine file has no figures of it");
  assert_string_equal(found[0].excluded[PLACE_TEXTURE], "no version of the kernel has it");
  assert_int_equal(found[TABLE].unrated, PLACE_SPACE_BIT(PLACE_TEXTURE));
  assert_int_equal(found[TABLE].spaces, WITH_TEXTURES & ~PLACE_SPACE_BIT(PLACE_TEXTURE));
  s.allowed[TABLE] = 0xf;
  assert_int_equal(candidates_find(&question, found, &diag), 0);
  assert_string_equal(found[TABLE].excluded[PLACE_TEXTURE], "not legal at this launch");
  assert_int_equal(found[TABLE].unrated, 0);
  scene_close(&s);
  msl_free(machine);
}

/* What is asked for is made: a given plan is predicted by nobody. */
static void made_where_it_is_asked_for(void **state) {
  (void)state;
  struct place_machine *machine = machine_of("h200");
  struct scene s;
  struct place_plan plan;
  struct place_diag diag = {""};
  open_with_texture(&s);
  struct place_question question = scene_question(&s, machine, PLACE_MODEL_PLACE);
  enum place_space spaces[PLACE_MAX_PLACEABLE] = {PLACE_GLOBAL};
  int placeable = s.region->arrays[TABLE].placeable;
  spaces[placeable] = PLACE_TEXTURE;
  if (place_plan_make(&question, spaces, 0, &plan, &diag)) fail_msg("%s", diag.text);
  assert_int_equal(plan.array[placeable].space, PLACE_TEXTURE);
  assert_int_equal(plan.array[placeable].window_bytes, 0);
  assert_int_equal(plan.shared_bytes, 0);
  s.allowed[TABLE] = 0xf;
  assert_int_equal(place_plan_make(&question, spaces, 0, &plan, &diag), -1);
  assert_non_null(strstr(diag.text, "cannot be in texture memory: not legal at this launch"));
  scene_close(&s);
  msl_free(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranked_where_there_are_figures), cmocka_unit_test(porple_by_hand),
                                     cmocka_unit_test(why_it_is_not_ranked), cmocka_unit_test(made_where_it_is_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
