/* Expressions: text, values, and bounds against values. */
#include "support.h"

#include "place/expr.h"
#include "random_expr.h"

static struct place_expr_pool pool;

static place_expr parse(const char *text) {
  struct place_diag diag = {""};
  place_expr e = place_expr_parse(&pool, text, strlen(text), &diag);
  if (e < 0) fail_msg("%s: %s", text, diag.text);
  return e;
}

static void prints_as(const char *text, const char *expected) {
  char out[512];
  place_expr_print(&pool, parse(text), out, sizeof out);
  assert_string_equal(out, expected);
}

static void printing_forms(void **state) {
  (void)state;
  prints_as("4*(128*team+tid)", "4*(128*team + tid)");
  prints_as(" zext32( trunc32(arg3) - 1 )", "zext32(trunc32(arg3) + -1)");
  prints_as("L0 - L1*arg2", "L0 + -1*L1*arg2");
  prints_as("L0 - 3*L1", "L0 + -3*L1");
  prints_as("-(tid + 1)*2", "-1*(tid + 1)*2");
  prints_as("tid + (team + 1)", "tid + (team + 1)");
  prints_as("2*(3*tid)", "2*(3*tid)");
  prints_as("umin64(threads, teams) + any + any(255)", "umin64(threads, teams) + any + any(255)");
  prints_as("-9223372036854775808", "-9223372036854775808");
  prints_as("18446744073709551615", "-1");
}

static void refuses(const char *text) {
  struct place_diag diag = {""};
  size_t before = pool.count;
  assert_int_equal(place_expr_parse(&pool, text, strlen(text), &diag), PLACE_EXPR_NONE);
  assert_non_null(strstr(diag.text, "column"));
  assert_int_equal(pool.count, before);
}

