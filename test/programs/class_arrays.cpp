// Arrays of a reduction whose elements are of a class, with an element a lane: operators by reference and by value, fields of their own, neutral
// elements by constructors, by initializer clauses, and from the original; more threads than a team has room for; and operators that do more.
// RUN: %check_program %s %t
#include "check.h"

#include <algorithm>
#include <vector>

enum { WIDE = 32, NARROW = 8 };

struct Five { // 48 bytes, the tag made of the rest
  double p[5];
  unsigned long tag;
  void mark() {
    tag = 0;
    for (int i = 0; i < 5; i++)
      tag |= (unsigned long)(long)p[i];
  }
  Five() : Five(0) {}
  explicit Five(double x) {
    for (unsigned i = 0; i < 5; i++)
      p[i] = x;
    mark();
  }
  Five &operator+=(const Five &o) {
    for (unsigned i = 5; i-- > 0;)
      p[i] += o.p[i];
    mark();
    return *this;
  }
  Five operator*(double x) const {
    Five r(*this);
    for (double &v : r.p)
      v *= x;
    r.mark();
    return r;
  }
  bool operator<(const Five &o) const {
    for (int i = 0; i < 5; i++)
      if (p[i] != o.p[i])
        return p[i] < o.p[i];
    return false;
  }
  bool operator!=(const Five &o) const { return tag != o.tag || !std::equal(p, p + 5, o.p); }
};
#pragma omp declare reduction(max : Five : omp_out = std::max(omp_out, omp_in)) initializer(omp_priv(omp_orig))

struct Three { // 12 bytes
  int x, y, z;
};
#pragma omp declare reduction(add : Three : omp_out.x += omp_in.x, omp_out.y ^= omp_in.y, omp_out.z = omp_out.z < omp_in.z ? omp_in.z : omp_out.z) \
    initializer(omp_priv = {0, 0, -1000})

struct Pair { // 16 bytes, by value
  long a, b;
  Pair() : a(0), b(0) {}
  Pair(long a, long b) : a(a), b(b) {}
  Pair &operator+=(const Pair &o) { return *this = Pair(a + o.a, b + o.b); }
};

static std::vector<Five> fives(long n, int seed) {
  std::vector<Five> v(n * WIDE);
  for (long i = 0; i < n * WIDE; i++) {
    for (int k = 0; k < 5; k++)
      v[i].p[k] = value(i, seed + k) - 30 * (k == 0);
    v[i].mark();
  }
  return v;
}

static void sums(Five *out, const Five *in, long n) {
#pragma omp target teams distribute parallel for reduction(+ : out[0 : WIDE]) map(tofrom : out[0 : WIDE]) map(to : in[0 : n * WIDE])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < WIDE; j++)
      out[j] += in[i * WIDE + j];
}

// 1,024 threads, half as many places in shared memory.
static void many_threads(Five *out, const Five *in, long n) {
#pragma omp target teams distribute parallel for reduction(+ : out[0 : WIDE]) map(tofrom : out[0 : WIDE]) map(to : in[0 : n * WIDE]) thread_limit(1024)
  for (long i = 0; i < n; i++)
    for (int j = 0; j < WIDE; j++)
      out[j] += in[i * WIDE + j] * double(1 + (i & 1)); // an object of the inner loop's own
}

static void largest(Five *out, const Five *in, long n) {
#pragma omp target teams distribute parallel for reduction(max : out[0 : WIDE]) map(tofrom : out[0 : WIDE]) map(to : in[0 : n * WIDE])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < WIDE; j++)
      out[j] = std::max(out[j], in[i * WIDE + j]);
}

static void one_after_the_other(Five *s, Five *m, const Five *in, long n) {
#pragma omp target map(tofrom : s[0 : WIDE], m[0 : WIDE]) map(to : in[0 : n * WIDE])
#pragma omp teams reduction(+ : s[0 : WIDE]) reduction(max : m[0 : WIDE])
  {
#pragma omp distribute parallel for reduction(+ : s[0 : WIDE])
    for (long i = 0; i < n; i++)
      for (int j = 0; j < WIDE; j++)
        s[j] += in[i * WIDE + j];
#pragma omp distribute parallel for reduction(max : m[0 : WIDE])
    for (long i = 0; i < n; i++)
      for (int j = 0; j < WIDE; j++)
        m[j] = std::max(m[j], in[i * WIDE + j]);
  }
}

