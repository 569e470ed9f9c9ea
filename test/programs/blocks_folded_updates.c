/* Sequential loops below a parallel one that count from elsewhere than 0, in larger steps, with several counters, or update what they
 * read, and two such loops: dimensions of their own as far as each iteration keeps to its own elements; loops where one reads what another
 * has written. */
// RUN: %check_program %s %t
#include "check.h"

#define LOOP(n) _Pragma("omp target teams distribute parallel for") for (int i = 0; i < (n); i++)

static void update(int *a, const int *in, int n, int m, int first) {
  LOOP(n)
    for (int j = first; j < m; j++)
      a[i * m + j] -= in[i * m + j] - in[i * m + j - 1] + i;
}
static void thirds(int *a, const int *in, int n, int m, int first) {
  LOOP(n)
    for (int j = first; j < m; j += 3)
      a[i * m + j] = in[i * m + j] * (j + 1) + a[i * m + j];
}
/* Down, and with an index of its own that goes on. */
static void down(int *a, const int *in, int n, int m) {
  LOOP(n) {
    int at = i * m;
    for (int j = m - 1; j >= 0; j--)
      a[at++] += in[i * m + j] ^ j;
  }
}
/* From the row's own beginning on. */
static void shifted(int *a, const int *in, int n, int m) {
  LOOP(n)
    for (int j = i; j < i + m; j++)
      a[i * m + j - i] = a[i * m + j - i] * 3 + in[j - i] + j;
}
static void conditional(int *a, int *b, const int *in, int n, int m) {
  LOOP(n)
    for (int j = 1; j < m; j++) {
      if (in[i * m + j] & 1)
        a[i * m + j] += j;
      else
        b[j * n + i] ^= a[i * m + j];
    }
}
/* Each from the one before: not to be folded. */
static void running(int *a, const int *in, int n, int m) {
  LOOP(n)
    for (int j = 1; j < m; j++)
      a[i * m + j] = a[i * m + j - 1] + in[i * m + j];
}
/* The row's first element, which the loop changes, too. */
static void from_first(int *a, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      a[i * m + j] += a[i * m];
}
/* Twice the same one. */
static void twice(int *a, const int *in, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      a[i * m + j / 2] = a[i * m + j / 2] * 5 + in[i * m + j];
}

typedef struct { int n, m; long cells; int *in, *a, *b, *c, *d; } Case;

static int seed;

static void start(Case *c) {
  seed++;
  for (long i = 0; i < c->cells; i++) c->in[i] = value(i, seed), c->a[i] = c->c[i] = value(i, seed + 1), c->b[i] = c->d[i] = value(i, seed + 2);
}
/* in, a and b are mapped while regions run; c and d are the expected a and b. */
static void on_device(Case *c) {
#pragma omp target enter data map(to : c->in[0 : c->cells], c->a[0 : c->cells], c->b[0 : c->cells])
}
static void off_device(Case *c) {
#pragma omp target exit data map(delete : c->in[0 : c->cells]) map(from : c->a[0 : c->cells], c->b[0 : c->cells])
}
static void compare(Case *c, const char *what) {
  expect_bytes(what, c->a, c->c, c->cells * sizeof *c->a);
  expect_bytes(what, c->b, c->d, c->cells * sizeof *c->b);
}

#define CHECK(what, call, row)                     \
  start(c), on_device(c), call, off_device(c);     \
  for (int i = 0; i < n; i++) row                  \
  compare(c, what)

static void check(Case *c) {
  int n = c->n, m = c->m, *a = c->c, *b = c->d, *in = c->in;
  for (int first = 1; first < 4; first++) {
    CHECK("update", update(c->a, in, n, m, first), for (int j = first; j < m; j++) a[i * m + j] -= in[i * m + j] - in[i * m + j - 1] + i;);
    CHECK("thirds", thirds(c->a, in, n, m, first), for (int j = first; j < m; j += 3) a[i * m + j] += in[i * m + j] * (j + 1););
  }
  CHECK("down", down(c->a, in, n, m), for (int j = 0; j < m; j++) a[i * m + j] += in[i * m + m - 1 - j] ^ (m - 1 - j););
  CHECK("shifted", shifted(c->a, in, n, m), for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j] * 3 + in[j] + i + j;);
  CHECK("conditional", conditional(c->a, c->b, in, n, m), for (int j = 1; j < m; j++) if (in[i * m + j] & 1) a[i * m + j] += j; else b[j * n + i] ^= a[i * m + j];);
  CHECK("running", running(c->a, in, n, m), for (int j = 1; j < m; j++) a[i * m + j] = a[i * m + j - 1] + in[i * m + j];);
  CHECK("from_first", from_first(c->a, n, m), for (int j = 0; j < m; j++) a[i * m + j] += a[i * m];);
  CHECK("twice", twice(c->a, in, n, m), for (int j = 0; j < m; j++) a[i * m + j / 2] = a[i * m + j / 2] * 5 + in[i * m + j];);
}

