/* Sums of a class: each thread's and each team's is made by its constructor, and put together by its operators, which take addresses of
 * variables of their own. One counts what is constructed: how many that are is nobody's business, but that it counts can be seen. */
// RUN: %check_program %s %t
#include "check.h"

enum { MOST = 2500, PARTS = 5 };

struct parts {
  double p[PARTS];
  unsigned long seen;

  static void note(const unsigned &at, double part, unsigned long &seen) { seen |= 1ul << (at * 8 + (part != 0)); }
  void look() {
    seen = 0;
    for (unsigned i = 0; i < PARTS; ++i) note(i, p[i], seen);
  }
  parts() {
    for (double &each : p) each = 0;
    look();
  }
  parts &operator+=(const parts &other) {
    for (unsigned i = PARTS; i-- > 0;) p[i] += other.p[i];
    look();
    return *this;
  }
};

static parts of[MOST];

#pragma omp declare target
static int constructed;
#pragma omp end declare target

struct counted {
  long sum;
  counted() : sum(0) {
#pragma omp atomic
    ++constructed;
  }
  counted &operator+=(const counted &other) {
    sum += other.sum;
    return *this;
  }
};

static void sums(int n) {
  parts all;
#pragma omp target teams distribute parallel for map(to : of[ : n]) reduction(+ : all)
  for (int i = 0; i < n; i++)
    all += of[i];
  parts expected;
  for (int i = 0; i < n; i++)
    expected += of[i];
  expect_bytes("parts", &all, &expected, sizeof all);
}

static void counts(int n) {
  counted all;
#pragma omp target teams distribute parallel for reduction(+ : all)
  for (int i = 0; i < n; i++) {
    all.sum += i;
  }
  expect_long("sum", all.sum, (long)n * (n - 1) / 2);
  int some = 0;
#pragma omp target map(from : some)
  some = constructed > 0;
  expect_long("constructed on the device", some, 1);
}

int main(void) {
  for (int i = 0; i < MOST; i++)
    for (int p = 0; p < PARTS; p++) of[i].p[p] = i % (p + 3);
  const int sizes[] = {MOST, 1, 129, 2048};
  for (int n : sizes)
    for (int round = 0; round < rounds() / 4; round++)
      sums(n), counts(n);
  return check_done("constructed");
}
