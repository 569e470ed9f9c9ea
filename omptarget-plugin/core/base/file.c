/* Files that settings name. */
#define _GNU_SOURCE
#include "place/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct place_diag *diag, const char *path, const char *why) {
  return place_diag_set(diag, "%.300s cannot be written: %s", path, why);
}

/* ---- whose it is ---- */

static bool is_shared(const char *path) {
  char folder[PATH_MAX] = ".";
  struct stat info;
  const char *slash = strrchr(path, '/');
  if (slash) snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
  if (stat(folder, &info)) return false; /* nothing can be made there */
  return info.st_mode & S_IWOTH || (info.st_mode & S_IWGRP && info.st_gid != getegid());
}

int place_file_check(const char *path, struct place_diag *diag) {
  struct stat info;
  if (lstat(path, &info) || !is_shared(path) || info.st_uid == geteuid() || !info.st_uid) return 0;
  return fail(diag, path, S_ISLNK(info.st_mode) ? "it is another user's link, in a folder that others may write to"
                                                : "it is another user's, in a folder that others may write to");
}

/* ---- the file itself ---- */

static FILE *open_itself(const char *path, int flags, struct place_diag *diag) {
  int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0666);
  FILE *stream = fd < 0 ? NULL : fdopen(fd, "a");
  if (stream) return stream;
  fail(diag, path, strerror(errno));
  if (fd >= 0) close(fd);
  return NULL;
}

FILE *place_file_append(const char *path, struct place_diag *diag) {
  return place_file_check(path, diag) ? NULL : open_itself(path, O_CREAT | O_APPEND | O_NOFOLLOW, diag);
}

static bool is_written_itself(const char *path) {
  struct stat info;
  if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)) return true;
  return !stat(path, &info) && !S_ISREG(info.st_mode);
}

/* ---- beside it ---- */

/* The path behind links of the user's own. */
static int resolve(struct place_file *file, const char *path, struct place_diag *diag) {
  struct stat info;
  char real[PATH_MAX];
  if (strlen(path) >= sizeof file->path) return fail(diag, path, strerror(ENAMETOOLONG));
  strcpy(file->path, path);
  if (lstat(path, &info) || !S_ISLNK(info.st_mode)) return 0;
  if (!realpath(path, real)) return fail(diag, path, strerror(errno));
  strcpy(file->path, real);
  return place_file_check(real, diag);
}

static int make_part(struct place_file *file) {
  enum { ATTEMPTS = 16 };
  int fd = -1;
  for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
    snprintf(file->part, sizeof file->part, "%s.%ld.%d.part", file->path, (long)getpid(), i);
    fd = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

/* A folder in which nothing can be made may hold a file that can be written. */
static FILE *open_part(struct place_file *file, struct place_diag *diag) {
  int fd = make_part(file), error = errno;
  if (fd >= 0) return fdopen(fd, "w");
  *file->part = 0;
  if ((error == EACCES || error == EROFS) && !access(file->path, W_OK) && !is_shared(file->path))
    return open_itself(file->path, O_TRUNC | O_NOFOLLOW, diag);
  fail(diag, file->path, strerror(error));
  return NULL;
}

FILE *place_file_begin(struct place_file *file, const char *path, struct place_diag *diag) {
  *file->part = 0;
  file->stream = NULL;
  if (place_file_check(path, diag)) return NULL;
  if (is_written_itself(path)) {
    snprintf(file->path, sizeof file->path, "%s", path);
    return file->stream = open_itself(path, 0, diag);
  }
  return resolve(file, path, diag) ? NULL : (file->stream = open_part(file, diag));
}

int place_file_end(struct place_file *file, struct place_diag *diag) {
  bool failed = ferror(file->stream) | fflush(file->stream);
  int error = errno;
  if (fclose(file->stream) && !failed) failed = true, error = errno;
  if (!failed && *file->part && rename(file->part, file->path)) failed = true, error = errno;
  if (failed && *file->part) unlink(file->part);
  file->stream = NULL;
  return failed ? fail(diag, file->path, strerror(error)) : 0;
}
