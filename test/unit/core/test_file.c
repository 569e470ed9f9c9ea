/* Files that settings name: whole or not at all, and never where somebody else leads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "place/file.h"

static char folder[64], path[128], link_path[128];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/place-file-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/report.json", folder);
  snprintf(link_path, sizeof link_path, "%s/link", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static const char *content(const char *name) {
  static char text[256];
  memset(text, 0, sizeof text);
  FILE *in = fopen(name, "r");
  if (!in) return NULL;
  if (!fread(text, 1, sizeof text - 1, in)) *text = 0;
  fclose(in);
  return text;
}

static unsigned count_files(void) {
  char command[128];
  unsigned count = 0;
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *in = popen(command, "r");
  assert_int_equal(fscanf(in, "%u", &count), 1);
  pclose(in);
  return count;
}

static int write_text(const char *name, const char *text, struct place_diag *diag) {
  struct place_file file;
  if (!place_file_begin(&file, name, diag)) return -1;
  fputs(text, file.stream);
  return place_file_end(&file, diag);
}

static void whole(void **state) {
  (void)state;
  struct place_file file;
  struct stat info;
  assert_int_equal(write_text(path, "first", NULL), 0);
  assert_string_equal(content(path), "first");
  assert_true(!stat(path, &info) && S_ISREG(info.st_mode) && info.st_mode & S_IRUSR);
  assert_non_null(place_file_begin(&file, path, NULL));
  fputs("second", file.stream);
  fflush(file.stream);
  assert_string_equal(content(path), "first"); /* until it is whole */
  assert_int_equal(place_file_end(&file, NULL), 0);
  assert_string_equal(content(path), "second");
  assert_int_equal(count_files(), 1);
  FILE *more = place_file_append(path, NULL);
  fputs(" and more", more);
  fclose(more);
  assert_string_equal(content(path), "second and more");
}

static void refused(void **state) {
  (void)state;
  struct place_diag diag = {""};
  assert_int_equal(write_text("/nowhere/at/all.json", "x", &diag), -1);
  assert_string_equal(diag.text, "/nowhere/at/all.json cannot be written: No such file or directory");
  assert_int_equal(write_text(folder, "x", &diag), -1);
  assert_non_null(strstr(diag.text, "Is a directory"));
  assert_int_equal(write_text("", "x", &diag), -1);
  if (access("/dev/full", W_OK)) return;
  assert_int_equal(write_text("/dev/full", "x", &diag), -1);
  assert_string_equal(diag.text, "/dev/full cannot be written: No space left on device");
}

/* They stay what they are. */
static void devices_and_pipes(void **state) {
  (void)state;
  struct stat info;
  char command[256];
  assert_int_equal(write_text("/dev/null", "x", NULL), 0);
  assert_true(!stat("/dev/null", &info) && S_ISCHR(info.st_mode));
  assert_int_equal(mkfifo(path, 0600), 0);
  snprintf(command, sizeof command, "cat %s > %s/copy", path, folder);
  FILE *reader = popen(command, "r");
  assert_int_equal(write_text(path, "through", NULL), 0);
  pclose(reader);
  assert_true(!stat(path, &info) && S_ISFIFO(info.st_mode));
  snprintf(command, sizeof command, "%s/copy", folder);
  assert_string_equal(content(command), "through");
}

static void own_link(void **state) {
  (void)state;
  struct stat info;
  assert_int_equal(write_text(path, "first", NULL), 0);
  assert_int_equal(symlink(path, link_path), 0);
  assert_int_equal(write_text(link_path, "second", NULL), 0);
  assert_true(!lstat(link_path, &info) && S_ISLNK(info.st_mode));
  assert_string_equal(content(path), "second");
}

/* Another user's link or file in a shared folder: making one takes the rights of root. */
static void others(void **state) {
  (void)state;
  enum { OTHER = 65534 };
  struct place_diag diag = {""};
  if (geteuid()) skip();
  assert_int_equal(write_text(path, "first", NULL), 0);
  assert_int_equal(symlink(path, link_path), 0);
  assert_int_equal(lchown(link_path, OTHER, OTHER), 0);
  assert_int_equal(place_file_check(link_path, NULL), 0); /* the folder is the user's own */
  assert_int_equal(chmod(folder, 01777), 0);
  assert_int_equal(write_text(link_path, "second", &diag), -1);
  assert_non_null(strstr(diag.text, "another user's link, in a folder that others may write to"));
  assert_null(place_file_append(link_path, &diag));
  assert_int_equal(place_file_check(link_path, NULL), -1);
  assert_string_equal(content(path), "first");
  assert_int_equal(chown(path, OTHER, OTHER), 0);
  assert_int_equal(write_text(path, "third", &diag), -1);
  assert_string_equal(content(path), "first");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(whole, make_folder, remove_folder), cmocka_unit_test_setup_teardown(refused, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown(devices_and_pipes, make_folder, remove_folder),
    cmocka_unit_test_setup_teardown(own_link, make_folder, remove_folder), cmocka_unit_test_setup_teardown(others, make_folder, remove_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
