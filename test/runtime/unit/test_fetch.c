/* Launches of versions that fetch an array from a texture: what they are given, and when the original runs instead. */
#define SCENE_BODY                                                                                                        \
  "place-table 2\nregion kernel\nat 14 main a.c\nkind spmd\nlaunch 128 open - - open-threads\n"                           \
  "array 0 0 a 4 r 0 global,texture - -\narray 1 1 w 4 r 1 global,texture,texture2d - -\n"                                 \
  "array 2 2 o 4 w -1 global - written\n"                                                                                 \
  "version kernel_base role=base loop=original space=g,g,-\n"                                                             \
  "version kernel_gt role=plan loop=straight space=g,t,- texels=-,4,- threads=128 needs=textures,threads:128\n"            \
  "version kernel_gd role=plan loop=straight space=g,d,- texels=-,4,- pitches=-;64;- needs=textures\n"                   \
  "version kernel_any role=plan loop=original space=*,*,- texels=4,16,- needs=textures\n"
enum { BASE, GT, GD, ANY, VERSIONS };
enum { ROW_BYTES_OF_TAPS = 64 }; /* of GD */
#include "launch_scene.h"

#include "fake_textures.h"
#include "place/launch_reason.h"

static int begin(void **state) {
  set_up(state);
  reset_driver();
  rt.ops.textures = &driver_textures;
  texture_init(&device.ext.textures, &rt.ops);
  return 0;
}

static const uint64_t *words_of_taps(void) { return last.words + PLACE_CONTROL_WORDS + PLACE_WORDS_PER_ARRAY; }

/* What a launch of the version was given: the handle, and the texel that the argument, `bytes` from the array's begin, lies at. */
static void fetches(int version, uint64_t handle, int64_t bytes, unsigned texel_bytes) {
  uintptr_t at = (uintptr_t)device_w;
  assert_int_equal(ran[VERSIONS], 0);
  assert_true(ran[version] > 0);
  assert_int_equal(words_of_taps()[PLACE_WORD_SELECT], PLACE_SELECT(PLACE_TEXTURE, 0));
  assert_int_equal(words_of_taps()[PLACE_WORD_BIAS], handle);
  assert_int_equal(words_of_taps()[PLACE_WORD_LO], ((int64_t)(at % ALIGNMENT) + bytes) / (int64_t)texel_bytes);
  assert_int_equal(driver.begin, at / ALIGNMENT * ALIGNMENT);
  assert_int_equal(driver.texel_bytes, texel_bytes);
}

/* The original, for that reason. */
static void falls_back(const char *why) {
  assert_true(ran[VERSIONS] > 0);
  assert_int_equal(ran[GT] + ran[GD] + ran[ANY], 0);
  const struct decision *d = region.device[0]->cache[0];
  const char *told = only_class()->fell_back, *refused = d && *d->refused ? d->refused : told;
  if (!strstr(told, why) && !strstr(refused, why)) fail_msg("'%s' and '%s' instead of '%s'", told, refused, why);
}

static void one_texture_for_many_launches(void **state) {
  (void)state;
  map_all();
  force("main:w=texture");
  launch_mapped(5);
  fetches(GT, FIRST_HANDLE, 0, 4);
  assert_int_equal(driver.made, 1);
  assert_int_equal(ran[GT], 5);
  device_w[3] = 17; /* nothing is copied, nothing refreshed */
  launch_mapped(1);
  assert_int_equal(fake.uploads, 0);
}

static void an_argument_inside_of_its_array(void **state) {
  (void)state;
  map_all();
  force("main:w=texture");
  struct rt_call call = call_of(a, w + 4, o, 0);
  launch(&call);
  fetches(GT, FIRST_HANDLE, 16, 4);
  call = call_of(a, w + 8, o, 0);
  launch(&call);
  fetches(GT, FIRST_HANDLE, 32, 4);
  assert_int_equal(driver.made, 1);
}

/* Left open, with texels of four words. */
static void an_open_version(void **state) {
  (void)state;
  map_all();
  force("main:w=texture,version=agnostic");
  struct rt_call call = call_of(a, w + (16 - (uintptr_t)device_w % 16) % 16 / sizeof *w, o, 0);
  launch(&call);
  fetches(ANY, FIRST_HANDLE, (int64_t)((16 - (uintptr_t)device_w % 16) % 16), 16);
}

