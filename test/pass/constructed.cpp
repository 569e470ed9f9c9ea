// What the constructor of a private copy writes is the copy's, also through functions that have variables of their own: all that a region
// does still stands in its loop, and a thread may add up over all of the grid's iterations. One that counts elsewhere can be seen.
// RUN: %clangxx -O3 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-place-dump=table 2>&1 | %FileCheck %s
// REQUIRES: plugin, cuda
struct parts {
  double p[3];
  unsigned seen;
  static void note(const unsigned &at, unsigned &seen) { seen |= 1u << at; }
  parts() : seen(0) {
    for (unsigned i = 0; i < 3; ++i)
      p[i] = 0, note(i, seen);
  }
  parts &operator+=(const parts &other) {
    for (unsigned i = 3; i-- > 0;)
      p[i] += other.p[i];
    return *this;
  }
};

// CHECK-LABEL: region {{.*}}own
// CHECK: role=plan loop=strided
void own(parts &all, const parts *of, int n) {
#pragma omp target teams distribute parallel for reduction(+ : all)
  for (int i = 0; i < n; i++)
    all += of[i];
}

#pragma omp declare target
int constructed;
#pragma omp end declare target

struct counted {
  int sum;
  counted() : sum(0) {
#pragma omp atomic
    ++constructed;
  }
  counted &operator+=(const counted &other) {
    sum += other.sum;
    return *this;
  }
};

// CHECK-LABEL: region {{.*}}seen
// CHECK-NOT: loop=strided
void seen(counted &all, const counted *of, int n) {
#pragma omp target teams distribute parallel for reduction(+ : all)
  for (int i = 0; i < n; i++)
    all += of[i];
}
