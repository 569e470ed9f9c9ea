/* Iterations that go different ways, several of them carried out by one thread: branches within branches, ways that meet in one
 * place or in two, loops that iterations leave at different times, what is computed there and used behind. */
// RUN: %check_program --simt %s %t
#include "check.h"

enum { W = 61, N = W * 47, TABLE = 29 };
static int a[N + TABLE], o[N], p[N], ho[N], hp[N], table[TABLE];

/* ---- each as a macro of one iteration, for the device and for the host ---- */

#define BRANCHES(i)                                                                                                                        \
  int v = a[i], s = table[v % TABLE];                                                                                                      \
  if (v > 40) {                                                                                                                            \
    s += a[i + 1];                                                                                                                         \
    if (v & 1)                                                                                                                             \
      s = s * 2 + table[s % TABLE];                                                                                                        \
    else if (flag)                                                                                                                         \
      s -= a[i + 2];                                                                                                                       \
  } else {                                                                                                                                 \
    s -= table[i % TABLE];                                                                                                                 \
  }                                                                                                                                        \
  o[i] = s + v;

#define LOOPS(i)                                                                                                                           \
  int k = 0, s = 0;                                                                                                                        \
  while (k < TABLE && a[i + k] != 7) {                                                                                                     \
    s += a[i + k] * table[k];                                                                                                              \
    k++;                                                                                                                                   \
  }                                                                                                                                        \
  for (int j = 0; j < a[i] % 5; j++) {                                                                                                     \
    if (table[j] > 50)                                                                                                                     \
      continue;                                                                                                                            \
    s += j * a[i + j];                                                                                                                     \
  }                                                                                                                                        \
  o[i] = s * 31 + k;

#define IN_PLACE(i)                                                                                                                        \
  if (a[i] % 3) {                                                                                                                          \
    p[i] += a[i];                                                                                                                          \
    if (p[i] > 30)                                                                                                                         \
      p[i] -= table[p[i] % TABLE];                                                                                                         \
  }                                                                                                                                        \
  o[i] = o[i] + p[i];

#define SWITCHES(i)                                                                                                                        \
  int s = 1;                                                                                                                               \
  for (int k = 0; k < 4; k++) {                                                                                                            \
    switch ((a[i + k] + k) % 4) {                                                                                                          \
    case 0: s += table[k]; break;                                                                                                          \
    case 1: s *= 2;                                                                                                                        \
    case 2: s -= a[i]; break;                                                                                                              \
    default: k += flag;                                                                                                                    \
    }                                                                                                                                      \
    s &= 0xffff;                                                                                                                           \
  }                                                                                                                                        \
  o[i] = s;

#define GUARDED(i, x, y)                                                                                                                   \
  if (x > 0 && x < W - 1 && y > 1)                                                                                                         \
    o[i] = a[i - 1] + a[i + 1] + a[i - W] + a[i - 2 * W] - 4 * a[i];                                                                       \
  else                                                                                                                                     \
    o[i] = flag ? a[i] : p[i];

#define REGION1(name, body)                                                                                                                \
  static void name(int *a, const int *table, int *o, int *p, int n, int flag) {                                                            \
    _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++) { body(i) }                                            \
  }                                                                                                                                        \
  static void name##_host(int *o, int *p, int n, int flag) {                                                                               \
    for (int i = 0; i < n; i++) { body(i) }                                                                                                \
  }

#define REGION2(name, body)                                                                                                                \
  static void name(int *a, const int *table, int *o, int *p, int n, int flag) {                                                            \
    _Pragma("omp target teams distribute parallel for collapse(2)") for (int y = 0; y < n / W; y++) for (int x = 0; x < W; x++) {          \
      int i = y * W + x;                                                                                                                   \
      body(i)                                                                                                                              \
    }                                                                                                                                      \
  }                                                                                                                                        \
  static void name##_host(int *o, int *p, int n, int flag) {                                                                               \
    for (int y = 0; y < n / W; y++)                                                                                                        \
      for (int x = 0; x < W; x++) {                                                                                                        \
        int i = y * W + x;                                                                                                                 \
        body(i)                                                                                                                            \
      }                                                                                                                                    \
  }

#define INSIDE(i) GUARDED(i, x, y)

REGION1(branches, BRANCHES)
REGION1(loops, LOOPS)
REGION1(in_place, IN_PLACE)
REGION1(switches, SWITCHES)
REGION2(plane_branches, BRANCHES)
REGION2(plane_loops, LOOPS)
REGION2(guarded, INSIDE)

typedef void region(int *a, const int *table, int *o, int *p, int n, int flag);
typedef void host(int *o, int *p, int n, int flag);

static void check(const char *what, region *device, host *reference, int n, int flag) {
#pragma omp target data map(to : a, table) map(tofrom : o, p)
  device(a, table, o, p, n, flag);
  reference(ho, hp, n, flag);
  expect_bytes(what, o, ho, sizeof o);
  expect_bytes(what, p, hp, sizeof p);
}

int main(void) {
  static const int sizes[] = {N, 512, 700};
  for (int r = 0; r < rounds(); r++)
    for (int s = 0; s < 3; s++) {
      for (int i = 0; i < N + TABLE; i++)
        a[i] = value(i, r);
      for (int i = 0; i < TABLE; i++)
        table[i] = value(i, r + 5);
      for (int i = 0; i < N; i++)
        o[i] = ho[i] = -i, p[i] = hp[i] = i % 50;
      int n = sizes[s], flag = r & 1;
      check("branches", branches, branches_host, n, flag);
      check("loops", loops, loops_host, n, flag);
      check("in place", in_place, in_place_host, n, flag);
      check("switches", switches, switches_host, n, flag);
      check("plane branches", plane_branches, plane_branches_host, n, flag);
      check("plane loops", plane_loops, plane_loops_host, n, flag);
      check("guarded", guarded, guarded_host, n, flag);
    }
  return check_done("blocks_parted");
}
