// clang 19's own, without the plugin, too: where `if(parallel : ...)` of a split construct is false, the kernel still has a whole
// team of threads, and each of them runs the whole loop: elements are increased 128 times. With the combined construct the host asks
// for one thread, and all is right.
#include <stdio.h>
int main(int argc, char **argv) {
  int a[35], bad = 0;
  for (int j = 0; j < 35; j++) a[j] = j;
#pragma omp target teams map(tofrom : a)
#pragma omp distribute parallel for if(parallel : argc > 1)
  for (int j = 0; j < 35; j++) a[j] += 1;
  for (int j = 0; j < 35; j++) bad += a[j] != j + 1;
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
