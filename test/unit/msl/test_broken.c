/* Each broken/NAME.msl gives exactly the diagnostics in broken/NAME.expected. */
#include <dirent.h>

#include "support.h"

static char *load(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1, 1 << 16);
  size_t len = fread(text, 1, (1 << 16) - 1, file);
  text[len] = 0;
  fclose(file);
  return text;
}

static void check_file(const char *name, size_t len) {
  char path[300], expected_path[300];
  struct msl_diagnostics diagnostics;
  snprintf(path, sizeof path, "broken/%.*s.msl", (int)len, name);
  snprintf(expected_path, sizeof expected_path, "broken/%.*s.expected", (int)len, name);
  assert_null(msl_read_file(path, &diagnostics));
  char *said = msl_diagnostics_text(&diagnostics), *expected = load(expected_path);
  assert_string_equal(said, expected);
  free(said);
  free(expected);
}

static void test_broken(void **state) {
  (void)state;
  DIR *folder = opendir("broken");
  assert_non_null(folder);
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".msl") != 0)
      continue;
    check_file(entry->d_name, (size_t)(dot - entry->d_name));
    count++;
  }
  closedir(folder);
  assert_true(count >= 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_broken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
