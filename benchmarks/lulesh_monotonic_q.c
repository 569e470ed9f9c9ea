/* LULESH, CalcMonotonicQRegionForElems: artificial viscosity of each element of a region, from the velocity gradients of the
 * element and of its neighbours in three directions, limited to be monotonic.
 *   lulesh_monotonic_q [small|paper|large] [--edge ELEMENTS] [--launches N] */
#include "problems/hexmesh.h"

#include <math.h>

enum { DIRECTIONS = 3, SYMMETRIC = 1, FREE = 2 }; /* what lies beyond a face, two bits each */

#define MONOQ_LIMITER 2.0
#define MONOQ_MAX_SLOPE 1.0
#define QLC 0.5
#define QQC (2.0 / 3)

/* Gradient beyond a face: the neighbour's, the same as here, or none. */
static inline double beyond(const double *gradient, int e, int neighbour, int boundary) {
  return boundary == SYMMETRIC ? gradient[e] : boundary == FREE ? 0.0 : gradient[neighbour];
}

/* How smooth the flow is in a direction: 0 (a shock) to 1. `boundary` holds the two faces' bits. */
static inline double limiter(const double *gradient, const int *lower, const int *upper, int e, int boundary) {
  double norm = 1 / (gradient[e] + 1e-36);
  double below = beyond(gradient, e, lower[e], boundary & 3) * norm;
  double above = beyond(gradient, e, upper[e], boundary >> 2 & 3) * norm;
  double phi = 0.5 * (below + above);
  phi = fmin(phi, fmin(below * MONOQ_LIMITER, above * MONOQ_LIMITER));
  return fmin(fmax(phi, 0.0), MONOQ_MAX_SLOPE);
}

/* One direction's share of the linear and of the quadratic viscosity. */
static inline void add_direction(double delta_v, double delta_x, double phi, double *linear, double *quadratic) {
  double closing = fmin(delta_v * delta_x, 0.0);
  *linear += closing * (1 - phi);
  *quadratic += closing * closing * (1 - phi * phi);
}

struct q {
  double linear, quadratic;
};

static inline struct q viscosity(int e, const int *boundary, const int *xi_lower, const int *xi_upper, const int *eta_lower,
                                 const int *eta_upper, const int *zeta_lower, const int *zeta_upper, const double *v_xi,
                                 const double *v_eta, const double *v_zeta, const double *x_xi, const double *x_eta,
                                 const double *x_zeta, const double *closing, const double *mass, const double *volume) {
  double linear = 0, quadratic = 0, density = mass[e] / volume[e];
  add_direction(v_xi[e], x_xi[e], limiter(v_xi, xi_lower, xi_upper, e, boundary[e]), &linear, &quadratic);
  add_direction(v_eta[e], x_eta[e], limiter(v_eta, eta_lower, eta_upper, e, boundary[e] >> 4), &linear, &quadratic);
  add_direction(v_zeta[e], x_zeta[e], limiter(v_zeta, zeta_lower, zeta_upper, e, boundary[e] >> 8), &linear, &quadratic);
  struct q q = {0, 0};
  if (closing[e] <= 0) {
    q.linear = -QLC * density * linear;
    q.quadratic = QQC * density * quadratic;
  }
  return q;
}

static void compute(int count, const int *region, const int *boundary, const int *xi_lower, const int *xi_upper,
                    const int *eta_lower, const int *eta_upper, const int *zeta_lower, const int *zeta_upper,
                    const double *v_xi, const double *v_eta, const double *v_zeta, const double *x_xi, const double *x_eta,
                    const double *x_zeta, const double *closing, const double *mass, const double *volume, double *linear,
                    double *quadratic) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) {
    int e = region[i];
    struct q q = viscosity(e, boundary, xi_lower, xi_upper, eta_lower, eta_upper, zeta_lower, zeta_upper, v_xi, v_eta, v_zeta,
                           x_xi, x_eta, x_zeta, closing, mass, volume);
    linear[e] = q.linear;
    quadratic[e] = q.quadratic;
  }
}

