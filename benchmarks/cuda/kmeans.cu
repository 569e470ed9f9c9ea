/* K-means assignment by hand: centroids in constant memory (`constant`), in shared memory (`shared`), or in global memory
 * (`direct`). */
#include "../problems/kmeans.h"
#include "cuda.h"

enum { THREADS = 256, MOST_VALUES = 12288 };

__constant__ float constant_centroid[MOST_VALUES];

template <int PLACE>
__global__ void assign(const float *feature, const float *centroid, int *member, int n, int clusters, int features) {
  extern __shared__ float shared_centroid[];
  const float *from = PLACE == 0 ? constant_centroid : PLACE == 1 ? shared_centroid : centroid;
  if (PLACE == 1) {
    for (int j = threadIdx.x; j < clusters * features; j += THREADS)
      shared_centroid[j] = centroid[j];
    __syncthreads();
  }
  int i = blockIdx.x * THREADS + threadIdx.x, nearest = 0;
  if (i >= n)
    return;
  float least = 3.4e38f;
  for (int c = 0; c < clusters; c++) {
    float distance = 0;
    for (int f = 0; f < features; f++) {
      float d = feature[f * n + i] - from[c * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  member[i] = nearest;
}

int main(int argc, char **argv) {
  static const char *const words[] = {"constant", "shared", "direct", nullptr};
  struct bench b = bench_open("kmeans.cuda", argc, argv);
  struct kmeans p = kmeans_open(&b);
  int which = bench_choice(&b, words);
  bench_ready(&b);
  size_t values = (size_t)p.clusters * p.features, shared_bytes = values * sizeof(float);
  if (values > MOST_VALUES) {
    fprintf(stderr, "kmeans.cuda: more than %d values\n", MOST_VALUES);
    return 2;
  }
  float *feature = cuda_copy(p.feature, (size_t)p.n * p.features), *centroid = cuda_copy(p.centroid, values);
  int *member = cuda_new<int>(p.n);
  CUDA_CHECK(cudaMemcpyToSymbol(constant_centroid, p.centroid, shared_bytes));
  unsigned blocks = blocks_for(p.n, THREADS);
  cuda_measure(&b, [&] {
    if (which == 0)
      assign<0><<<blocks, THREADS>>>(feature, centroid, member, p.n, p.clusters, p.features);
    else if (which == 1)
      assign<1><<<blocks, THREADS, shared_bytes>>>(feature, centroid, member, p.n, p.clusters, p.features);
    else
      assign<2><<<blocks, THREADS>>>(feature, centroid, member, p.n, p.clusters, p.features);
  });
  cuda_fetch(p.member, member, p.n);
  CUDA_CHECK(cudaFree(feature));
  CUDA_CHECK(cudaFree(centroid));
  return kmeans_close(&p, &b);
}
