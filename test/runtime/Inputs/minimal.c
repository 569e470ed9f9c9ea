#include <stdio.h>
int main(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  x += 20;
#pragma omp target map(tofrom : x)
  x += 22;
  fflush(stderr);
  printf("%d\n", x);
}
