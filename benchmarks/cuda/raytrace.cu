/* Ray tracing by hand: 512 spheres at a time in shared memory (`shared`), all in constant memory (`constant`), or in global
 * memory (`direct`); blocks of 32 x 8 pixels, a pixel written at once. */
#include "../problems/raytrace.h"
#include "cuda.h"

enum { BLOCK_X = 32, BLOCK_Y = 8, TILE = 512, MOST_SPHERES = 2340 };

__constant__ sphere constant_sphere[MOST_SPHERES];

struct ray {
  float x, y, front, red, green, blue;
};

__device__ __forceinline__ void hit(ray &r, const sphere &s) {
  float dx = r.x - s.x, dy = r.y - s.y, across = dx * dx + dy * dy;
  if (across >= s.radius * s.radius)
    return;
  float dz = sqrtf(s.radius * s.radius - across);
  if (dz + s.z > r.front) {
    float shade = dz / s.radius;
    r.front = dz + s.z;
    r.red = s.red * shade;
    r.green = s.green * shade;
    r.blue = s.blue * shade;
  }
}

template <int PLACE> __global__ void trace(const sphere *spheres, int count, unsigned *image, int width) {
  __shared__ sphere tile[PLACE == 0 ? TILE : 1];
  int column = blockIdx.x * BLOCK_X + threadIdx.x, row = blockIdx.y * BLOCK_Y + threadIdx.y;
  ray r = {(float)(column - width / 2), (float)(row - width / 2), -3.4e38f, 0, 0, 0};
  for (int first = 0; first < count; first += TILE) {
    int here = min(TILE, count - first);
    if (PLACE == 0) {
      __syncthreads();
      for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < here; i += BLOCK_X * BLOCK_Y)
        tile[i] = spheres[first + i];
      __syncthreads();
    }
    for (int i = 0; i < here; i++)
      hit(r, PLACE == 1 ? constant_sphere[first + i] : PLACE == 0 ? tile[i] : spheres[first + i]);
  }
  if (column < width && row < width)
    image[row * width + column] = (unsigned char)(r.red * 255) | (unsigned)(unsigned char)(r.green * 255) << 8 |
                                  (unsigned)(unsigned char)(r.blue * 255) << 16 | 255u << 24;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"shared", "constant", "direct", nullptr};
  struct bench b = bench_open("raytrace.cuda", argc, argv);
  struct raytrace p = raytrace_open(&b);
  int which = bench_choice(&b, words);
  bench_ready(&b);
  if (p.count > MOST_SPHERES) {
    fprintf(stderr, "raytrace.cuda: more than %d spheres\n", MOST_SPHERES);
    return 2;
  }
  sphere *spheres = cuda_copy(p.sphere, p.count);
  size_t pixels = (size_t)p.width * p.width;
  unsigned *image = cuda_new<unsigned>(pixels);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_sphere, p.sphere, p.count * sizeof(sphere)));
  dim3 blocks(blocks_for(p.width, BLOCK_X), blocks_for(p.width, BLOCK_Y)), threads(BLOCK_X, BLOCK_Y);
  cuda_measure(&b, [&] {
    if (which == 0)
      trace<0><<<blocks, threads>>>(spheres, p.count, image, p.width);
    else if (which == 1)
      trace<1><<<blocks, threads>>>(spheres, p.count, image, p.width);
    else
      trace<2><<<blocks, threads>>>(spheres, p.count, image, p.width);
  });
  cuda_fetch((unsigned *)p.image, image, pixels);
  return raytrace_close(&p, &b);
}
