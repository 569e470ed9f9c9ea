/* LULESH, CalcHourglassControlForElems: for each element, the coordinates of its eight nodes, the derivatives of its volume
 * with respect to them, and its volume.
 *   lulesh_hourglass_control [small|paper|large] [--edge ELEMENTS] [--launches N] */
#include "problems/hexmesh.h"

#include <math.h>

struct arrays { /* [8 * elements], determinant [elements] */
  double *dvdx, *dvdy, *dvdz, *x8, *y8, *z8, *determinant;
};

/* Twelve times the derivative of a hexahedron's volume with respect to one coordinate of a node: (a, b) are the other two
 * coordinates, in cyclic order, of the six nodes that share a face with it: those three across, then the edges' ends. */
static inline double volume_derivative(const double *a, const double *b, int n0, int n1, int n2, int n3, int n4, int n5) {
  return ((a[n1] + a[n2]) * (b[n0] + b[n1]) - (a[n0] + a[n1]) * (b[n1] + b[n2]) + (a[n0] + a[n4]) * (b[n3] + b[n4]) -
          (a[n3] + a[n4]) * (b[n0] + b[n4]) - (a[n2] + a[n5]) * (b[n3] + b[n5]) + (a[n3] + a[n5]) * (b[n2] + b[n5])) /
         12;
}

/* One coordinate's eight derivatives. */
static inline void volume_derivatives(const double *a, const double *b, double *out) {
  out[0] = volume_derivative(a, b, 1, 2, 3, 4, 5, 7);
  out[1] = volume_derivative(a, b, 2, 3, 0, 5, 6, 4);
  out[2] = volume_derivative(a, b, 3, 0, 1, 6, 7, 5);
  out[3] = volume_derivative(a, b, 0, 1, 2, 7, 4, 6);
  out[4] = volume_derivative(a, b, 7, 6, 5, 0, 3, 1);
  out[5] = volume_derivative(a, b, 4, 7, 6, 1, 0, 2);
  out[6] = volume_derivative(a, b, 5, 4, 7, 2, 1, 3);
  out[7] = volume_derivative(a, b, 6, 5, 4, 3, 2, 0);
}

static inline void control_element(int e, const int *node, const double *x, const double *y, const double *z,
                                   const double *initial_volume, const double *relative_volume, struct arrays out) {
  double x8[CORNERS], y8[CORNERS], z8[CORNERS];
  for (int c = 0; c < CORNERS; c++) {
    int at = node[CORNERS * e + c];
    out.x8[CORNERS * e + c] = x8[c] = x[at];
    out.y8[CORNERS * e + c] = y8[c] = y[at];
    out.z8[CORNERS * e + c] = z8[c] = z[at];
  }
  volume_derivatives(y8, z8, out.dvdx + CORNERS * e);
  volume_derivatives(z8, x8, out.dvdy + CORNERS * e);
  volume_derivatives(x8, y8, out.dvdz + CORNERS * e);
  out.determinant[e] = initial_volume[e] * relative_volume[e];
}

static void control(int elements, const int *node, const double *x, const double *y, const double *z,
                    const double *initial_volume, const double *relative_volume, struct arrays out) {
  double *dvdx = out.dvdx, *dvdy = out.dvdy, *dvdz = out.dvdz, *x8 = out.x8, *y8 = out.y8, *z8 = out.z8;
  double *determinant = out.determinant;
#pragma omp target teams distribute parallel for
  for (int e = 0; e < elements; e++) {
    struct arrays to = {dvdx, dvdy, dvdz, x8, y8, z8, determinant};
    control_element(e, node, x, y, z, initial_volume, relative_volume, to);
  }
}

static struct arrays new_arrays(int elements) {
  struct arrays a;
  double **const member[] = {&a.dvdx, &a.dvdy, &a.dvdz, &a.x8, &a.y8, &a.z8, &a.determinant};
  for (int i = 0; i < 7; i++)
    *member[i] = bench_alloc((size_t)(i < 6 ? CORNERS : 1) * elements, sizeof(double));
  return a;
}

/* Against the host's call of the same function, and against geometry: the derivatives times the coordinates add up to three
 * times the volume in each direction, which all three directions must agree on. */
static double check(const struct hexmesh *m, const double *initial_volume, const double *relative_volume, struct arrays got) {
  struct arrays expected = new_arrays(m->elements);
  for (int e = 0; e < m->elements; e++)
    control_element(e, m->node, m->x, m->y, m->z, initial_volume, relative_volume, expected);
  size_t corners = (size_t)CORNERS * m->elements;
  double worst = hexmesh_error(0, got.dvdx, expected.dvdx, corners);
  worst = hexmesh_error(worst, got.dvdy, expected.dvdy, corners);
  worst = hexmesh_error(worst, got.dvdz, expected.dvdz, corners);
  worst = hexmesh_error(worst, got.x8, expected.x8, corners);
  worst = hexmesh_error(worst, got.y8, expected.y8, corners);
  worst = hexmesh_error(worst, got.z8, expected.z8, corners);
  for (int e = 0; e < m->elements; e++) {
    double sum[3] = {0}, scale = 0; /* large terms cancel in thin elements */
    for (int i = CORNERS * e; i < CORNERS * (e + 1); i++) {
      sum[0] += got.dvdx[i] * got.x8[i];
      sum[1] += got.dvdy[i] * got.y8[i];
      sum[2] += got.dvdz[i] * got.z8[i];
      scale += fabs(got.dvdx[i] * got.x8[i]) + fabs(got.dvdy[i] * got.y8[i]) + fabs(got.dvdz[i] * got.z8[i]);
    }
    worst = bench_worse(worst, sum[1], sum[0], scale);
    worst = bench_worse(worst, sum[2], sum[0], scale);
  }
  return hexmesh_error(worst, got.determinant, expected.determinant, m->elements);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("lulesh_hourglass_control", argc, argv);
  struct hexmesh m = hexmesh_open(&b);
  bench_ready(&b);
  int elements = m.elements, nodes = m.nodes, *node = m.node;
  size_t corners = (size_t)CORNERS * elements;
  double *x = m.x, *y = m.y, *z = m.z, *initial_volume = bench_doubles(elements, 1),
         *relative_volume = bench_doubles(elements, 2);
  struct arrays out = new_arrays(elements);
  double *dvdx = out.dvdx, *dvdy = out.dvdy, *dvdz = out.dvdz, *x8 = out.x8, *y8 = out.y8, *z8 = out.z8;
  double *determinant = out.determinant;

#pragma omp target data map(to : node[0 : corners], x[0 : nodes], y[0 : nodes], z[0 : nodes], initial_volume[0 : elements]) \
    map(to : relative_volume[0 : elements]) map(from : dvdx[0 : corners], dvdy[0 : corners], dvdz[0 : corners]) \
    map(from : x8[0 : corners], y8[0 : corners], z8[0 : corners], determinant[0 : elements])
  while (bench_next(&b))
    control(elements, node, x, y, z, initial_volume, relative_volume, out);

  double error = check(&m, initial_volume, relative_volume, out);
  uint64_t checksum = bench_checksum_on(bench_checksum(dvdx, corners * sizeof *dvdx), dvdy, corners * sizeof *dvdy);
  checksum = bench_checksum_on(checksum, dvdz, corners * sizeof *dvdz);
  return bench_close(&b, bench_checksum_on(checksum, determinant, elements * sizeof *determinant), error, 1e-10);
}
