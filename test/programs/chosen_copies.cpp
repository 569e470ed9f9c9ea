// Structures of a thread's own that are copied as a whole: the greater of two by reference, as std::max gives it, in reductions over teams
// and in loops within an iteration; onto themselves; under a condition; packed, and with members of every size; sums and maxima in
// one loop, and in two of one region, by operators of the class.
// RUN: %check_program %s %t
#include "check.h"

namespace {

enum { MOST = 1200, TRIES = 9 };

template <typename T> const T &greater(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> const T &less(const T &a, const T &b) { return b < a ? b : a; }

struct Vector {
  double v[5];
  unsigned long tag;

  Vector() : Vector(0) {}
  explicit Vector(double all) {
    for (double &x : v)
      x = all;
    setTag();
  }
  void setTag() {
    tag = 0;
    for (double x : v)
      tag |= static_cast<unsigned long>(x);
  }
  Vector &operator+=(const Vector &other) {
    for (int i = 0; i < 5; i++)
      v[i] += other.v[i];
    setTag();
    return *this;
  }
  Vector operator+(const Vector &other) const {
    Vector sum(*this);
    sum += other;
    return sum;
  }
  bool operator<(const Vector &other) const {
    for (int i = 0; i < 5; i++)
      if (v[i] != other.v[i])
        return v[i] < other.v[i];
    return false;
  }
};

struct Best {
  double value;
  int at;
  short of;
  char kind;
  bool operator<(const Best &other) const { return value < other.value || (value == other.value && at < other.at); }
};

struct __attribute__((packed)) Odd {
  char kind;
  short of;
  int at;
  bool operator<(const Odd &other) const { return key() < other.key(); }
  long key() const { return (at * 1000L + of) * 10 + kind; }
};

#pragma omp declare reduction(max : Vector : omp_out = greater(omp_out, omp_in)) initializer(omp_priv = Vector(-1))
#pragma omp declare reduction(max : Best : omp_out = greater(omp_out, omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(min : Odd : omp_out = less(omp_out, omp_in)) initializer(omp_priv = omp_orig)

Vector vectors[MOST];
Best bests[MOST];
Odd odds[MOST];
int rows[MOST];

void expect(const char *what, const Vector &got, const Vector &want) { expect_bytes(what, &got, &want, sizeof got); }
void expect(const char *what, const Best &got, const Best &want) {
  expect_bytes(what, &got.value, &want.value, sizeof got.value);
  expect_long(what, got.at * 1000L + got.of * 10 + got.kind, want.at * 1000L + want.of * 10 + want.kind);
}
void expect(const char *what, const Odd &got, const Odd &want) { expect_bytes(what, &got, &want, sizeof got); }

void fill(int seed) {
  for (int i = 0; i < MOST; i++) {
    vectors[i] = Vector(value(i, seed));
    vectors[i].v[4] = value(i, seed + 1);
    vectors[i].setTag();
    bests[i] = {static_cast<double>(value(i, seed) % 40), i, static_cast<short>(i % 7), static_cast<char>(i % 5)};
    odds[i] = {static_cast<char>(i % 3), static_cast<short>(value(i, seed)), value(i, seed + 2)};
    rows[i] = (value(i, seed) * 13 + i) % MOST;
  }
}

void greatest(int n) {
  Vector most(-1), want_most(-1);
  Best best = {-1, 0, 0, 0}, want_best = best;
  Odd odd = {0, 0, 1 << 20}, want_odd = odd;
#pragma omp target teams distribute parallel for reduction(max : most) map(to : vectors[0 : n]) map(tofrom : most)
  for (int i = 0; i < n; i++)
    most = greater(most, vectors[i]);
#pragma omp target teams distribute parallel for reduction(max : best) map(to : bests[0 : n]) map(tofrom : best)
  for (int i = 0; i < n; i++)
    best = greater(best, bests[i]);
#pragma omp target teams distribute parallel for reduction(min : odd) map(to : odds[0 : n], rows) map(tofrom : odd)
  for (int i = 0; i < n; i++)
    if (rows[i] % 4)
      odd = less(odds[rows[i] % n], odd);
  for (int i = 0; i < n; i++) {
    want_most = greater(want_most, vectors[i]);
    want_best = greater(want_best, bests[i]);
    if (rows[i] % 4)
      want_odd = less(odds[rows[i] % n], want_odd);
  }
  expect("greatest vector", most, want_most);
  expect("best", best, want_best);
  expect("least odd one", odd, want_odd);
}

void together(int n) {
  Vector sum(0), want_sum(0), most(-1), want_most(-1);
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) map(to : vectors[0 : n]) map(tofrom : sum, most)
  for (int i = 0; i < n; i++) {
    sum += vectors[i];
    most = greater(most, vectors[i]);
  }
  Vector sum2(0), most2(-1);
#pragma omp target map(to : vectors[0 : n]) map(tofrom : sum2, most2)
#pragma omp teams num_teams(6) reduction(+ : sum2) reduction(max : most2)
  {
#pragma omp distribute parallel for reduction(+ : sum2)
    for (int i = 0; i < n; i++)
      sum2 += vectors[i];
#pragma omp distribute parallel for reduction(max : most2)
    for (int i = 0; i < n; i++)
      most2 = greater(most2, vectors[i]);
  }
  for (int i = 0; i < n; i++) {
    want_sum += vectors[i];
    want_most = greater(want_most, vectors[i]);
  }
  expect("sum", sum, want_sum);
  expect("most", most, want_most);
  expect("sum of two loops", sum2, want_sum);
  expect("most of two loops", most2, want_most);
}

// By a pointer that is carried from one try to the next: where it leads is not where the last one was.
void carried(int n) {
  static Best got[2 * MOST], want[2 * MOST];
#pragma omp target teams distribute parallel for map(to : bests[0 : n], rows) map(from : got[0 : 2 * n])
  for (int i = 0; i < n; i++) {
    Best first = bests[i], last;
    const Best *best = &first;
    int j = 0;
    do {
      const Best *one = &bests[(i + rows[j]) % n];
      best = *best < *one ? one : best;
      last = *best;
      last.of = static_cast<short>(last.of + j);
    } while (++j < TRIES);
    got[2 * i] = *best;
    got[2 * i + 1] = last;
  }
  for (int i = 0; i < n; i++) {
    const Best *best = &bests[i];
    for (int j = 0; j < TRIES; j++)
      best = &greater(*best, bests[(i + rows[j]) % n]);
    want[2 * i] = want[2 * i + 1] = *best;
    want[2 * i + 1].of = static_cast<short>(best->of + TRIES - 1);
  }
  for (int i = 0; i < 2 * n; i++)
    expect("carried", got[i], want[i]);
}

// The best of an iteration's tries, and the one before it.
void tries(int n) {
  static Best got[2 * MOST], want[2 * MOST];
#pragma omp target teams distribute parallel for map(to : bests[0 : n], rows) map(from : got[0 : 2 * n])
  for (int i = 0; i < n; i++) {
    Best best = bests[i], second = best;
    for (int j = 1; j < TRIES; j++) {
      const Best &one = bests[(i + rows[j]) % n];
      second = greater(second, less(best, one));
      best = greater(best, one);
      best = greater(best, best);
    }
    got[2 * i] = best;
    got[2 * i + 1] = second;
  }
  for (int i = 0; i < n; i++) {
    Best best = bests[i], second = best;
    for (int j = 1; j < TRIES; j++) {
      const Best &one = bests[(i + rows[j]) % n];
      second = greater(second, less(best, one));
      best = greater(best, one);
    }
    want[2 * i] = best;
    want[2 * i + 1] = second;
  }
  for (int i = 0; i < 2 * n; i++)
    expect("tries", got[i], want[i]);
}

} // namespace

int main() {
  for (int r = 0; r < rounds(); r++) {
    int n = MOST - 31 * (r % 4);
    fill(r);
    greatest(n);
    together(n);
    tries(n);
    carried(n);
  }
  return check_done("chosen_copies");
}
