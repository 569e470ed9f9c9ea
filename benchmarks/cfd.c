/* Euler equations on an unstructured mesh, fluxes into every cell from its four neighbours (compute_flux of Rodinia's cfd,
 * euler3d). Cells of a grid with disturbed faces, numbered as they lie, or at random with `shuffled`.
 *   cfd [small|paper|large] [--cells N] [shuffled] [--launches N] */
#include "common/bench.h"

#include <math.h>

enum { DENSITY, MOMENTUM_X, MOMENTUM_Y, MOMENTUM_Z, ENERGY, VARIABLES, NEIGHBOURS = 4, WALL = -1, FAR_FIELD = -2 };

#define GAMMA 1.4f

struct state {
  float density, mx, my, mz, energy;
};

struct flow {
  float vx, vy, vz, speed, pressure, sound;
};

/* Value v of cell i is value[v * n + i]. */
static inline struct state load_state(const float *value, int n, int i) {
  struct state s = {value[DENSITY * n + i], value[MOMENTUM_X * n + i], value[MOMENTUM_Y * n + i], value[MOMENTUM_Z * n + i],
                    value[ENERGY * n + i]};
  return s;
}

static inline struct flow flow_of(struct state s) {
  struct flow f = {s.mx / s.density, s.my / s.density, s.mz / s.density, 0, 0, 0};
  float squared = f.vx * f.vx + f.vy * f.vy + f.vz * f.vz;
  f.speed = sqrtf(squared);
  f.pressure = (GAMMA - 1) * (s.energy - 0.5f * s.density * squared);
  f.sound = sqrtf(GAMMA * f.pressure / s.density);
  return f;
}

/* Half of the flux of state s through a face with normal (nx, ny, nz), taken off sum. */
static inline void add_flux(struct state *sum, struct state s, struct flow f, float nx, float ny, float nz) {
  float through = 0.5f * (nx * f.vx + ny * f.vy + nz * f.vz), push = 0.5f * f.pressure;
  sum->density -= through * s.density;
  sum->mx -= through * s.mx + push * nx;
  sum->my -= through * s.my + push * ny;
  sum->mz -= through * s.mz + push * nz;
  sum->energy -= through * (s.energy + f.pressure);
}

/* Component c of the normal of face k of cell i is normal[(c * 4 + k) * n + i]. */
static inline struct state flux_of(int i, int n, const int *neighbour, const float *normal, const float *value,
                                   const float *far_field) {
  struct state me = load_state(value, n, i), sum = {0, 0, 0, 0, 0};
  struct flow here = flow_of(me);
  for (int k = 0; k < NEIGHBOURS; k++) {
    int other = neighbour[k * n + i];
    float nx = normal[k * n + i], ny = normal[(NEIGHBOURS + k) * n + i], nz = normal[(2 * NEIGHBOURS + k) * n + i];
    if (other == WALL) {
      sum.mx -= here.pressure * nx;
      sum.my -= here.pressure * ny;
      sum.mz -= here.pressure * nz;
      continue;
    }
    struct state s = other == FAR_FIELD ? load_state(far_field, 1, 0) : load_state(value, n, other);
    struct flow there = flow_of(s);
    float smooth = 0.1f * sqrtf(nx * nx + ny * ny + nz * nz) * (here.speed + there.speed + here.sound + there.sound);
    sum.density -= smooth * (me.density - s.density);
    sum.mx -= smooth * (me.mx - s.mx);
    sum.my -= smooth * (me.my - s.my);
    sum.mz -= smooth * (me.mz - s.mz);
    sum.energy -= smooth * (me.energy - s.energy);
    add_flux(&sum, s, there, nx, ny, nz);
    add_flux(&sum, me, here, nx, ny, nz);
  }
  return sum;
}

static void compute_flux(int n, const int *neighbour, const float *normal, const float *value, const float *far_field,
                         float *flux) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    struct state sum = flux_of(i, n, neighbour, normal, value, far_field);
    flux[DENSITY * n + i] = sum.density;
    flux[MOMENTUM_X * n + i] = sum.mx;
    flux[MOMENTUM_Y * n + i] = sum.my;
    flux[MOMENTUM_Z * n + i] = sum.mz;
    flux[ENERGY * n + i] = sum.energy;
  }
}

/* The host calls the same function: what differs is fused arithmetic, and what went wrong. */
static double check(int n, const int *neighbour, const float *normal, const float *value, const float *far_field,
                    const float *flux) {
  double worst = 0;
  for (size_t s = 0; s < bench_samples(n); s++) {
    int i = (int)bench_sample(s, n);
    struct state expected = flux_of(i, n, neighbour, normal, value, far_field);
    worst = bench_worse(worst, flux[DENSITY * n + i], expected.density, 10);
    worst = bench_worse(worst, flux[MOMENTUM_X * n + i], expected.mx, 10);
    worst = bench_worse(worst, flux[MOMENTUM_Y * n + i], expected.my, 10);
    worst = bench_worse(worst, flux[MOMENTUM_Z * n + i], expected.mz, 10);
    worst = bench_worse(worst, flux[ENERGY * n + i], expected.energy, 10);
  }
  return worst;
}

/* A grid of n cells, `width` in a row; name[] is the number that a cell has. Left and right end in a wall, top and bottom in
 * the far field. */
static void make_mesh(int n, int width, const int *name, int *neighbour, float *normal) {
  static const float direction[NEIGHBOURS][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  for (int cell = 0; cell < n; cell++) {
    int i = name[cell], x = cell % width;
    neighbour[0 * n + i] = x > 0 ? name[cell - 1] : WALL;
    neighbour[1 * n + i] = x < width - 1 && cell + 1 < n ? name[cell + 1] : WALL;
    neighbour[2 * n + i] = cell >= width ? name[cell - width] : FAR_FIELD;
    neighbour[3 * n + i] = cell + width < n ? name[cell + width] : FAR_FIELD;
    for (int k = 0; k < NEIGHBOURS; k++)
      for (int c = 0; c < 3; c++)
        normal[(c * NEIGHBOURS + k) * n + i] += direction[k][c] - 0.25f;
  }
}

static void make_values(int n, float *value) {
  for (int i = 0; i < n; i++) {
    value[DENSITY * n + i] += 1;
    value[ENERGY * n + i] += 4;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("cfd", argc, argv);
  int n = (int)bench_size(&b, "cells", 1500, 232536, 1 << 21), shuffled = bench_flag(&b, "shuffled");
  bench_ready(&b);
  size_t values = (size_t)VARIABLES * n, faces = (size_t)NEIGHBOURS * n;
  int *name = bench_order(n, shuffled ? 4 : 0), *neighbour = bench_alloc(faces, sizeof *neighbour);
  float *normal = bench_floats(3 * faces, 1), *value = bench_floats(values, 2), *flux = bench_alloc(values, sizeof *flux);
  float *far_field = bench_floats(VARIABLES, 3);
  for (size_t i = 0; i < 3 * faces; i++)
    normal[i] *= 0.5f;
  make_mesh(n, (int)sqrt(n), name, neighbour, normal);
  make_values(n, value);
  make_values(1, far_field);

#pragma omp target data map(to : neighbour[0 : faces], normal[0 : 3 * faces], value[0 : values], far_field[0 : VARIABLES]) \
    map(from : flux[0 : values])
  while (bench_next(&b))
    compute_flux(n, neighbour, normal, value, far_field, flux);

  double error = check(n, neighbour, normal, value, far_field, flux);
  return bench_close(&b, bench_checksum(flux, values * sizeof *flux), error, 1e-5);
}
