/* To be preloaded: says what a process asks to be in huge pages. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int madvise(void *address, size_t length, int advice) {
  if (advice == MADV_HUGEPAGE)
    dprintf(2, "%zu MiB in huge pages\n", length >> 20);
  return (int)syscall(SYS_madvise, address, length, advice);
}
