/* What must keep iterations from being carried out in blocks: arrays that are the same or overlap, reads through pointers
 * that nobody follows, several stores to one place, teams and threads that the program asks for, elements that lie across
 * their own alignment. And what must not: sections, pointers to the middle of an object. */
// RUN: %check_program %s %t
// RUN: env OMP_TEAMS_THREAD_LIMIT=64 %check_program --simt %s %t.limit
// RUN: env OMP_THREAD_LIMIT=32 OMP_NUM_TEAMS=3 %check_program --simt %s %t.threads
#include "check.h"

enum { SIDE = 97, N = SIDE * SIDE };
static int seed;
static int a[N + 200], o[N + 200], p[N + 200], want[N + 200], want_p[N + 200];

static void fill(void) {
  for (int i = 0; i < N + 200; i++)
    a[i] = value(i, seed), o[i] = want[i] = -i, p[i] = want_p[i] = i;
}

static void expect(const char *what) {
  expect_bytes(what, o, want, sizeof o);
  expect_bytes(what, p, want_p, sizeof p);
}

/* ---- the same memory under two names ---- */

static void add_one(const int *in, int *out, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      out[y * n + x] = in[y * n + x] * 2 + 1;
}

static void turn(const int *in, int *out, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      out[x * n + y] = in[y * n + x] * 2 + 1;
}

static void sums(const int *in, int *out, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = 0; k < m; k++)
      sum += in[i + k];
    out[i] = sum;
  }
}

static void aliases(void) {
  fill();
#pragma omp target data map(tofrom : o)
  add_one(o, o, SIDE);
  for (int i = 0; i < N; i++)
    want[i] = want[i] * 2 + 1;
  expect("in place");
  fill();
#pragma omp target data map(tofrom : o)
  sums(o, o + 4000, 3900, 40); /* reads up to 3939 */
  for (int i = 0; i < 3900; i++) {
    want[4000 + i] = 0;
    for (int k = 0; k < 40; k++)
      want[4000 + i] += want[i + k];
  }
  expect("sections of one object");
  fill();
#pragma omp target data map(tofrom : o) map(to : a)
  {
    turn(a + 100, o + 7, SIDE);
    turn(a + 1, o + 9, 3);
  }
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      want[7 + x * SIDE + y] = a[100 + y * SIDE + x] * 2 + 1;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      want[9 + x * 3 + y] = a[1 + y * 3 + x] * 2 + 1;
  expect("the middle of objects");
}

/* Two outputs that are the same memory: the later store wins. */
static void store_twice(const int *in, int *first, int *second, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      first[x * n + y] = in[y * n + x];
      for (int k = 0; k < 3; k++)
        if (in[x + k] > 50)
          second[x * n + y] = in[x + k];
    }
}

static void stores(void) {
  fill();
#pragma omp target data map(tofrom : o, p) map(to : a)
  {
    store_twice(a, o, p, SIDE);
    store_twice(a, o, o, SIDE);
  }
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      want[x * SIDE + y] = a[y * SIDE + x];
      for (int k = 0; k < 3; k++)
        if (a[x + k] > 50)
          want[x * SIDE + y] = want_p[x * SIDE + y] = a[x + k];
    }
  expect("two outputs");
  fill();
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      o[x * SIDE + y] = a[y * SIDE + x];
      for (int k = 0; k < 3; k++)
        if (a[x + k] > 50)
          o[x * SIDE + y] = a[x + k] + y % 7;
    }
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      want[x * SIDE + y] = a[y * SIDE + x];
      for (int k = 0; k < 3; k++)
        if (a[x + k] > 50)
          want[x * SIDE + y] = a[x + k] + y % 7;
    }
  expect("two stores");
}

/* ---- reads that lead to no array of the region ---- */

static __attribute__((noinline, pure)) int look(const int *from, int at) { return from[at] * 3 + from[at] % 5; }

#pragma omp declare target
int blocks_table[N];
#pragma omp end declare target

static void elsewhere(void) {
  /* Rows found through pointers; what is written is among what is read. */
  fill();
  static int *row[SIDE];
#pragma omp target data map(tofrom : o) map(to : a)
  {
#pragma omp target teams distribute parallel for map(from : row)
    for (int y = 0; y < SIDE; y++)
      row[y] = &o[y * SIDE];
#pragma omp target teams distribute parallel for collapse(2) map(to : row)
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++)
        o[y * SIDE + x] = row[y][x] * 2 + a[x];
  }
  for (int i = 0; i < N; i++)
    want[i] = want[i] * 2 + a[i % SIDE];
  expect("rows");
  /* A function that reads what is written. */
  fill();
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o)
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      o[y * SIDE + x] = look(o, y * SIDE + x) + a[x];
  for (int i = 0; i < N; i++)
    want[i] = look(want, i) + a[i % SIDE];
  expect("call that reads");
  /* A variable of the device, and a pointer to it. */
  fill();
  for (int i = 0; i < N; i++)
    blocks_table[i] = i;
