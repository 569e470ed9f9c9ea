/* A filter over the inner cells of a two-dimensional grid, with a table of weights: options, input and check of box.c, star.c
 * and their CUDA counterparts. Cells nearer than `radius` to the border keep what they held.
 *   [small|paper|large] [--width N] [--rows N] [--columns N] [--radius R]
 * Box: (2 R + 1)^2 weights, row by row. Star: weight[0] of the cell, weight[d] of its four neighbours at distance d. */
#ifndef PLACE_PROBLEM_GRID_H
#define PLACE_PROBLEM_GRID_H

#include "../common/bench.h"

#include <math.h>

struct grid {
  int rows, columns, radius, weights;
  size_t cells;
  float *in, *weight, *out;
};

static inline struct grid grid_open(struct bench *b, int is_box) {
  struct grid p;
  int width = (int)bench_size(b, "width", 72, 4096, 16384);
  p.rows = (int)bench_option(b, "rows", width);
  p.columns = (int)bench_option(b, "columns", width);
  p.radius = (int)bench_option(b, "radius", 1);
  p.weights = is_box ? (2 * p.radius + 1) * (2 * p.radius + 1) : p.radius + 1;
  p.cells = (size_t)p.rows * p.columns;
  p.in = bench_floats(p.cells, 1);
  p.weight = bench_floats(p.weights, 2);
  p.out = (float *)bench_alloc(p.cells, sizeof *p.out);
  return p;
}

static inline void grid_add(const struct grid *p, size_t y, size_t x, int dy, int dx, int weight, double *sum, double *scale) {
  double term = (double)p->weight[weight] * p->in[(y + dy) * p->columns + x + dx];
  *sum += term;
  *scale += fabs(term);
}

static inline void grid_add_box(const struct grid *p, size_t y, size_t x, double *sum, double *scale) {
  int r = p->radius;
  for (int j = -r; j <= r; j++)
    for (int i = -r; i <= r; i++)
      grid_add(p, y, x, j, i, (j + r) * (2 * r + 1) + i + r, sum, scale);
}

static inline void grid_add_star(const struct grid *p, size_t y, size_t x, double *sum, double *scale) {
  grid_add(p, y, x, 0, 0, 0, sum, scale);
  for (int d = 1; d <= p->radius; d++) {
    grid_add(p, y, x, d, 0, d, sum, scale);
    grid_add(p, y, x, -d, 0, d, sum, scale);
    grid_add(p, y, x, 0, d, d, sum, scale);
    grid_add(p, y, x, 0, -d, d, sum, scale);
  }
}

/* Also checks that border cells are still zero. */
static inline double grid_error(const struct grid *p, int is_box) {
  double worst = 0;
  size_t r = p->radius;
  for (size_t s = 0; s < bench_samples(p->cells); s++) {
    size_t i = bench_sample(s, p->cells), y = i / p->columns, x = i % p->columns;
    double sum = 0, scale = 0;
    if (y >= r && y + r < (size_t)p->rows && x >= r && x + r < (size_t)p->columns) {
      if (is_box)
        grid_add_box(p, y, x, &sum, &scale);
      else
        grid_add_star(p, y, x, &sum, &scale);
    }
    worst = bench_worse(worst, p->out[i], sum, scale);
  }
  return worst;
}

static inline int grid_close(struct grid *p, struct bench *b, int is_box) {
  double error = grid_error(p, is_box);
  uint64_t checksum = bench_checksum(p->out, p->cells * sizeof *p->out);
  return bench_close(b, checksum, error, 1e-5);
}

#endif
