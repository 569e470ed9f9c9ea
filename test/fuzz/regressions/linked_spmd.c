// FLAGS=-foffload-lto
// The link makes an SPMD kernel of what the compile leaves generic, and launches it without the warp that a generic one has for its first
// thread: with a thread limit below a warp's size the versions, which stay generic, would have no thread for the inner loop.
#include <stdio.h>

struct located { long value, at; };

#pragma omp declare target
static struct located least(struct located a, struct located b) {
  return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
#pragma omp end declare target
#pragma omp declare reduction(least : struct located : omp_out = least(omp_out, omp_in)) initializer(omp_priv = (struct located){1000, -1})

static struct located smallest(int rows, int columns) {
  struct located found = {1000, -1};
#pragma omp target teams distribute thread_limit(3) reduction(least : found)
  for (int i = 0; i < rows; i++) {
#pragma omp parallel for simd reduction(least : found)
    for (int j = 0; j < columns; j++) {
      struct located here = {1 + i + j, i * columns + j};
      found = least(found, here);
    }
  }
  return found;
}

int main(void) {
  int bad = 0;
  for (int round = 0; round < 12; round++) {
    struct located found = smallest(1, 1);
    bad += found.value != 1 || found.at != 0;
  }
  printf("%s linked_spmd\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
