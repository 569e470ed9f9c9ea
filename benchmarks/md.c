/* Lennard-Jones forces from neighbour lists: atoms of a disturbed lattice, numbered along it, or at random with `shuffled`.
 *   md [small|paper|large] [--side ATOMS] [shuffled] [--launches N] */
#include "common/bench.h"

#include <math.h>

/* Neighbours are the atoms of the 5 x 5 x 5 places around. */
enum { REACH = 2, MOST_NEIGHBOURS = 124 };

#define CUTOFF_SQUARED 4.0f
#define LJ1 1.5f
#define LJ2 2.0f

struct force {
  float x, y, z;
};

/* Neighbour j of atom i is neighbour[j * n + i]. */
static inline struct force force_on(int i, int n, const float *x, const float *y, const float *z, const int *neighbour,
                                    const int *neighbours) {
  struct force sum = {0, 0, 0};
  for (int j = 0; j < neighbours[i]; j++) {
    int other = neighbour[j * n + i];
    float dx = x[i] - x[other], dy = y[i] - y[other], dz = z[i] - z[other];
    float squared = dx * dx + dy * dy + dz * dz;
    if (squared < CUTOFF_SQUARED) {
      float inverse = 1.0f / squared, sixth = inverse * inverse * inverse;
      float pull = inverse * sixth * (LJ1 * sixth - LJ2);
      sum.x += dx * pull;
      sum.y += dy * pull;
      sum.z += dz * pull;
    }
  }
  return sum;
}

static void compute_forces(int n, const float *x, const float *y, const float *z, const int *neighbour, const int *neighbours,
                           float *fx, float *fy, float *fz) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    struct force f = force_on(i, n, x, y, z, neighbour, neighbours);
    fx[i] = f.x;
    fy[i] = f.y;
    fz[i] = f.z;
  }
}

static double check(int n, const float *x, const float *y, const float *z, const int *neighbour, const int *neighbours,
                    const float *fx, const float *fy, const float *fz) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(n); s++) {
    size_t i = bench_sample(s, n);
    double sum[3] = {0}, scale[3] = {0};
    for (int j = 0; j < neighbours[i]; j++) {
      int other = neighbour[(size_t)j * n + i];
      float d[3] = {x[i] - x[other], y[i] - y[other], z[i] - z[other]};
      double squared = (double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2],
             sixth = 1 / (squared * squared * squared);
      for (int c = 0; c < 3 && squared < CUTOFF_SQUARED; c++) {
        sum[c] += d[c] * sixth / squared * (LJ1 * sixth - LJ2);
        scale[c] += fabs(d[c] * sixth / squared) * (LJ1 * sixth + LJ2);
      }
    }
    worst = bench_worse(worst, fx[i], sum[0], scale[0]);
    worst = bench_worse(worst, fy[i], sum[1], scale[1]);
    worst = bench_worse(worst, fz[i], sum[2], scale[2]);
  }
  return worst;
}

/* The atom at each place of the lattice, and each atom's neighbours. */
static void make_neighbours(int side, const int *name, int *neighbour, int *neighbours) {
  int n = side * side * side;
  for (int place = 0; place < n; place++) {
    int x = place % side, y = place / side % side, z = place / side / side, i = name[place], count = 0;
    for (int dz = -REACH; dz <= REACH; dz++)
      for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
          int inside = x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side && z + dz >= 0 && z + dz < side;
          if (inside && (dx || dy || dz))
            neighbour[(size_t)count++ * n + i] = name[((z + dz) * side + y + dy) * side + x + dx];
        }
    neighbours[i] = count;
  }
}

/* Places a unit apart, each atom up to a sixth of one beside its own. */
static void make_atoms(int side, const int *name, float *x, float *y, float *z) {
  for (int place = 0; place < side * side * side; place++) {
    int i = name[place];
    x[i] = (float)(place % side) + x[i] / 3 - 1 / 6.0f;
    y[i] = (float)(place / side % side) + y[i] / 3 - 1 / 6.0f;
    z[i] = (float)(place / side / side) + z[i] / 3 - 1 / 6.0f;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("md", argc, argv);
  int side = (int)bench_size(&b, "side", 7, 42, 96), shuffled = bench_flag(&b, "shuffled"), n = side * side * side;
  bench_ready(&b);
  int *name = bench_order(n, shuffled ? 4 : 0), *neighbours = bench_alloc(n, sizeof *neighbours);
  size_t pairs = (size_t)n * MOST_NEIGHBOURS;
  int *neighbour = bench_alloc(pairs, sizeof *neighbour);
  float *x = bench_floats(n, 1), *y = bench_floats(n, 2), *z = bench_floats(n, 3);
  float *fx = bench_alloc(n, sizeof *fx), *fy = bench_alloc(n, sizeof *fy), *fz = bench_alloc(n, sizeof *fz);
  make_neighbours(side, name, neighbour, neighbours);
  make_atoms(side, name, x, y, z);

#pragma omp target data map(to : x[0 : n], y[0 : n], z[0 : n], neighbour[0 : pairs], neighbours[0 : n]) map(from : fx[0 : n]) \
    map(from : fy[0 : n], fz[0 : n])
  while (bench_next(&b))
    compute_forces(n, x, y, z, neighbour, neighbours, fx, fy, fz);

  double error = check(n, x, y, z, neighbour, neighbours, fx, fy, fz);
  uint64_t checksum = bench_checksum_on(bench_checksum(fx, n * sizeof *fx), fy, n * sizeof *fy);
  return bench_close(&b, bench_checksum_on(checksum, fz, n * sizeof *fz), error, 1e-5);
}
