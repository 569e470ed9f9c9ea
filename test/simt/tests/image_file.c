// The file that libomptarget has loaded the device image from is gone by the time that a region runs; the image is not.
// RUN: %simt_cc -O2 %s -o %t && %t 2>&1 | %FileCheck %s
// CHECK: images loaded: 1, files left: 0
// CHECK: sum 4950
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int loaded, left;

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  if (strncmp(info->dlpi_name, "/tmp/tmpfile_", strlen("/tmp/tmpfile_")) == 0) {
    loaded++;
    left += access(info->dlpi_name, F_OK) == 0;
  }
  return 0;
}

int main(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  dl_iterate_phdr(visit, NULL);
  printf("images loaded: %d, files left: %d\nsum %d\n", loaded, left, sum);
  return 0;
}