/* What is read lies one element behind what is written: of one row the order matters. */
static void overlapping(int n, int m) {
  long cells = (long)n * m;
  int *a = malloc((cells + 1) * sizeof *a), *expected = malloc((cells + 1) * sizeof *a);
  for (long i = 0; i <= cells; i++) a[i] = expected[i] = value(i, 77);
#pragma omp target data map(tofrom : a[0 : cells + 1])
  {
    const int *in = a;
    int *out = a + 1;
    LOOP(n)
      for (int j = 0; j < m; j++)
        out[i * m + j] += in[i * m + j];
  }
  for (long i = 0; i < cells; i++) expected[i + 1] += expected[i];
  expect_bytes("overlapping", a, expected, (cells + 1) * sizeof *a);
  free(a), free(expected);
}

/* Two loops below one, and one below two: the last dimension runs along memory, or the first, or the middle one. */
static void planes(int *a, const int *in, int n, int m, int l) {
  LOOP(n)
    for (int j = 1; j < m; j++)
      for (int k = 2; k < l; k++)
        a[(i * m + j) * l + k] += in[(i * m + j) * l + k] * j - in[(i * m + j - 1) * l + k - 2] * k;
}
static void planes_across(int *a, const int *in, int n, int m, int l) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      for (int k = l - 1; k >= 0; k--)
        a[(k * m + j) * n + i] = in[(i * m + j) * l + k] + k;
}
static void pairs(int *a, const int *in, int n, int m, int l) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 1; k < l; k += 2)
        a[(i * m + j) * l + k] -= in[(i * m + j) * l + k - 1] + (i * m + j);
}
/* Where both loops come to one element, the last one's stays. */
static void meeting(int *a, const int *in, int n, int m, int l) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        a[i * (m * l) + j + k] = in[(i * m + j) * l + k];
}

/* Cells of several elements, narrow ones, members: each its iteration's own. */
typedef struct { double re, im; } Complex;
typedef struct { unsigned char r, g, b; } Pixel;

static void gray(Pixel *to, const Pixel *from, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++) {
      unsigned char mean = (from[i * m + j].r + 2 * from[i * m + j].g + from[i * m + j].b) / 4;
      to[i * m + j].r = mean, to[i * m + j].b = mean ^ to[i * m + j].r, to[i * m + j].g += mean;
    }
}
static void rotate(Complex *a, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++) {
      double re = a[i * m + j].re;
      a[i * m + j].re = -a[i * m + j].im, a[i * m + j].im = re + j;
    }
}
static void shorts(short *a, const unsigned char *b, int n, int m) {
  LOOP(n)
    for (int j = 1; j < m; j++)
      a[i * m + j] += b[i * m + j] - b[i * m + j - 1];
}
/* The next pixel's first byte is written, too: in order. */
static void touching(unsigned char *a, const unsigned char *b, int n, int m) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      for (int byte = 0; byte < 4; byte++)
        a[i * (3 * m + 1) + 3 * j + byte] = b[i * m + j] + byte;
}
/* How far two columns lie apart is the launch's to say; a cell has two of them. */
static void columns(int *a, const int *b, int n, int m, int apart) {
  LOOP(n)
    for (int j = 0; j < m; j++)
      a[i * (m * apart + 1) + j * apart] = b[i * m + j], a[i * (m * apart + 1) + j * apart + 1] = -b[i * m + j];
}