/* What a texel's number is divided by comes with the texture; the argument may lie in a later row, or before the first. */
static void by_rows(void **state) {
  (void)state;
  enum { ROW = ROW_BYTES_OF_TAPS / 4 };
  driver.limits.alignment = 4;
  driver.limits.row_alignment = ROW_BYTES_OF_TAPS;
  map_all();
  force("main:w=texture2d");
  static const int64_t arguments[] = {0, 4, 3 * ROW + 1};
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    struct rt_call call = call_of(a, w + arguments[i], o, 0);
    launch(&call);
    uint64_t select = words_of_taps()[PLACE_WORD_SELECT], lo = words_of_taps()[PLACE_WORD_LO];
    uint64_t factor = lo >> PLACE_ROW_FACTOR_BIT, shift = select >> PLACE_ROW_SHIFT_BIT & 0xff;
    assert_int_equal(select & 0xff, PLACE_TEXTURE2D);
    assert_int_equal(select >> PLACE_ROW_LENGTH_BIT, ROW);
    assert_int_equal((int32_t)lo, arguments[i]);
    for (uint64_t texel = 0; texel < 5 * ROW; texel++) assert_int_equal((texel * factor >> 32) >> shift, texel / ROW);
    assert_int_equal(words_of_taps()[PLACE_WORD_BIAS], FIRST_HANDLE);
  }
  assert_int_equal(ran[GD], sizeof arguments / sizeof *arguments);
  assert_int_equal(driver.row_bytes, ROW_BYTES_OF_TAPS);
  assert_int_equal(driver.made, 1);
}

static void of_rows_that_are_not_whole(void **state) {
  (void)state;
  driver.limits.alignment = 4;
  driver.limits.row_alignment = 2 * ROW_BYTES_OF_TAPS;
  map_all();
  force("main:w=texture2d");
  launch_mapped(1);
  falls_back(WHY_NO_ROWS);
}

static void goes_with_the_mapping(void **state) {
  (void)state;
  void *base[1] = {w};
  int64_t size[1] = {sizeof w}, type[1] = {MAP_TO};
  struct rt_maps maps = {1, base, base, size, type, NULL};
  map_all();
  force("main:w=texture");
  launch_mapped(1);
  fake_unmap(w);
  ext_end(&device.ext, &maps, false);
  assert_int_equal(driver.destroyed, 1);
  fake_map(w, device_w, sizeof w);
  ext_begin(&device.ext, &maps, NULL, false);
  launch_mapped(1);
  fetches(GT, FIRST_HANDLE + 1, 0, 4);
}

/* Its kernel may still fetch when the program unmaps the array. */
static void waits_for_its_kernel(void **state) {
  (void)state;
  map_all();
  force("main:w=texture");
  struct rt_call call = call_of(a, w, o, 0);
  call.nowait = true;
  launch(&call);
  fetches(GT, FIRST_HANDLE, 0, 4);
  assert_true(last.wait);
}

static void without_an_address(void **state) {
  (void)state;
  force("main:w=texture");
  struct rt_call call = call_of(a, w, o, 1);
  launch(&call);
  assert_int_equal(driver.asked, 0);
  falls_back(WHY_NOTHING_ASKED_POSSIBLE);
  assert_non_null(strstr(region.device[0]->force_note, WHY_NO_ADDRESS_YET));
}

static void where_the_driver_does_not(void **state) {
  (void)state;
  static const struct {
    int fail_limits, fail_make;
    uint64_t texels;
    const char *why;
  } all[] = {{1, 0, MOST_TEXELS, WHY_NO_TEXTURES}, {0, 99, MOST_TEXELS, WHY_TEXTURE_REFUSED}, {0, 0, TAPS - 1, WHY_BEYOND_TEXTURE}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (i) tear_down(state), begin(state);
    map_all();
    force("main:w=texture");
    driver.fail_limits = all[i].fail_limits, driver.fail_make = all[i].fail_make, driver.limits.texels = all[i].texels;
    launch_mapped(3);
    falls_back(all[i].why);
    assert_int_equal(ran[VERSIONS], 3);
    assert_int_equal(driver.asked, 1);
  }
}

/* A texel that begins inside of another is none. */
static void misaligned(void **state) {
  (void)state;
  map_all();
  force("main:w=texture");
  struct rt_call call = call_of(a, (char *)w + 2, o, 0);
  launch(&call);
  falls_back("w is not aligned to 4 bytes");
}

/* Unless it is asked for, no launch goes there: the H200's file has no figures of textures. */
static void not_by_itself(void **state) {
  (void)state;
  map_all();
  launch_mapped(20);
  assert_int_equal(ran[GT] + ran[ANY], 0);
  assert_int_equal(driver.made, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(one_texture_for_many_launches), TEST(an_argument_inside_of_its_array), TEST(an_open_version), TEST(by_rows), TEST(of_rows_that_are_not_whole),
                                     TEST(goes_with_the_mapping), TEST(waits_for_its_kernel), TEST(without_an_address),
                                     TEST(where_the_driver_does_not), TEST(misaligned), TEST(not_by_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
