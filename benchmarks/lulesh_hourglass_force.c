/* LULESH, CalcFBHourglassForceForElems: for each element, the forces on its eight nodes that damp hourglass modes.
 *   lulesh_hourglass_force [small|paper|large] [--edge ELEMENTS] [--launches N] */
#include "problems/hexmesh.h"

#include <math.h>

enum { MODES = 4 };

struct input {
  const int *node;                                                       /* [8 * elements] */
  const double *gamma;                                                   /* [4 * 8] */
  const double *x8, *y8, *z8, *dvdx, *dvdy, *dvdz;                       /* [8 * elements] */
  const double *determinant, *sound_speed, *element_mass, *vx, *vy, *vz; /* [elements], velocities [nodes] */
  double coefficient;
};

/* Mode i without its part that is linear in the coordinates: 8 values. */
static inline void hourglass_mode(struct input in, int e, int i, double *mode) {
  double inverse = 1 / in.determinant[e], sum_x = 0, sum_y = 0, sum_z = 0;
  for (int c = 0; c < CORNERS; c++) {
    double sign = in.gamma[i * CORNERS + c];
    sum_x += in.x8[CORNERS * e + c] * sign;
    sum_y += in.y8[CORNERS * e + c] * sign;
    sum_z += in.z8[CORNERS * e + c] * sign;
  }
  for (int c = 0; c < CORNERS; c++) {
    int at = CORNERS * e + c;
    mode[c] = in.gamma[i * CORNERS + c] - inverse * (in.dvdx[at] * sum_x + in.dvdy[at] * sum_y + in.dvdz[at] * sum_z);
  }
}

/* One coordinate's force: the velocity's part in each mode, pulled back. */
static inline void damp(double (*mode)[CORNERS], const double *velocity, const int *node, double strength, double *force) {
  double part[MODES] = {0};
  for (int i = 0; i < MODES; i++)
    for (int c = 0; c < CORNERS; c++)
      part[i] += mode[i][c] * velocity[node[c]];
  for (int c = 0; c < CORNERS; c++) {
    double sum = 0;
    for (int i = 0; i < MODES; i++)
      sum += mode[i][c] * part[i];
    force[c] = strength * sum;
  }
}

static inline void force_element(int e, struct input in, double *fx, double *fy, double *fz) {
  double mode[MODES][CORNERS];
  for (int i = 0; i < MODES; i++)
    hourglass_mode(in, e, i, mode[i]);
  double strength = -in.coefficient * 0.01 * in.sound_speed[e] * in.element_mass[e] / cbrt(in.determinant[e]);
  damp(mode, in.vx, in.node + CORNERS * e, strength, fx + CORNERS * e);
  damp(mode, in.vy, in.node + CORNERS * e, strength, fy + CORNERS * e);
  damp(mode, in.vz, in.node + CORNERS * e, strength, fz + CORNERS * e);
}

static void compute(int elements, const int *node, const double *gamma, const double *x8, const double *y8, const double *z8,
                    const double *dvdx, const double *dvdy, const double *dvdz, const double *determinant,
                    const double *sound_speed, const double *element_mass, const double *vx, const double *vy, const double *vz,
                    double *fx, double *fy, double *fz) {
#pragma omp target teams distribute parallel for
  for (int e = 0; e < elements; e++) {
    struct input in = {node, gamma, x8, y8, z8, dvdx, dvdy, dvdz, determinant, sound_speed, element_mass, vx, vy, vz, 3.0};
    force_element(e, in, fx, fy, fz);
  }
}

/* A corner's coordinates of each element, and derivatives of about the size that a volume has. */
static double *corner_values(const struct hexmesh *m, const double *from, double factor, uint64_t seed) {
  double *out = bench_doubles((size_t)CORNERS * m->elements, seed);
  for (size_t i = 0; i < (size_t)CORNERS * m->elements; i++)
    out[i] = from ? from[m->node[i]] : (out[i] - 0.5) * factor;
  return out;
}

static double check(int elements, int corners, struct input in, const double *fx, const double *fy, const double *fz) {
  double *ex = bench_alloc(corners, sizeof *ex), *ey = bench_alloc(corners, sizeof *ey), *ez = bench_alloc(corners, sizeof *ez);
  for (int e = 0; e < elements; e++)
    force_element(e, in, ex, ey, ez);
  double worst = hexmesh_error(0, fx, ex, corners);
  worst = hexmesh_error(worst, fy, ey, corners);
  return hexmesh_error(worst, fz, ez, corners);
}

int main(int argc, char **argv) {
  static const signed char sign[MODES][CORNERS] = {
      {1, 1, -1, -1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1}, {1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, 1, -1, 1, -1}};
  struct bench b = bench_open("lulesh_hourglass_force", argc, argv);
  struct hexmesh m = hexmesh_open(&b);
  bench_ready(&b);
  int elements = m.elements, nodes = m.nodes, *node = m.node, corners = CORNERS * elements;
  double face = 1.0 / m.edge / m.edge, *gamma = bench_alloc(MODES * CORNERS, sizeof *gamma);
  for (int i = 0; i < MODES * CORNERS; i++)
    gamma[i] = sign[i / CORNERS][i % CORNERS];
  double *x8 = corner_values(&m, m.x, 1, 1), *y8 = corner_values(&m, m.y, 1, 1), *z8 = corner_values(&m, m.z, 1, 1);
  double *dvdx = corner_values(&m, NULL, face, 1), *dvdy = corner_values(&m, NULL, face, 2);
  double *dvdz = corner_values(&m, NULL, face, 3), *determinant = bench_doubles(elements, 4);
  double *sound_speed = bench_doubles(elements, 5), *element_mass = bench_doubles(elements, 6);
  double *vx = bench_doubles(nodes, 7), *vy = bench_doubles(nodes, 8), *vz = bench_doubles(nodes, 9);
  double *fx = bench_alloc(corners, sizeof *fx), *fy = bench_alloc(corners, sizeof *fy), *fz = bench_alloc(corners, sizeof *fz);
  for (int e = 0; e < elements; e++)
    determinant[e] = (determinant[e] + 0.5) * face / m.edge;

#pragma omp target data map(to : node[0 : corners], gamma[0 : MODES * CORNERS], x8[0 : corners], y8[0 : corners]) \
    map(to : z8[0 : corners], dvdx[0 : corners], dvdy[0 : corners], dvdz[0 : corners], determinant[0 : elements]) \
    map(to : sound_speed[0 : elements], element_mass[0 : elements], vx[0 : nodes], vy[0 : nodes], vz[0 : nodes]) \
    map(from : fx[0 : corners], fy[0 : corners], fz[0 : corners])
  while (bench_next(&b))
    compute(elements, node, gamma, x8, y8, z8, dvdx, dvdy, dvdz, determinant, sound_speed, element_mass, vx, vy, vz, fx, fy,
            fz);

  struct input in = {node, gamma, x8, y8, z8, dvdx, dvdy, dvdz, determinant, sound_speed, element_mass, vx, vy, vz, 3.0};
  double error = check(elements, corners, in, fx, fy, fz);
  uint64_t checksum = bench_checksum_on(bench_checksum(fx, corners * sizeof *fx), fy, corners * sizeof *fy);
  return bench_close(&b, bench_checksum_on(checksum, fz, corners * sizeof *fz), error, 1e-10);
}