#pragma omp target update to(blocks_table)
  int *alias = blocks_table;
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(alias [0:N])
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      alias[y * SIDE + x] = blocks_table[y * SIDE + x] * 2 + a[x];
#pragma omp target update from(blocks_table)
  for (int i = 0; i < N; i++)
    o[i] = blocks_table[i], want[i] = i * 2 + a[i % SIDE];
  expect("device variable");
}

/* ---- what the program asks for, and looks at ---- */

#define REGION(WHAT, CLAUSES, BODY, HOST)                                                                                    \
  do {                                                                                                                       \
    fill();                                                                                                                  \
    PRAGMA(omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : o, p) CLAUSES)                      \
    for (int y = 0; y < SIDE; y++)                                                                                           \
      for (int x = 0; x < SIDE; x++)                                                                                         \
        BODY;                                                                                                                \
    PRAGMA(omp taskwait)                                                                                                     \
    for (int y = 0; y < SIDE; y++)                                                                                           \
      for (int x = 0; x < SIDE; x++)                                                                                         \
        HOST;                                                                                                                \
    expect(WHAT);                                                                                                            \
  } while (0)
#define PRAGMA(...) PRAGMA_(__VA_ARGS__)
#define PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define TURN(o) (o)[x * SIDE + y] = a[y * SIDE + x] + a[x]

static void clauses(void) {
  REGION("num_teams", num_teams(3), TURN(o), TURN(want));
  REGION("thread_limit", thread_limit(64), TURN(o), TURN(want));
  REGION("both", num_teams(5) thread_limit(256), TURN(o), TURN(want));
  REGION("schedule static", schedule(static), TURN(o), TURN(want));
  REGION("schedule chunks", schedule(static, 1), TURN(o), TURN(want));
  REGION("dist_schedule", dist_schedule(static), TURN(o), TURN(want));
  REGION("dist_schedule chunks", dist_schedule(static, 40), TURN(o), TURN(want));
  REGION("nowait", nowait, TURN(o), TURN(want));
}

/* Elements that lie across their own alignment. */
static void unaligned(int n, int m) {
  static unsigned char bytes[4 * N + 800];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)value((long)i, seed);
  fill();
#define GATHER(out)                                                                                                          \
  do {                                                                                                                       \
    unsigned sum = 0, one;                                                                                                   \
    for (int k = 0; k < m; k++) {                                                                                            \
      memcpy(&one, bytes + 3 + 4 * (i + k), sizeof one);                                                                     \
      sum += one * (unsigned)k;                                                                                              \
    }                                                                                                                        \
    out[i] = (int)sum;                                                                                                       \
  } while (0)
#pragma omp target teams distribute parallel for map(to : bytes) map(tofrom : o)
  for (int i = 0; i < n; i++)
    GATHER(o);
  for (int i = 0; i < n; i++)
    GATHER(want);
  expect("unaligned");
}

/* Sections that do not begin where their arrays do. */
static void sections(int from, int n) {
  fill();
  int *all = malloc((size_t)(n + from + 64) * sizeof *all), *made = calloc((size_t)(n + from + 1), sizeof *made);
  int *host = calloc((size_t)(n + from + 1), sizeof *host);
  for (int i = 0; i < n + from + 64; i++)
    all[i] = value(i, seed);
#define SLIDE(out)                                                                                                           \
  do {                                                                                                                       \
    int sum = 0;                                                                                                             \
    for (int k = 0; k < 48; k++)                                                                                             \
      sum += all[from + i + k] * a[k];                                                                                       \
    out[from + i] = sum;                                                                                                     \
  } while (0)
#pragma omp target teams distribute parallel for map(to : all [from:n + 47], a [0:48]) map(tofrom : made [from:n])
  for (int i = 0; i < n; i++)
    SLIDE(made);
  for (int i = 0; i < n; i++)
    SLIDE(host);
  expect_bytes("sections", made, host, (size_t)(n + from) * sizeof *made);
  free(all), free(made), free(host);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    seed = r;
    aliases();
    stores();
    elsewhere();
    clauses();
    unaligned(1000 + r, 30 + r % 8);
    sections(100 + r, 1000);
    sections(513, 512 + r % 3);
  }
  return check_done("blocks_legal");
}
