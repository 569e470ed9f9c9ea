/* LULESH, AddNodeForcesFromElems: each node adds up the forces at its corners of up to eight elements.
 *   lulesh_add_node_forces [small|paper|large] [--edge ELEMENTS] [--launches N] */
#include "problems/hexmesh.h"

static void add(int nodes, const int *first, const int *corner, const double *fx_corner, const double *fy_corner,
                const double *fz_corner, double *fx, double *fy, double *fz) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < nodes; i++) {
    double sum_x = 0, sum_y = 0, sum_z = 0;
    for (int k = first[i]; k < first[i + 1]; k++) {
      sum_x += fx_corner[corner[k]];
      sum_y += fy_corner[corner[k]];
      sum_z += fz_corner[corner[k]];
    }
    fx[i] = sum_x;
    fy[i] = sum_y;
    fz[i] = sum_z;
  }
}

/* The corners of each node: corner[first[i]] .. corner[first[i + 1] - 1] are indices into the elements' nodes. */
static void make_corners(const struct hexmesh *m, int *first, int *corner) {
  int corners = CORNERS * m->elements, *next = bench_alloc(m->nodes, sizeof *next);
  for (int c = 0; c < corners; c++)
    first[m->node[c] + 1]++;
  for (int i = 0; i < m->nodes; i++) {
    first[i + 1] += first[i];
    next[i] = first[i];
  }
  for (int c = 0; c < corners; c++)
    corner[next[m->node[c]]++] = c;
}

/* The host scatters: each corner's force is added to its node. */
static double check(const struct hexmesh *m, const double *corner_force, const double *got) {
  double *expected = bench_alloc(m->nodes, sizeof *expected);
  for (int c = 0; c < CORNERS * m->elements; c++)
    expected[m->node[c]] += corner_force[c];
  return hexmesh_error(0, got, expected, m->nodes);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("lulesh_add_node_forces", argc, argv);
  struct hexmesh m = hexmesh_open(&b);
  bench_ready(&b);
  int nodes = m.nodes, corners = CORNERS * m.elements;
  int *first = bench_alloc(nodes + 1, sizeof *first), *corner = bench_alloc(corners, sizeof *corner);
  double *fx_corner = bench_doubles(corners, 1), *fy_corner = bench_doubles(corners, 2), *fz_corner = bench_doubles(corners, 3);
  double *fx = bench_alloc(nodes, sizeof *fx), *fy = bench_alloc(nodes, sizeof *fy), *fz = bench_alloc(nodes, sizeof *fz);
  make_corners(&m, first, corner);

#pragma omp target data map(to : first[0 : nodes + 1], corner[0 : corners], fx_corner[0 : corners], fy_corner[0 : corners]) \
    map(to : fz_corner[0 : corners]) map(from : fx[0 : nodes], fy[0 : nodes], fz[0 : nodes])
  while (bench_next(&b))
    add(nodes, first, corner, fx_corner, fy_corner, fz_corner, fx, fy, fz);

  double error = bench_worse(check(&m, fx_corner, fx), check(&m, fy_corner, fy), 0, 1);
  error = bench_worse(error, check(&m, fz_corner, fz), 0, 1);
  uint64_t checksum = bench_checksum_on(bench_checksum(fx, nodes * sizeof *fx), fy, nodes * sizeof *fy);
  return bench_close(&b, bench_checksum_on(checksum, fz, nodes * sizeof *fz), error, 1e-14);
}