static void check_cells(int n, int m) {
  long cells = (long)n * m;
  Pixel *p = malloc(2 * cells * sizeof *p), *q = malloc(cells * sizeof *q);
  Complex *z = malloc(cells * sizeof *z), *w = malloc(cells * sizeof *w);
  short *s = malloc(cells * sizeof *s), *t = malloc(cells * sizeof *t);
  unsigned char *b = malloc(cells), *c = calloc(1, 3 * cells + n), *d = calloc(1, 3 * cells + n);
  int *e = malloc(cells * sizeof *e), *f = calloc(3 * cells + n + 1, sizeof *f), *g = calloc(3 * cells + n + 1, sizeof *g);
  for (long i = 0; i < cells; i++) {
    p[i] = (Pixel){value(i, 1), value(i, 2), value(i, 3)}, p[cells + i] = q[i] = (Pixel){i, 2 * i, 3 * i};
    z[i] = w[i] = (Complex){value(i, 4), value(i, 5)};
    s[i] = t[i] = value(i, 6), b[i] = value(i, 7), e[i] = value(i, 8);
  }
#pragma omp target data map(to : p[0 : cells]) map(tofrom : p[cells : cells], z[0 : cells], s[0 : cells], c[0 : 3 * cells + n]) map(to : b[0 : cells])
  {
    gray(p + cells, p, n, m);
    rotate(z, n, m);
    shorts(s, b, n, m);
    touching(c, b, n, m);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      long at = i * m + j;
      unsigned char mean = (p[at].r + 2 * p[at].g + p[at].b) / 4;
      q[at] = (Pixel){mean, q[at].g + mean, 0};
      w[at] = (Complex){-w[at].im, w[at].re + j};
      if (j) t[at] += b[at] - b[at - 1];
      for (int byte = 0; byte < 4; byte++) d[i * (3 * m + 1) + 3 * j + byte] = b[at] + byte;
    }
  expect_bytes("gray", p + cells, q, cells * sizeof *q);
  expect_bytes("rotate", z, w, cells * sizeof *w);
  expect_bytes("shorts", s, t, cells * sizeof *s);
  expect_bytes("touching", c, d, 3 * cells + n);
  for (int apart = 1; apart <= 3; apart++) {
#pragma omp target data map(tofrom : f[0 : 3 * cells + n + 1]) map(to : e[0 : cells])
    columns(f, e, n, m, apart);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        g[i * (m * apart + 1) + j * apart] = e[i * m + j], g[i * (m * apart + 1) + j * apart + 1] = -e[i * m + j];
    expect_bytes("columns", f, g, (3 * cells + n + 1) * sizeof *f);
  }
  free(p), free(q), free(z), free(w), free(s), free(t), free(b), free(c), free(d), free(e), free(f), free(g);
}

static void check_planes(int n, int m, int l) {
  long cells = (long)n * m * l;
  int *in = malloc(cells * sizeof *in), *out = malloc(cells * sizeof *out), *a = malloc(cells * sizeof *a);
  Case whole = {n, m, cells, in, out, out, a, a}, *c = &whole;
#define CHECK_PLANES(what, call, cell)                                                             \
  start(c);                                                                                        \
  _Pragma("omp target enter data map(to : in[0 : cells], out[0 : cells])") call;                   \
  _Pragma("omp target exit data map(delete : in[0 : cells]) map(from : out[0 : cells])")           \
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < l; k++) cell;        \
  expect_bytes(what, out, a, cells * sizeof *a)
#define AT(i, j, k) (((i) * m + (j)) * l + (k))
  CHECK_PLANES("planes", planes(out, in, n, m, l), if (j > 0 && k > 1) a[AT(i, j, k)] += in[AT(i, j, k)] * j - in[AT(i, j - 1, k - 2)] * k);
  CHECK_PLANES("planes_across", planes_across(out, in, n, m, l), a[(k * m + j) * n + i] = in[AT(i, j, k)] + k);
  CHECK_PLANES("pairs", pairs(out, in, n, m, l), if (k % 2) a[AT(i, j, k)] -= in[AT(i, j, k - 1)] + i * m + j);
  CHECK_PLANES("meeting", meeting(out, in, n, m, l), a[i * (m * l) + j + k] = in[AT(i, j, k)]);
  free(in), free(out), free(a);
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {5, 2}, {3, 1000}, {300, 3}, {33, 31}, {64, 65}, {67, 130}, {32, 32}};
  for (int r = 0; r < rounds(); r++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      long cells = (long)sizes[s][0] * sizes[s][1];
      int *all = malloc(5 * cells * sizeof *all);
      check(&(Case){sizes[s][0], sizes[s][1], cells, all, all + cells, all + 2 * cells, all + 3 * cells, all + 4 * cells});
      free(all);
    }
    overlapping(1, 1000);
    check_cells(5, 70);
    check_cells(33, 31);
    check_cells(64, 96);
    check_planes(3, 40, 70);
    check_planes(17, 9, 33);
    check_planes(40, 1, 5);
    check_planes(2, 33, 1);
    check_planes(5, 64, 64);
  }
  return check_done("blocks_folded_updates");
}
