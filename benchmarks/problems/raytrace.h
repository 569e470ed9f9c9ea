/* Parallel rays onto spheres in a cube, shaded by the angle at which they are hit: options, input and check of raytrace.c and
 * cuda/raytrace.cu. A sphere has seven floats (2,340 of them fill 64 KiB).
 *   [small|paper|large] [--width PIXELS] [--spheres 200|1000|2340|...] */
#ifndef PLACE_PROBLEM_RAYTRACE_H
#define PLACE_PROBLEM_RAYTRACE_H

#include "../common/bench.h"

#include <math.h>

struct sphere {
  float x, y, z, radius, red, green, blue;
};

struct raytrace {
  int width, count;
  struct sphere *sphere;
  unsigned char *image; /* [width * width * 4] */
};

static inline struct raytrace raytrace_open(struct bench *b) {
  struct raytrace p;
  p.width = (int)bench_size(b, "width", 48, 2048, 2048);
  p.count = (int)bench_size(b, "spheres", 20, 1000, 2340);
  p.sphere = (struct sphere *)bench_alloc(p.count, sizeof *p.sphere);
  bench_fill_float(&p.sphere->x, (size_t)p.count * 7, 1);
  for (int i = 0; i < p.count; i++) {
    struct sphere *s = p.sphere + i;
    s->x = (s->x - 0.5f) * p.width;
    s->y = (s->y - 0.5f) * p.width;
    s->z = (s->z - 0.5f) * p.width;
    s->radius = (0.01f + 0.06f * s->radius) * p.width;
  }
  p.image = (unsigned char *)bench_alloc((size_t)p.width * p.width, 4);
  return p;
}

/* The foremost sphere that a ray hits, in double precision; how near the ray passes any sphere's edge, or how near two spheres
 * are to each other where it hits them: then rounding decides what is seen. */
static inline int raytrace_hit(const struct raytrace *p, double x, double y, double *shade, double *doubt) {
  double front = -INFINITY;
  int hit = -1;
  *shade = 0;
  *doubt = INFINITY;
  for (int i = 0; i < p->count; i++) {
    const struct sphere *s = p->sphere + i;
    double dx = x - s->x, dy = y - s->y, left = (double)s->radius * s->radius - dx * dx - dy * dy;
    *doubt = fmin(*doubt, fabs(left));
    if (left <= 0)
      continue;
    double dz = sqrt(left), at = dz + s->z;
    *doubt = fmin(*doubt, fabs(at - front));
    if (at > front) {
      front = at;
      hit = i;
      *shade = dz / s->radius;
    }
  }
  return hit;
}

/* Colours may be one off. */
static inline int raytrace_close(struct raytrace *p, struct bench *b) {
  size_t pixels = (size_t)p->width * p->width;
  double worst = 0;
  for (size_t s = 0; s<bench_samples(pixels); s += pixels> 65536 ? 16 : 1) {
    size_t i = bench_sample(s, pixels);
    double shade, doubt;
    int hit = raytrace_hit(p, (double)(i % p->width) - p->width / 2, (double)(i / p->width) - p->width / 2, &shade, &doubt);
    struct sphere none = {0, 0, 0, 0, 0, 0, 0}, seen = hit < 0 ? none : p->sphere[hit];
    if (doubt < 0.1)
      continue;
    worst = bench_worse(worst, p->image[4 * i], seen.red * shade * 255 - 0.5, 1);
    worst = bench_worse(worst, p->image[4 * i + 1], seen.green * shade * 255 - 0.5, 1);
    worst = bench_worse(worst, p->image[4 * i + 2], seen.blue * shade * 255 - 0.5, 1);
  }
  return bench_close(b, bench_checksum(p->image, pixels * 4), worst, 1);
}

#endif
