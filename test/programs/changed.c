/* A table that changes between launches in every way there is: by a kernel, by target update, by omp_target_memcpy,
 * by a kernel that got its address from use_device_ptr, and by being unmapped and mapped again. A stale copy of it shows. */
// RUN: %check_program %s %t
// MODES: no-fallback (host and device copies differ on purpose)
#include <omp.h>

#include "check.h"

enum { N = 600, TABLE = 64 };

static int table[TABLE], shadow[TABLE], out[N], want[N];

static void use(const int *t, int *o, int n, int entries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < entries; j++)
      sum += t[j] * (j + 1);
    o[i] = sum + t[i % entries];
  }
}

static void compare(const char *how) {
#pragma omp target update from(out)
  for (int i = 0; i < N; i++) {
    want[i] = shadow[i % TABLE];
    for (int j = 0; j < TABLE; j++)
      want[i] += shadow[j] * (j + 1);
  }
  expect_bytes(how, out, want, sizeof out);
}

static void use_and_compare(const char *how) {
  use(table, out, N, TABLE);
  compare(how);
}

static void changed_by_kernel(int r) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < TABLE; i++)
    table[i] += r + i;
  for (int i = 0; i < TABLE; i++)
    shadow[i] += r + i;
}

static void changed_serially(int r) {
#pragma omp target map(to : r)
  table[r % TABLE] = r;
  shadow[r % TABLE] = r;
}

static void changed_by_update(int r) {
  for (int i = 0; i < TABLE; i++)
    table[i] = shadow[i] = value(i, r);
#pragma omp target update to(table)
}

static void changed_in_part(int r) {
  table[9] = shadow[9] = r + 1000;
  table[10] = -1; /* not sent */
#pragma omp target update to(table[9 : 1])
}

static void changed_by_memcpy(int r) {
  int device = omp_get_default_device(), host = omp_get_initial_device(), fresh[8];
  for (int i = 0; i < 8; i++)
    fresh[i] = shadow[20 + i] = value(i, r + 50);
  void *there = omp_get_mapped_ptr(table, device);
  expect_long("omp_get_mapped_ptr", there != NULL, 1);
  if (there)
    expect_long("omp_target_memcpy", omp_target_memcpy(there, fresh, sizeof fresh, 20 * sizeof(int), 0, device, host), 0);
}

static void changed_through_pointer(int r) {
  int *p = table;
#pragma omp target data use_device_ptr(p)
  {
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < TABLE; i++)
      p[i] = i * 3 + r;
  }
  for (int i = 0; i < TABLE; i++)
    shadow[i] = i * 3 + r;
}

static void changed_by_always(int r) {
  table[0] = shadow[0] = r + 31;
  for (int i = 1; i < TABLE; i++)
    table[i] = shadow[i] = value(i, r + 9);
#pragma omp target data map(always, to : table)
  use_and_compare("always, to");
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    for (int i = 0; i < TABLE; i++)
      table[i] = shadow[i] = value(i, r + 1);
#pragma omp target data map(to : table) map(alloc : out)
    {
      use_and_compare("mapped");
      use_and_compare("unchanged");
      changed_by_kernel(r), use_and_compare("by kernel");
      changed_by_update(r), use_and_compare("by update");
      changed_in_part(r), use_and_compare("in part");
      changed_by_memcpy(r), use_and_compare("by memcpy");
      changed_serially(r), use_and_compare("by a serial region");
      changed_through_pointer(r), use_and_compare("through use_device_ptr");
      changed_by_always(r);
    }
  }
  return check_done("changed");
}
