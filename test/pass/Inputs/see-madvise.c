/* To be preloaded: numbers the huge pages that a process asks for, and has a clock of its own, by which all of them come fast, or none from
 * number SLOW on. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
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
