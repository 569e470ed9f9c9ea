/* Arrays without an enclosing data environment: mapped by the region itself, device memory passed by is_device_ptr, a
 * pointer passed by value, the host's own memory where the device can reach it. */
// RUN: %check_program %s %t
#include <omp.h>

#include "check.h"

enum { N = 1500, TABLE = 40 };

static int in[N], table[TABLE], out[N], want[N];

static void reference(void) {
  for (int i = 0; i < N; i++) {
    want[i] = in[i];
    for (int j = 0; j < TABLE; j++)
      want[i] += table[j] ^ (i & 3);
  }
}

static void region_maps(void) {
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for map(to : in, table) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = in[i];
    for (int j = 0; j < TABLE; j++)
      sum += table[j] ^ (i & 3);
    out[i] = sum;
  }
  expect_bytes("mapped by the region", out, want, sizeof out);
}

static void implicitly(void) {
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    int sum = in[i];
    for (int j = 0; j < TABLE; j++)
      sum += table[j] ^ (i & 3);
    out[i] = sum;
  }
  expect_bytes("mapped implicitly", out, want, sizeof out);
}

static void device_memory(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  int *d_in = omp_target_alloc(sizeof in, device), *d_table = omp_target_alloc(sizeof table, device);
  int *d_out = omp_target_alloc(sizeof out, device);
  if (!d_in || !d_table || !d_out) {
    expect_long("omp_target_alloc", 0, 1);
    return;
  }
  omp_target_memcpy(d_in, in, sizeof in, 0, 0, device, host);
  omp_target_memcpy(d_table, table, sizeof table, 0, 0, device, host);
#pragma omp target teams distribute parallel for is_device_ptr(d_in, d_table, d_out)
  for (int i = 0; i < N; i++) {
    int sum = d_in[i];
    for (int j = 0; j < TABLE; j++)
      sum += d_table[j] ^ (i & 3);
    d_out[i] = sum;
  }
  memset(out, 0, sizeof out);
  omp_target_memcpy(out, d_out, sizeof out, 0, 0, host, device);
  expect_bytes("is_device_ptr", out, want, sizeof out);
/* a pointer without any clause is passed on as it is: it points to nothing that is mapped */
#pragma omp target teams distribute parallel for firstprivate(d_in, d_table, d_out)
  for (int i = 0; i < N; i++)
    d_out[i] = d_in[i] - d_table[i % TABLE];
  omp_target_memcpy(out, d_out, sizeof out, 0, 0, host, device);
  int difference[N];
  for (int i = 0; i < N; i++)
    difference[i] = in[i] - table[i % TABLE];
  expect_bytes("firstprivate pointer", out, difference, sizeof out);
  omp_target_free(d_in, device);
  omp_target_free(d_table, device);
  omp_target_free(d_out, device);
}

static void private_copies(void) {
  int small[TABLE];
  memcpy(small, table, sizeof small);
  memset(out, 0, sizeof out);
#pragma omp target teams distribute parallel for firstprivate(small) map(to : in) map(from : out)
  for (int i = 0; i < N; i++) {
    int sum = in[i];
    for (int j = 0; j < TABLE; j++)
      sum += small[j] ^ (i & 3);
    out[i] = sum;
  }
  expect_bytes("firstprivate array", out, want, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < N; i++)
      in[i] = value(i, r);
    for (int i = 0; i < TABLE; i++)
      table[i] = value(i, r + 1);
    reference();
    region_maps();
    implicitly();
    device_memory();
    private_copies();
  }
  return check_done("unmapped");
}
