// Several translation units in C and C++, compiled apart and together: device functions, variables, templates.
// RUN: %simt_cc -O2 -c %S/Inputs/units_other.c -o %t.other.o && %simt_cxx -O2 -c %s -o %t.o
// RUN: %simt_cxx %t.o %t.other.o -o %t && %t | %FileCheck %s
// RUN: %simt_cc -O2 %t.other.o %s -o %t.both -lstdc++ && %t.both | %FileCheck %s
// CHECK: 0 wrong, counter 64
#include <cstdio>
#include <vector>

#pragma omp begin declare target
extern "C" int triple(int);
extern "C" int counter;
template <typename T> T twice(T x) { return x + x; }
#pragma omp end declare target
extern "C" int read_counter();

int main() {
  std::vector<int> out(64);
  int *p = out.data();
#pragma omp target teams distribute parallel for map(from : p[0 : 64])
  for (int i = 0; i < 64; i++) {
    p[i] = twice(triple(i));
#pragma omp atomic
    counter++;
  }
  int wrong = 0;
  for (int i = 0; i < 64; i++)
    wrong += p[i] != 6 * i;
  std::printf("%d wrong, counter %d\n", wrong, read_counter());
  return wrong;
}
