/* Ray tracing of spheres: all threads read all spheres in the same order.
 *   raytrace [small|paper|large] [--width PIXELS] [--spheres 200|1000|2340|...] [--launches N] */
#include "problems/raytrace.h"

static void trace(const struct sphere *sphere, int count, unsigned char *image, int width) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int row = 0; row < width; row++)
    for (int column = 0; column < width; column++) {
      float x = column - width / 2, y = row - width / 2, red = 0, green = 0, blue = 0, front = -3.4e38f;
      for (int i = 0; i < count; i++) {
        float dx = x - sphere[i].x, dy = y - sphere[i].y, radius = sphere[i].radius, across = dx * dx + dy * dy;
        if (across < radius * radius) {
          float dz = sqrtf(radius * radius - across);
          if (dz + sphere[i].z > front) {
            float shade = dz / radius;
            front = dz + sphere[i].z;
            red = sphere[i].red * shade;
            green = sphere[i].green * shade;
            blue = sphere[i].blue * shade;
          }
        }
      }
      int pixel = (row * width + column) * 4;
      image[pixel] = (unsigned char)(red * 255);
      image[pixel + 1] = (unsigned char)(green * 255);
      image[pixel + 2] = (unsigned char)(blue * 255);
      image[pixel + 3] = 255;
    }
}

int main(int argc, char **argv) {
  struct bench b = bench_open("raytrace", argc, argv);
  struct raytrace p = raytrace_open(&b);
  bench_ready(&b);
  int width = p.width, count = p.count;
  struct sphere *sphere = p.sphere;
  unsigned char *image = p.image;

#pragma omp target data map(to : sphere[0 : count]) map(from : image[0 : width * width * 4])
  while (bench_next(&b))
    trace(sphere, count, image, width);

  return raytrace_close(&p, &b);
}
