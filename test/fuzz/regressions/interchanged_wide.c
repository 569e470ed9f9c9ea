// From seed 111088: two loops change places, and of the counter and the wider one that LLVM had made of it for the accesses only one did.
#include <stdio.h>
enum { OUTER = 40, INNER = 30, ALL = OUTER * INNER };
struct best { long value, at; };
#pragma omp declare target
static struct best none(void) {
  struct best made;
  made.value = 1000, made.at = -1;
  return made;
}
static struct best least(struct best a, struct best b) { return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a; }
#pragma omp end declare target
#pragma omp declare reduction(least : struct best : omp_out = least(omp_out, omp_in)) initializer(omp_priv = none())
static int from[ALL], to[ALL], want[ALL];

int main(void) {
  int failures = 0;
  for (int i = 0; i < ALL; i++) from[i] = i * 37 % 1024;
  for (int i = 0; i < OUTER; i++)
    for (int j = 0; j < INNER; j++) want[j * OUTER + i] = from[j + INNER * i] & 1023;
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < ALL; i++) to[i] = -1;
    struct best best = none();
#pragma omp target teams distribute parallel for collapse(2) reduction(least : best) map(tofrom : to) map(to : from)
    for (int i = 0; i < OUTER; i++)
      for (int j = 0; j < INNER; j++) {
        unsigned bits = (unsigned)i & 255;
        while (bits > 2) bits >>= 1;
        to[j * OUTER + i] = from[j + INNER * i] & 1023;
      }
    failures += best.value != 1000 || best.at != -1;
    for (int i = 0; i < ALL; i++) failures += to[i] != want[i];
  }
  printf("%s interchanged_wide %016x\n", failures ? "FAIL" : "PASS", failures);
  return failures != 0;
}
