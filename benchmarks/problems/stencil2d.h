/* Nine-point stencil over a grid with a fixed border (SHOC's stencil2d), `steps` steps from the same start: options, input and
 * check of stencil2d.c and cuda/stencil2d.cu.
 *   [small|paper|large] [--width N] [--rows N] [--columns N] [--steps N] */
#ifndef PLACE_PROBLEM_STENCIL2D_H
#define PLACE_PROBLEM_STENCIL2D_H

#include "../common/bench.h"

#define STENCIL2D_CENTRE 0.25f
#define STENCIL2D_SIDE 0.15f
#define STENCIL2D_DIAGONAL 0.05f

struct stencil2d {
  int rows, columns, steps;
  size_t cells;
  float *start, *out, *other; /* both with start's border; the last step belongs into out */
};

static inline struct stencil2d stencil2d_open(struct bench *b) {
  struct stencil2d p;
  int width = (int)bench_size(b, "width", 80, 4096, 8192);
  p.rows = (int)bench_option(b, "rows", width);
  p.columns = (int)bench_option(b, "columns", width);
  p.steps = (int)bench_size(b, "steps", 3, 10, 100);
  p.cells = (size_t)p.rows * p.columns;
  p.start = bench_floats(p.cells, 1);
  p.out = bench_floats(p.cells, 1);
  p.other = bench_floats(p.cells, 1);
  return p;
}

/* The host takes all steps in double precision around some cells: those up to `steps` away decide. */
static inline double stencil2d_around(const struct stencil2d *p, int cy, int cx, double *from, double *to) {
  int reach = p->steps, width = 2 * reach + 1;
  for (int s = 0; s <= p->steps; s++) {
    for (int y = s; y < width - s; y++)
      for (int x = s; x < width - s; x++) {
        int row = cy - reach + y, column = cx - reach + x, i = y * width + x;
        if (row < 0 || column < 0 || row >= p->rows || column >= p->columns)
          continue;
        int border = row == 0 || column == 0 || row == p->rows - 1 || column == p->columns - 1;
        if (s == 0 || border) {
          to[i] = p->start[(size_t)row * p->columns + column];
          continue;
        }
        double side = from[i - width] + from[i + width] + from[i - 1] + from[i + 1];
        double diagonal = from[i - width - 1] + from[i - width + 1] + from[i + width - 1] + from[i + width + 1];
        to[i] = STENCIL2D_CENTRE * (double)from[i] + STENCIL2D_SIDE * (double)side + STENCIL2D_DIAGONAL * (double)diagonal;
      }
    double *kept = from;
    from = to;
    to = kept;
  }
  return from[reach * width + reach];
}

static inline int stencil2d_close(struct stencil2d *p, struct bench *b) {
  size_t width = 2 * p->steps + 1, step = p->cells > 65536 ? 32 : 7;
  double worst = 0, *from = (double *)bench_alloc(width * width, sizeof *from),
         *to = (double *)bench_alloc(width * width, sizeof *to);
  for (size_t s = 0; s < bench_samples(p->cells); s += step) {
    size_t i = bench_sample(s, p->cells);
    worst = bench_worse(worst, p->out[i], stencil2d_around(p, (int)(i / p->columns), (int)(i % p->columns), from, to), 1);
  }
  return bench_close(b, bench_checksum(p->out, p->cells * sizeof *p->out), worst, 1e-5);
}

#endif
