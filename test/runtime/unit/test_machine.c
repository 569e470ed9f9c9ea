/* The machine model by what the device says, by what its code is for, and by neither. */
#include "fake.h"

#include <dlfcn.h>
#include <stdio.h>

#include "ask_device.h"
#include "machine_file.h"

static char note[512];

/* The name of the machine that is chosen; *note is left. */
static const char *chosen(const char *file, const char *name, unsigned sm, unsigned image_sm) {
  static char model[128];
  struct device_facts device = {"", sm, 0};
  snprintf(device.name, sizeof device.name, "%s", name);
  memset(note, 0, sizeof note);
  struct place_machine *machine = machine_file_load(file, &device, image_sm, note, sizeof note);
  snprintf(model, sizeof model, "%s", machine ? machine->name : "none");
  msl_free(machine);
  return model;
}

static void by_name(void **state) {
  (void)state;
  assert_string_equal(chosen(NULL, "NVIDIA H200", 90, 90), "NVIDIA H200");
  assert_string_equal(note, "msl/machines/h200.msl");
  /* The two of one architecture are told apart. */
  assert_string_equal(chosen(NULL, "Tesla K40m", 35, 35), "Tesla K40m");
  assert_string_equal(chosen(NULL, "Tesla K20c", 35, 35), "Tesla K20c");
  /* The device counts, not what the code is for. */
  assert_string_equal(chosen(NULL, "Tesla V100-SXM2-16GB", 70, 60), "Tesla V100-SXM2-16GB");
}

static void by_architecture(void **state) {
  (void)state;
  assert_string_equal(chosen(NULL, "NVIDIA H100 PCIe", 90, 80), "NVIDIA H200");
  assert_string_equal(note, "msl/machines/h200.msl, the nearest model for NVIDIA H100 PCIe, sm_90; place-probe can measure one, "
                            "for PLACE_MACHINE");
  assert_string_equal(chosen(NULL, "", 0, 60), "Tesla P100-SXM2-16GB");
  assert_string_equal(note, "msl/machines/p100.msl, assumed: the device cannot be asked; its code is for sm_60");
}

static void by_nothing(void **state) {
  (void)state;
  assert_string_equal(chosen(NULL, "", 0, 0), "NVIDIA H200");
  assert_string_equal(note, "msl/machines/h200.msl, assumed: the device is no NVIDIA GPU");
  assert_string_equal(chosen("/nowhere.msl", "", 0, 0), "NVIDIA H200");
  assert_non_null(strstr(note, "PLACE_MACHINE=/nowhere.msl cannot be used"));
  assert_non_null(strstr(note, "; instead: msl/machines/h200.msl, assumed"));
}

static void asks_the_driver(void **state) {
  (void)state;
  struct device_facts facts = {"x", 1, 0};
  ask_device(0, &facts); /* no driver in this process */
  assert_string_equal(facts.name, "");
  assert_int_equal(facts.sm, 0);
  assert_non_null(dlopen(FAKE_CUDA, RTLD_NOW));
  ask_device(0, &facts);
  assert_string_equal(facts.name, "Tesla V100-SXM2-16GB");
  assert_int_equal(facts.sm, 70);
  ask_device(1, &facts);
  assert_string_equal(facts.name, "NVIDIA A10");
  assert_int_equal(facts.sm, 86);
  ask_device(2, &facts);
  assert_string_equal(facts.name, "");
  assert_int_equal(facts.sm, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(by_name),
    cmocka_unit_test(by_architecture),
    cmocka_unit_test(by_nothing),
    cmocka_unit_test(asks_the_driver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
