/* Tables of every scalar element type and of structs of scalars, read by all threads (uniform), by position, and at
 * positions that follow from data. */
// RUN: %check_program %s %t
#include "check.h"

enum { N = 1000, TABLE = 50 };

struct pair {
  int first;
  float second;
};
struct mixed {
  double d;
  short s[3];
  char c;
  char pad;
};

#define TEST_TYPE(type, name)                                                                                             \
  static void name(int round) {                                                                                           \
    type table[TABLE], *in = malloc(N * sizeof(type)), *out = malloc(N * sizeof(type)), *want = malloc(N * sizeof(type)); \
    for (int i = 0; i < TABLE; i++)                                                                                       \
      table[i] = (type)(value(i, round) % 11);                                                                            \
    for (int i = 0; i < N; i++)                                                                                           \
      in[i] = (type)(value(i, 5) % TABLE);                                                                                \
    _Pragma("omp target data map(to : table, in[0 : N]) map(from : out[0 : N])") {                                        \
      _Pragma("omp target teams distribute parallel for") for (int i = 0; i < N; i++) {                                   \
        type sum = 0;                                                                                                     \
        for (int j = 0; j < 9; j++)                                                                                       \
          sum += table[j];                                                                                                \
        out[i] = (type)(sum % 7 + in[i] + table[(int)in[i]]);                                                             \
      }                                                                                                                   \
    }                                                                                                                     \
    for (int i = 0; i < N; i++) {                                                                                         \
      type sum = 0;                                                                                                       \
      for (int j = 0; j < 9; j++)                                                                                         \
        sum += table[j];                                                                                                  \
      want[i] = (type)(sum % 7 + in[i] + table[(int)in[i]]);                                                              \
    }                                                                                                                     \
    expect_bytes(#name, out, want, N * sizeof(type));                                                                     \
    free(in);                                                                                                             \
    free(out);                                                                                                            \
    free(want);                                                                                                           \
  }

TEST_TYPE(signed char, type_char)
TEST_TYPE(unsigned char, type_uchar)
TEST_TYPE(short, type_short)
TEST_TYPE(unsigned short, type_ushort)
TEST_TYPE(int, type_int)
TEST_TYPE(unsigned, type_unsigned)
TEST_TYPE(long, type_long)
TEST_TYPE(unsigned long, type_ulong)

static void floating(int round) {
  float f[TABLE], fo[N], fw[N];
  double d[TABLE], dout[N], dw[N];
  for (int i = 0; i < TABLE; i++)
    f[i] = value(i, round), d[i] = value(i, round + 1) * 0.5;
#pragma omp target teams distribute parallel for map(to : f, d) map(from : fo, dout)
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < TABLE; j++)
      s += f[j] * (j & 3);
    fo[i] = s + f[i % TABLE];
    dout[i] = d[(i * 7) % TABLE] + d[3] * 2;
  }
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < TABLE; j++)
      s += f[j] * (j & 3);
    fw[i] = s + f[i % TABLE];
    dw[i] = d[(i * 7) % TABLE] + d[3] * 2;
  }
  expect_bytes("float", fo, fw, sizeof fo);
  expect_bytes("double", dout, dw, sizeof dout);
}

static void structs(int round) {
  struct pair p[TABLE], po[N], pw[N];
  struct mixed m[TABLE];
  double mo[N], mw[N];
  memset(m, 0, sizeof m);
  for (int i = 0; i < TABLE; i++) {
    p[i] = (struct pair){value(i, round), (float)value(i, 3)};
    m[i].d = value(i, 4);
    m[i].s[i % 3] = (short)value(i, round);
    m[i].c = (char)(i % 5);
  }
#pragma omp target teams distribute parallel for map(to : p, m) map(from : po, mo)
  for (int i = 0; i < N; i++) {
    po[i] = p[(i * 3) % TABLE];
    po[i].first += p[1].first;
    mo[i] = m[i % TABLE].d + m[i % TABLE].s[i % 3] + m[7].c;
  }
  for (int i = 0; i < N; i++) {
    pw[i] = p[(i * 3) % TABLE];
    pw[i].first += p[1].first;
    mw[i] = m[i % TABLE].d + m[i % TABLE].s[i % 3] + m[7].c;
  }
  expect_bytes("struct pair", po, pw, sizeof po);
  expect_bytes("struct mixed", mo, mw, sizeof mo);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    type_char(r), type_uchar(r), type_short(r), type_ushort(r);
    type_int(r), type_unsigned(r), type_long(r), type_ulong(r);
    floating(r), structs(r);
  }
  return check_done("types");
}