/* Neighbours `step` elements before and behind; an element at an end has itself, symmetric below and free above. */
static void make_neighbours(const struct hexmesh *m, int step, int shift, int *lower, int *upper, int *boundary) {
  for (int e = 0; e < m->elements; e++) {
    int at = e / step % m->edge, first = at == 0, last = at == m->edge - 1;
    lower[e] = first ? e : e - step;
    upper[e] = last ? e : e + step;
    boundary[e] |= ((first ? SYMMETRIC : 0) | (last ? FREE << 2 : 0)) << shift;
  }
}

/* Numbers between `low` and `low` + 1. */
static double *numbers(int count, double low, uint64_t seed) {
  double *out = bench_doubles(count, seed);
  for (int i = 0; i < count; i++)
    out[i] += low;
  return out;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("lulesh_monotonic_q", argc, argv);
  struct hexmesh m = hexmesh_open(&b);
  bench_ready(&b);
  int n = m.elements, count = n - n / 5, *region = bench_order(n, 9), *boundary = bench_alloc(n, sizeof *boundary);
  int *lower[DIRECTIONS], *upper[DIRECTIONS];
  for (int d = 0, step = 1; d < DIRECTIONS; d++, step *= m.edge) {
    lower[d] = bench_alloc(n, sizeof **lower);
    upper[d] = bench_alloc(n, sizeof **upper);
    make_neighbours(&m, step, 4 * d, lower[d], upper[d], boundary);
  }
  int *xi_lower = lower[0], *xi_upper = upper[0], *eta_lower = lower[1], *eta_upper = upper[1];
  int *zeta_lower = lower[2], *zeta_upper = upper[2];
  double *v_xi = numbers(n, -0.7, 1), *v_eta = numbers(n, -0.7, 2), *v_zeta = numbers(n, -0.7, 3), *x_xi = numbers(n, 0.1, 4);
  double *x_eta = numbers(n, 0.1, 5), *x_zeta = numbers(n, 0.1, 6), *closing = numbers(n, -0.8, 7), *mass = numbers(n, 1, 8);
  double *volume = numbers(n, 1, 9), *linear = bench_alloc(n, sizeof *linear), *quadratic = bench_alloc(n, sizeof *quadratic);

#pragma omp target data map(to : region[0 : count], boundary[0 : n], xi_lower[0 : n], xi_upper[0 : n], eta_lower[0 : n]) \
    map(to : eta_upper[0 : n], zeta_lower[0 : n], zeta_upper[0 : n], v_xi[0 : n], v_eta[0 : n], v_zeta[0 : n], x_xi[0 : n]) \
    map(to : x_eta[0 : n], x_zeta[0 : n], closing[0 : n], mass[0 : n], volume[0 : n]) map(tofrom : linear[0 : n]) \
    map(tofrom : quadratic[0 : n])
  while (bench_next(&b))
    compute(count, region, boundary, xi_lower, xi_upper, eta_lower, eta_upper, zeta_lower, zeta_upper, v_xi, v_eta, v_zeta,
            x_xi, x_eta, x_zeta, closing, mass, volume, linear, quadratic);

  double *expected_linear = bench_alloc(n, sizeof *linear), *expected_quadratic = bench_alloc(n, sizeof *quadratic);
  for (int i = 0; i < count; i++) {
    struct q q = viscosity(region[i], boundary, xi_lower, xi_upper, eta_lower, eta_upper, zeta_lower, zeta_upper, v_xi, v_eta,
                           v_zeta, x_xi, x_eta, x_zeta, closing, mass, volume);
    expected_linear[region[i]] = q.linear;
    expected_quadratic[region[i]] = q.quadratic;
  }
  double error = hexmesh_error(hexmesh_error(0, linear, expected_linear, n), quadratic, expected_quadratic, n);
  uint64_t checksum = bench_checksum_on(bench_checksum(linear, n * sizeof *linear), quadratic, n * sizeof *quadratic);
  return bench_close(&b, checksum, error, 1e-12);
}
