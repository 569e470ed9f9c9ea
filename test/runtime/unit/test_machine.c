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
  assert_string_equal(note, "built-in h200.msl");
  /* The two of one architecture are told apart. */
  assert_string_equal(chosen(NULL, "Tesla K40m", 35, 35), "Tesla K40m");
  assert_string_equal(chosen(NULL, "Tesla K20c", 35, 35), "Tesla K20c");
  /* The device counts, not what the code is for. */
  assert_string_equal(chosen(NULL, "Tesla V100-SXM2-16GB", 70, 60), "Tesla V100-SXM2-16GB");
}

static void by_architecture(void **state) {
  (void)state;
  assert_string_equal(chosen(NULL, "NVIDIA H100 PCIe", 90, 80), "NVIDIA H200");
  assert_string_equal(note, "costs of the built-in h200.msl, the nearest to sm_90; place-probe can measure this GPU's, for PLACE_MACHINE");
  assert_string_equal(chosen(NULL, "", 0, 60), "Tesla P100-SXM2-16GB");
  assert_string_equal(note, "costs of the built-in p100.msl are assumed: the device cannot be asked");
}

static void by_nothing(void **state) {
  (void)state;
  assert_string_equal(chosen(NULL, "", 0, 0), "NVIDIA H200");
  assert_string_equal(note, "costs of the built-in h200.msl are assumed");
  assert_string_equal(chosen("/nowhere.msl", "", 0, 0), "NVIDIA H200");
  assert_memory_equal(note, "PLACE_MACHINE=/nowhere.msl cannot be used: it cannot be opened: No such file or directory; ", 86);
  assert_null(strstr(note, "line"));
  assert_non_null(strstr(note, "; instead: costs of the built-in h200.msl are assumed"));
}

static void device_names(void **state) {
  (void)state;
  char text[120];
  machine_file_device(&(struct device_facts){"NVIDIA H200", 90, 0}, 80, text, sizeof text);
  assert_string_equal(text, "NVIDIA H200");
  machine_file_device(&(struct device_facts){"", 0, 0}, 80, text, sizeof text);
  assert_string_equal(text, "a GPU for code for sm_80");
  machine_file_device(&(struct device_facts){"", 0, 0}, 0, text, sizeof text);
  assert_string_equal(text, "a device that is no NVIDIA GPU");
}

/* Why libomptarget sees none: no code, no driver, a driver that fails, code for another GPU. After asks_the_driver. */
static void no_device(void **state) {
  (void)state;
  char why[300];
  void *fake = dlopen(FAKE_CUDA, RTLD_NOW);
  int *error = dlsym(fake, "fake_cuda_error");
  assert_non_null(error);
  ask_why_no_device(0, why, sizeof why);
  assert_non_null(strstr(why, "no code for an NVIDIA GPU"));
  *error = 100;
  ask_why_no_device(90, why, sizeof why);
  assert_string_equal(why, "the NVIDIA driver (for CUDA 12.4) says: no CUDA-capable device is detected; nvidia-smi shows what it sees");
  *error = 999;
  ask_why_no_device(90, why, sizeof why);
  assert_non_null(strstr(why, "says: an unknown error"));
  *error = 0;
  ask_why_no_device(90, why, sizeof why);
  assert_string_equal(why, "the program's device code is for sm_90, the GPU (Tesla V100-SXM2-16GB) is sm_70; compile with --offload-arch=sm_70");
  ask_why_no_device(70, why, sizeof why);
  assert_memory_equal(why, "the driver has a GPU (Tesla V100-SXM2-16GB)", 43);
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
    cmocka_unit_test(device_names), cmocka_unit_test(asks_the_driver), cmocka_unit_test(no_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
