module;
#include <stdlib.h>
export module regions;

export inline int sum(const int *a) {
  int s = 0;
#pragma place constant(a)
#pragma omp target teams distribute parallel for map(to : a[:8]) reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += a[i];
  return abs(s);
}
