/* Breadth-first search from node 0, level by level: all nodes are looked at in each. A ring with a number of random edges from
 * each node, so that every node is reached.
 *   bfs [small|paper|large] [--nodes N] [--edges PER_NODE] [--launches N] */
#include "common/bench.h"

/* Gives the neighbours of the nodes of `level` the next one, and sets found[0] if there were any to give it to. */
static void expand(const int *edge_start, const int *edge, int *level_of, int *found, int nodes, int level) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < nodes; i++) {
    if (level_of[i] != level)
      continue;
    for (int k = edge_start[i]; k < edge_start[i + 1]; k++)
      if (level_of[edge[k]] < 0) {
#pragma omp atomic write
        level_of[edge[k]] = level + 1;
#pragma omp atomic write
        found[0] = 1;
      }
  }
}

static void search(const int *edge_start, const int *edge, int *level_of, int *found, int nodes) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < nodes; i++)
    level_of[i] = i == 0 ? 0 : -1;
  for (int level = 0; level == 0 || found[0]; level++) {
    found[0] = 0;
#pragma omp target update to(found[0 : 1])
    expand(edge_start, edge, level_of, found, nodes, level);
#pragma omp target update from(found[0 : 1])
  }
}

/* The host's search keeps a queue. */
static double count_wrong(const int *edge_start, const int *edge, const int *level_of, int nodes) {
  int *expected = bench_alloc(nodes, sizeof *expected), *queue = bench_alloc(nodes, sizeof *queue), end = 1;
  double wrong = 0;
  for (int i = 1; i < nodes; i++)
    expected[i] = -1;
  for (int at = 0; at < end; at++)
    for (int k = edge_start[queue[at]]; k < edge_start[queue[at] + 1]; k++)
      if (expected[edge[k]] < 0) {
        expected[edge[k]] = expected[queue[at]] + 1;
        queue[end++] = edge[k];
      }
  for (int i = 0; i < nodes; i++)
    wrong += level_of[i] != expected[i];
  return wrong + (end != nodes);
}

int main(int argc, char **argv) {
  struct bench b = bench_open("bfs", argc, argv);
  int nodes = (int)bench_size(&b, "nodes", 500, 1 << 20, 1 << 23), per_node = (int)bench_option(&b, "edges", 6);
  bench_ready(&b);
  size_t edges = (size_t)nodes * per_node;
  int *edge_start = bench_alloc(nodes + 1, sizeof *edge_start), *edge = bench_ints(edges, nodes, 1);
  int *level_of = bench_alloc(nodes, sizeof *level_of), *found = bench_alloc(1, sizeof *found);
  for (int i = 0; i < nodes; i++) {
    edge_start[i + 1] = edge_start[i] + per_node;
    edge[edge_start[i]] = (i + 1) % nodes;
  }

#pragma omp target data map(to : edge_start[0 : nodes + 1], edge[0 : edges]) map(from : level_of[0 : nodes]) \
    map(alloc : found[0 : 1])
  while (bench_next(&b))
    search(edge_start, edge, level_of, found, nodes);

  return bench_close(&b, bench_checksum(level_of, nodes * sizeof *level_of), count_wrong(edge_start, edge, level_of, nodes), 0);
}
