/* To be preloaded: numbers the huge pages that a process asks for, has a clock of its own, by which all of them come fast, or none from number
 * SLOW on, and the folder BALLOON for the kernel's of memory balloons (none without it). */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int pages;

int madvise(void *address, size_t length, int advice) {
  if (advice == MADV_HUGEPAGE)
    dprintf(2, "huge page %d, of %zu MiB\n", ++pages, length >> 20);
  return (int)syscall(SYS_madvise, address, length, advice);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static long ns = 1000000000;
  const char *slow = getenv("SLOW");
  if (clock != CLOCK_MONOTONIC)
    return (int)syscall(SYS_clock_gettime, clock, now);
  ns += slow && pages >= atoi(slow) ? 10000000 : 1000;
  *now = (struct timespec){ns / 1000000000, ns % 1000000000};
  return 0;
}

/* What stands for PATH here; NULL: nothing does. */
static const char *seen(const char *path, char *buffer, size_t bytes) {
  static const char balloons[] = "/sys/bus/virtio/drivers/virtio_balloon";
  const char *own = getenv("BALLOON");
  if (strncmp(path, balloons, sizeof balloons - 1))
    return path;
  if (!own)
    return NULL;
  snprintf(buffer, bytes, "%s%s", own, path + sizeof balloons - 1);
  return buffer;
}

DIR *opendir(const char *path) {
  char buffer[4096];
  const char *there = seen(path, buffer, sizeof buffer);
  errno = ENOENT;
  return there ? ((DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir"))(there) : NULL;
}

int open(const char *path, int flags, ...) {
  char buffer[4096];
  const char *there = seen(path, buffer, sizeof buffer);
  va_list more;
  va_start(more, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
  va_end(more);
  errno = ENOENT;
  return there ? (int)syscall(SYS_openat, AT_FDCWD, there, flags, mode) : -1;
}
int open64(const char *, int, ...) __attribute__((alias("open")));
