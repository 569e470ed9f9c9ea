/* Training of a layer of a neural network (Rodinia's backprop): inputs passed forward to few hidden units, in partial sums that
 * a second kernel adds; and all weights adjusted.
 *   backprop [small|paper|large] [--inputs N] [--hidden N] [--launches N] */
#include "common/bench.h"

#include <math.h>

enum { PART = 64 }; /* inputs in a partial sum */

#define RATE 0.3f
#define MOMENTUM 0.3f

/* part[p * hidden + j]: the share of inputs 64 p .. 64 p + 63 in unit j; weight[i * hidden + j] */
static void forward(const float *input, const float *weight, float *part, int inputs, int hidden, int parts) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int p = 0; p < parts; p++)
    for (int j = 0; j < hidden; j++) {
      float sum = 0;
      int end = (p + 1) * PART < inputs ? (p + 1) * PART : inputs;
      for (int i = p * PART; i < end; i++)
        sum += input[i] * weight[i * hidden + j];
      part[p * hidden + j] = sum;
    }
}

static void activate(const float *part, float *unit, int hidden, int parts) {
#pragma omp target teams distribute parallel for
  for (int j = 0; j < hidden; j++) {
    float sum = 0;
    for (int p = 0; p < parts; p++)
      sum += part[p * hidden + j];
    unit[j] = 1 / (1 + expf(-sum));
  }
}

static void adjust(const float *input, const float *delta, const float *weight, const float *change, float *new_weight,
                   float *new_change, int inputs, int hidden) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < inputs; i++)
    for (int j = 0; j < hidden; j++) {
      float by = RATE * delta[j] * input[i] + MOMENTUM * change[i * hidden + j];
      new_weight[i * hidden + j] = weight[i * hidden + j] + by;
      new_change[i * hidden + j] = by;
    }
}

static double check(const float *input, const float *delta, const float *weight, const float *change, const float *unit,
                    const float *new_weight, const float *new_change, int inputs, int hidden) {
  double worst = 0;
  for (int j = 0; j < hidden; j++) {
    double sum = 0;
    for (int i = 0; i < inputs; i++)
      sum += (double)input[i] * weight[i * hidden + j];
    worst = bench_worse(worst, unit[j], 1 / (1 + exp(-sum)), 1);
  }
  for (size_t s = 0; s < bench_samples((size_t)inputs * hidden); s++) {
    size_t at = bench_sample(s, (size_t)inputs * hidden);
    double by = (double)RATE * delta[at % hidden] * input[at / hidden] + (double)MOMENTUM * change[at];
    worst = bench_worse(worst, new_weight[at], weight[at] + by, 1);
    worst = bench_worse(worst, new_change[at], by, 1);
  }
  return worst;
}

/* Numbers of either sign, small enough for the units not to saturate. */
static float *centred(size_t count, float scale, uint64_t seed) {
  float *out = bench_floats(count, seed);
  for (size_t i = 0; i < count; i++)
    out[i] = (out[i] - 0.5f) * scale;
  return out;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("backprop", argc, argv);
  int inputs = (int)bench_size(&b, "inputs", 1000, 1 << 18, 1 << 22), hidden = (int)bench_option(&b, "hidden", 16);
  bench_ready(&b);
  int parts = (inputs + PART - 1) / PART;
  size_t weights = (size_t)inputs * hidden, partials = (size_t)parts * hidden;
  float *input = bench_floats(inputs, 1), *delta = centred(hidden, 1, 2),
        *weight = centred(weights, 8 / sqrtf((float)inputs), 3);
  float *change = centred(weights, 0.1f, 4), *part = bench_alloc(partials, sizeof *part),
        *unit = bench_alloc(hidden, sizeof *unit);
  float *new_weight = bench_alloc(weights, sizeof *new_weight), *new_change = bench_alloc(weights, sizeof *new_change);

#pragma omp target data map(to : input[0 : inputs], delta[0 : hidden], weight[0 : weights], change[0 : weights]) \
    map(alloc : part[0 : partials]) map(from : unit[0 : hidden], new_weight[0 : weights], new_change[0 : weights])
  while (bench_next(&b)) {
    forward(input, weight, part, inputs, hidden, parts);
    activate(part, unit, hidden, parts);
    adjust(input, delta, weight, change, new_weight, new_change, inputs, hidden);
  }

  double error = check(input, delta, weight, change, unit, new_weight, new_change, inputs, hidden);
  uint64_t checksum = bench_checksum_on(bench_checksum(unit, hidden * sizeof *unit), new_weight, weights * sizeof *new_weight);
  return bench_close(&b, bench_checksum_on(checksum, new_change, weights * sizeof *new_change), error, 1e-4);
}
