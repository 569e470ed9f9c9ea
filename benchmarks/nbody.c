/* All-pairs n-body: every thread reads all bodies in the same order.
 *   nbody [small|paper|large] [--n N] [--launches N] */
#include "problems/nbody.h"

static void accelerate(const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay, float *az,
                       size_t n, float softening) {
#pragma omp target teams distribute parallel for
  for (size_t i = 0; i < n; i++) {
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (size_t j = 0; j < n; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
      float pull = mass[j] * inverse * inverse * inverse;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    }
    ax[i] = sum_x;
    ay[i] = sum_y;
    az[i] = sum_z;
  }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("nbody", argc, argv);
  struct nbody p = nbody_open(&b);
  bench_ready(&b);
  size_t n = p.n;
  float *x = p.x, *y = p.y, *z = p.z, *mass = p.mass, *ax = p.ax, *ay = p.ay, *az = p.az;

#pragma omp target data map(to : x[0 : n], y[0 : n], z[0 : n], mass[0 : n]) map(from : ax[0 : n], ay[0 : n], az[0 : n])
  while (bench_next(&b))
    accelerate(x, y, z, mass, ax, ay, az, n, p.softening);

  return nbody_close(&p, &b);
}
