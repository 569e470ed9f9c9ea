/* A mesh of hexahedra as LULESH's: edge^3 elements, (edge + 1)^3 nodes, disturbed coordinates. For the lulesh_*.c programs.
 * The nodes of an element are node[8 * element + 0..7]: four around its lower face, then four around its upper one. */
#ifndef PLACE_PROBLEM_HEXMESH_H
#define PLACE_PROBLEM_HEXMESH_H

#include "../common/bench.h"

enum { CORNERS = 8 };

struct hexmesh {
  int edge, elements, nodes;
  int *node;         /* [8 * elements] */
  double *x, *y, *z; /* [nodes] */
};

/* Reads --edge: elements along one side of the cube. */
static inline struct hexmesh hexmesh_open(struct bench *b) {
  struct hexmesh m;
  m.edge = (int)bench_size(b, "edge", 8, 45, 90);
  m.elements = m.edge * m.edge * m.edge;
  int line = m.edge + 1, plane = line * line;
  m.nodes = plane * line;
  m.node = (int *)bench_alloc((size_t)CORNERS * m.elements, sizeof *m.node);
  for (int e = 0; e < m.elements; e++) {
    int first = e / (m.edge * m.edge) * plane + e / m.edge % m.edge * line + e % m.edge;
    const int corner[CORNERS] = {0, 1, line + 1, line, plane, plane + 1, plane + line + 1, plane + line};
    for (int c = 0; c < CORNERS; c++)
      m.node[CORNERS * e + c] = first + corner[c];
  }
  m.x = bench_doubles(m.nodes, 11);
  m.y = bench_doubles(m.nodes, 12);
  m.z = bench_doubles(m.nodes, 13);
  for (int i = 0; i < m.nodes; i++) {
    m.x[i] = (i % line + 0.25 * m.x[i]) / m.edge;
    m.y[i] = (i / line % line + 0.25 * m.y[i]) / m.edge;
    m.z[i] = (i / plane + 0.25 * m.z[i]) / m.edge;
  }
  return m;
}

/* The largest deviation of a result from the host's, relative to the largest value of the host's. */
static inline double hexmesh_error(double worst, const double *got, const double *expected, size_t count) {
  double scale = 0;
  for (size_t i = 0; i < count; i++)
    scale = bench_worse(scale, expected[i], 0, 1);
  for (size_t i = 0; i < count; i++)
    worst = bench_worse(worst, got[i], expected[i], scale);
  return worst;
}

#endif