static void bad_text(void **state) {
  (void)state;
  const char *const bad[] = {"", "+", "1+", "(1", "1)", "zext(1)", "zext0(1)", "zext65(1)", "udiv32(1)", "L", "arg", "foo",
                             "zext32(1,2)", "any(", "18446744073709551616", "1 2", "L99999999", "tid2", "umin32(1,2", "\x80"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuses(bad[i]);
  char deep[400];
  memset(deep, '(', 100), deep[100] = '1', memset(deep + 101, ')', 100), deep[201] = 0;
  refuses(deep);
  memset(deep, '-', 300), strcpy(deep + 300, "1");
  refuses(deep);
  char *wide = malloc(20001); /* 10,000 terms */
  for (int i = 0; i < 10000; i++) wide[2 * i] = '1', wide[2 * i + 1] = '+';
  wide[19999] = 0;
  refuses(wide);
  free(wide);
}

static uint64_t value_of(const char *text) {
  uint64_t loop[] = {7, 8}, arg[] = {0xffffffff, 100, 0}, value = 0;
  bool known[] = {true, true, false};
  struct place_point at = {.tid = 5, .team = 3, .threads = 128, .teams = 10, .loop = loop, .loops = 2, .arg = arg,
                           .arg_known = known, .args = 3};
  if (!place_expr_eval(&pool, parse(text), &at, &value)) fail_msg("%s is unknown", text);
  return value;
}

static void values(void **state) {
  (void)state;
  assert_int_equal(value_of("4*(threads*team + tid)"), 4 * (128 * 3 + 5));
  assert_int_equal(value_of("sext32(arg0)"), UINT64_MAX);
  assert_int_equal(value_of("zext32(arg0 + 1)"), 0);
  assert_int_equal(value_of("trunc8(300)"), 44);
  assert_int_equal(value_of("udiv32(-2, 2)"), 0x7fffffff);
  assert_int_equal(value_of("urem64(L0*L1, 10)"), 6);
  assert_int_equal(value_of("smin32(-1, 1)"), UINT64_MAX);
  assert_int_equal(value_of("umin32(-1, 1)"), 1);
  struct place_point nothing = {0};
  uint64_t value;
  assert_false(place_expr_eval(&pool, parse("L0"), &nothing, &value));
  assert_false(place_expr_eval(&pool, parse("arg0"), &nothing, &value));
  assert_false(place_expr_eval(&pool, parse("any(3)"), &nothing, &value));
  assert_false(place_expr_eval(&pool, parse("udiv64(1, 0)"), &nothing, &value));
  assert_false(place_expr_eval(&pool, PLACE_EXPR_NONE, &nothing, &value));
}

static void bounds_are(const char *text, long long lo, long long hi) {
  struct place_range loop[] = {{0, 63, true}, {0, 0, false}};
  uint64_t arg[] = {0xffffffff, 100};
  bool known[] = {true, true};
  struct place_box box = {.tid = {0, 127, true}, .team = {0, 9, true}, .threads = {128, 128, true}, .teams = {10, 10, true},
                          .loop = loop, .loops = 2, .arg = arg, .arg_known = known, .args = 2};
  struct place_range r = place_expr_bound(&pool, parse(text), &box);
  if (!r.known || r.lo != lo || r.hi != hi)
    fail_msg("%s: %s [%lld, %lld], expected [%lld, %lld]", text, r.known ? "known" : "unknown", (long long)r.lo,
             (long long)r.hi, lo, hi);
}

static void bounds_tight(void **state) {
  (void)state;
  bounds_are("4*(threads*team + tid) + 4*L0", 0, 4 * 1279 + 4 * 63);
  bounds_are("4*sext32(trunc32(tid) - 1)", -4, 4 * 126);
  bounds_are("zext32(trunc32(tid) - 1)", 0, 0xffffffff);
  bounds_are("sext32(arg0 + tid)", -1, 126);
  bounds_are("sext32(arg0*tid)", -127, 0);
  bounds_are("zext32(arg0)", 0xffffffff, 0xffffffff);
  bounds_are("4*urem32(any, 8192)", 0, 4 * 8191);
  bounds_are("umin64(any, 31)", 0, 31);
  bounds_are("urem64(tid, arg1)", 0, 99);
  bounds_are("urem64(tid, 256)", 0, 127);
  bounds_are("urem64(tid + 300, 256)", 44, 171);
  bounds_are("udiv64(any, 1024)", 0, (1ll << 54) - 1);
  bounds_are("any(255)*4 + 4", 4, 1024);
  bounds_are("zext8(any)", 0, 255);
  bounds_are("sext8(L1)", -128, 127);
  bounds_are("smax32(-5, any)", -5, INT32_MAX);
  bounds_are("0*any", 0, 0);
  bounds_are("zext64(tid - 1)", -1, 126);
}

static void bounds_unknown(void **state) {
  (void)state;
  struct place_range huge[] = {{0, INT64_MAX, true}};
  struct place_box box = {.tid = {0, 127, true}, .loop = huge, .loops = 1};
  const char *const texts[] = {"any", "L0*4", "L0 + 1", "L1", "arg0", "any - any", "zext64(any)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_false(place_expr_bound(&pool, parse(texts[i]), &box).known);
  assert_false(place_expr_bound(&pool, PLACE_EXPR_NONE, &box).known);
}

/* ---- bounds against values, on random expressions ---- */

static uint64_t random_argument(void) {
  switch (random_below(5)) {
  case 0: return random_below(1000);
  case 1: return 0x80000000u + random_below(9) - 4;
  case 2: return 0 - random_below(1000);
  case 3: return (uint32_t)(0 - random_below(1000));
  default: return random_u64();
  }
}

static struct place_range random_range(void) {
  switch (random_below(8)) {
  case 0: return (struct place_range){0, 0, false};
  case 1: return (struct place_range){0, (int64_t)(random_u64() >> (1 + random_below(63))), true};
  default: break;
  }
  int64_t lo = (int64_t)random_below(50);
  return (struct place_range){lo, lo + (int64_t)random_below(300), true};
}

static uint64_t random_inside(struct place_range r) {
  if (!r.known) return random_u64();
  if (random_below(3) == 0) return (uint64_t)(random_below(2) ? r.lo : r.hi);
  uint64_t width = (uint64_t)r.hi - (uint64_t)r.lo + 1;
  return (uint64_t)r.lo + (width ? random_u64() % width : random_u64());
}

/* An evaluator written anew, on big integers modulo 2^64, in which any is a random value within its bound. */
static bool reference(place_expr e, const struct place_point *at, uint64_t *v) {
  const struct place_expr_node *n = &pool.nodes[e];
  uint64_t a = 0, b = 0;
  if (n->a >= 0 && !reference(n->a, at, &a)) return false;
  if (n->b >= 0 && !reference(n->b, at, &b)) return false;
  unsigned __int128 two = (unsigned __int128)1 << n->bits, ua = a % two, ub = b % two;
  __int128 sa = ua >= two / 2 ? (__int128)ua - (__int128)two : (__int128)ua;
  __int128 sb = ub >= two / 2 ? (__int128)ub - (__int128)two : (__int128)ub;
  switch (n->op) {
  case PLACE_EXPR_ANY: *v = n->a < 0 || a == UINT64_MAX ? random_u64() : random_u64() % (a + 1); break;
  case PLACE_EXPR_ADD: *v = a + b; break;
  case PLACE_EXPR_MUL: *v = a * b; break;
  case PLACE_EXPR_ZEXT:
  case PLACE_EXPR_TRUNC: *v = (uint64_t)ua; break;
  case PLACE_EXPR_SEXT: *v = (uint64_t)sa; break;
  case PLACE_EXPR_UDIV: return ub && (*v = (uint64_t)(ua / ub), true);
  case PLACE_EXPR_UREM: return ub && (*v = (uint64_t)(ua % ub), true);
  case PLACE_EXPR_UMIN: *v = (uint64_t)(ua < ub ? ua : ub); break;
  case PLACE_EXPR_UMAX: *v = (uint64_t)(ua > ub ? ua : ub); break;
  case PLACE_EXPR_SMIN: *v = (uint64_t)(sa < sb ? sa : sb); break;
  case PLACE_EXPR_SMAX: *v = (uint64_t)(sa > sb ? sa : sb); break;
  default: return place_expr_eval(&pool, e, at, v);
  }
  return true;
}

static void check_point(place_expr e, const char *text, const struct place_box *box, struct place_range bound) {
  uint64_t loop[3], value, again;
  for (int i = 0; i < 3; i++) loop[i] = random_inside(box->loop[i]);
  struct place_point at = {.tid = random_inside(box->tid), .team = random_inside(box->team),
                           .threads = random_inside(box->threads), .teams = random_inside(box->teams), .loop = loop,
                           .loops = 3, .arg = box->arg, .arg_known = box->arg_known, .args = box->args};
  bool has = reference(e, &at, &value);
  if (has && bound.known && ((int64_t)value < bound.lo || (int64_t)value > bound.hi))
    fail_msg("%s: value %lld outside of [%lld, %lld]", text, (long long)value, (long long)bound.lo, (long long)bound.hi);
  if (place_expr_eval(&pool, e, &at, &again) && (!has || again != value)) fail_msg("%s: evaluators differ", text);
}

static void random_box(struct place_box *box, struct place_range *loop, uint64_t *arg, bool *known) {
  for (int i = 0; i < 3; i++) loop[i] = random_range(), arg[i] = random_argument(), known[i] = random_below(10) > 0;
  *box = (struct place_box){.tid = random_range(), .team = random_range(), .threads = random_range(),
                            .teams = random_range(), .loop = loop, .loops = 3, .arg = arg, .arg_known = known, .args = 3};
}

static void bounds_hold(void **state) {
  (void)state;
  enum { EXPRESSIONS = 200000, POINTS = 24 };
  static char text[1 << 16], printed[1 << 16], again[1 << 16];
  unsigned known_bounds = 0;
  for (int i = 0; i < EXPRESSIONS; i++) {
    struct place_range loop[3];
    uint64_t arg[3];
    bool known[3];
    struct place_box box;
    pool.count = 0;
    random_text(text, 1 + (int)random_below(4));
    place_expr e = parse(text);
    random_box(&box, loop, arg, known);
    struct place_range bound = place_expr_bound(&pool, e, &box);
    known_bounds += bound.known;
    for (int k = 0; k < POINTS; k++) check_point(e, text, &box, bound);
    place_expr_print(&pool, e, printed, sizeof printed);
    place_expr_print(&pool, parse(printed), again, sizeof again);
    assert_string_equal(printed, again);
  }
  printf("%u of %d random expressions have known bounds\n", known_bounds, EXPRESSIONS);
  assert_true(known_bounds > EXPRESSIONS / 4);
}

static void symbols_used(void **state) {
  (void)state;
  place_expr e = parse("4*(128*team + L2) + arg3");
  assert_true(place_expr_uses(&pool, e, PLACE_EXPR_TEAM, 0));
  assert_true(place_expr_uses(&pool, e, PLACE_EXPR_LOOP, 2));
  assert_true(place_expr_uses(&pool, e, PLACE_EXPR_ARG, 3));
  assert_false(place_expr_uses(&pool, e, PLACE_EXPR_LOOP, 1));
  assert_false(place_expr_uses(&pool, e, PLACE_EXPR_TID, 0));
  assert_false(place_expr_uses(&pool, PLACE_EXPR_NONE, PLACE_EXPR_TID, 0));
}

static void equality(void **state) {
  (void)state;
  static const struct { const char *a, *b; bool equal; } all[] = {
    {"4*tid", "4*tid", true}, {"4*tid", "tid*4", false}, {"4*tid", "8*tid", false}, {"4*tid", "4*team", false}, {"L0", "L1", false},
    {"arg1 + L2", "arg1 + L2", true}, {"arg1 + L2", "arg1 - L2", false}, {"zext32(trunc32(arg3))", "zext32(trunc32(arg3))", true},
    {"zext32(trunc32(arg3))", "zext16(trunc32(arg3))", false}, {"any", "any", true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    place_expr a = parse(all[i].a), b = parse(all[i].b);
    if (place_expr_equal(&pool, a, b) != all[i].equal) fail_msg("%s, %s", all[i].a, all[i].b);
    assert_true(place_expr_equal(&pool, a, a));
  }
  assert_true(place_expr_equal(&pool, PLACE_EXPR_NONE, PLACE_EXPR_NONE));
  assert_false(place_expr_equal(&pool, parse("tid"), PLACE_EXPR_NONE));
}

static int clean(void **state) {
  (void)state;
  place_expr_pool_free(&pool);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printing_forms), cmocka_unit_test(bad_text),       cmocka_unit_test(values),
      cmocka_unit_test(bounds_tight),   cmocka_unit_test(bounds_unknown), cmocka_unit_test(bounds_hold),
      cmocka_unit_test(symbols_used),   cmocka_unit_test(equality)};
  return cmocka_run_group_tests(tests, NULL, clean);
}
