// clang 19's own, without the plugin, too: hangs with 1 to 127 threads (argument 1; 128 pass). __kmpc_dispatch_init waits at the
// barrier of the whole team (number 8), which threads beyond num_threads never reach; in a generic kernel it is also the barrier at
// which the main thread waits for the end of the parallel region, and goes on too early (several regions a team: elements unwritten).
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 40, bad = 0;
  int a[12][10];
  for (int i = 0; i < 120; i++) a[i / 10][i % 10] = -1;
#pragma omp target teams distribute map(tofrom : a)
  for (int i = 0; i < 12; i++) {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int j = 0; j < 10; j++) a[i][j] = i * j;
  }
  for (int i = 0; i < 120; i++) bad += a[i / 10][i % 10] != (i / 10) * (i % 10);
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