static void by_fields(Three *out, const Three *in, long n) {
#pragma omp target teams distribute parallel for reduction(add : out[0 : NARROW]) map(tofrom : out[0 : NARROW]) map(to : in[0 : n * NARROW])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < NARROW; j++) {
      out[j].x += in[i * NARROW + j].x;
      out[j].y ^= in[i * NARROW + j].y;
      if (out[j].z < in[i * NARROW + j].z)
        out[j].z = in[i * NARROW + j].z;
    }
}

static void by_value(Pair *out, const Pair *in, long n) {
#pragma omp target teams distribute parallel for reduction(+ : out[0 : 16]) map(tofrom : out[0 : 16]) map(to : in[0 : n * 16])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 16; j++)
      out[j] += in[i * 16 + j];
}

// An operator that keeps an address: each thread has its array.
struct Odd {
  long v;
  Odd *self;
  Odd() : v(0), self(nullptr) {}
  Odd &operator+=(const Odd &o) {
    self = this;
    v += o.v + (self != this);
    return *this;
  }
};

static void keeps_address(Odd *out, const Odd *in, long n) {
#pragma omp target teams distribute parallel for reduction(+ : out[0 : WIDE]) map(tofrom : out[0 : WIDE]) map(to : in[0 : n * WIDE])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < WIDE; j++)
      out[j] += in[i * WIDE + j];
}

static void with_fives(long n, int seed) {
  std::vector<Five> in = fives(n, seed), out(WIDE, Five(3)), want(out), twice(WIDE), want_twice(WIDE);
  sums(out.data(), in.data(), n);
  for (long i = 0; i < n * WIDE; i++) {
    want[i % WIDE] += in[i];
    want_twice[i % WIDE] += in[i] * double(1 + (i / WIDE & 1));
  }
  expect_bytes("sums", out.data(), want.data(), sizeof(Five) * WIDE);
  many_threads(twice.data(), in.data(), n);
  expect_bytes("many threads", twice.data(), want_twice.data(), sizeof(Five) * WIDE);

  std::vector<Five> most(WIDE), later(WIDE, Five(3)), most_later, want_most;
  for (int j = 0; j < WIDE; j++)
    most[j] = Five(j % 5 == 0 ? 200 + j : -50 - j); // some stay the largest
  most_later = want_most = most;
  for (long i = 0; i < n * WIDE; i++)
    want_most[i % WIDE] = std::max(want_most[i % WIDE], in[i]);
  largest(most.data(), in.data(), n);
  expect_bytes("largest", most.data(), want_most.data(), sizeof(Five) * WIDE);
  one_after_the_other(later.data(), most_later.data(), in.data(), n);
  expect_bytes("sums, then largest: sums", later.data(), want.data(), sizeof(Five) * WIDE);
  expect_bytes("sums, then largest: largest", most_later.data(), want_most.data(), sizeof(Five) * WIDE);
}

static void with_small_ones(long n, int seed) {
  std::vector<Three> in(n * NARROW), out(NARROW, {1, 2, -7}), want(out);
  for (long i = 0; i < n * NARROW; i++) {
    in[i] = {value(i, seed), value(i, seed + 1) << 20, value(i, seed + 2) - 60};
    Three &w = want[i % NARROW];
    w = {w.x + in[i].x, w.y ^ in[i].y, std::max(w.z, in[i].z)};
  }
  by_fields(out.data(), in.data(), n);
  expect_bytes("by fields", out.data(), want.data(), sizeof(Three) * NARROW);

  std::vector<Pair> pairs(n * 16), total(16, Pair(5, 6)), want_total(total);
  std::vector<Odd> odds(n * WIDE), odd(WIDE);
  std::vector<long> want_odd(WIDE);
  for (long i = 0; i < n * 16; i++)
    want_total[i % 16] += pairs[i] = Pair(value(i, seed), -value(i, seed + 5));
  for (long i = 0; i < n * WIDE; i++)
    want_odd[i % WIDE] += odds[i].v = value(i, seed + 6);
  by_value(total.data(), pairs.data(), n);
  expect_bytes("by value", total.data(), want_total.data(), sizeof(Pair) * 16);
  keeps_address(odd.data(), odds.data(), n);
  for (int j = 0; j < WIDE; j++)
    expect_long("keeps an address", odd[j].v, want_odd[j]);
}

int main() {
  const long sizes[] = {37, 0, 1, 75};
  for (int r = 0; r < rounds(); r++) {
    with_fives(sizes[r % 4], r);
    with_small_ones(sizes[(r + 1) % 4], r);
  }
  return check_done("class_arrays");
}
