/* A neural network's first layer, forward, for many samples (kernelFeedForward1 of SHOC's neuralnet).
 *   neuralnet [small|paper|large] [--samples N] [--inputs N] [--units N] [--launches N] */
#include "common/bench.h"

#include <math.h>

static void feed_forward(const float *input, const float *weight, const float *bias, float *out, int samples, int inputs,
                         int units) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int s = 0; s < samples; s++)
    for (int j = 0; j < units; j++) {
      float sum = bias[j];
      for (int i = 0; i < inputs; i++)
        sum += weight[j * inputs + i] * input[s * inputs + i];
      out[s * units + j] = 1 / (1 + expf(-sum));
    }
}

static double check(const float *input, const float *weight, const float *bias, const float *out, int samples, int inputs,
                    int units) {
  double worst = 0;
  size_t outputs = (size_t)samples * units, step = outputs > 65536 ? 16 : 1;
  for (size_t n = 0; n < bench_samples(outputs); n += step) {
    size_t at = bench_sample(n, outputs), s = at / units, j = at % units;
    double sum = bias[j];
    for (int i = 0; i < inputs; i++)
      sum += (double)weight[j * inputs + i] * input[s * inputs + i];
    worst = bench_worse(worst, out[at], 1 / (1 + exp(-sum)), 1);
  }
  return worst;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("neuralnet", argc, argv);
  int samples = (int)bench_size(&b, "samples", 17, 16384, 65536), inputs = (int)bench_size(&b, "inputs", 100, 784, 784);
  int units = (int)bench_option(&b, "units", 30);
  bench_ready(&b);
  size_t values = (size_t)samples * inputs, weights = (size_t)units * inputs, outputs = (size_t)samples * units;
  float *input = bench_floats(values, 1), *weight = bench_floats(weights, 2), *bias = bench_floats(units, 3);
  float *out = bench_alloc(outputs, sizeof *out);
  for (size_t i = 0; i < weights; i++)
    weight[i] = (weight[i] - 0.5f) * 0.25f;

#pragma omp target data map(to : input[0 : values], weight[0 : weights], bias[0 : units]) map(from : out[0 : outputs])
  while (bench_next(&b))
    feed_forward(input, weight, bias, out, samples, inputs, units);

  double error = check(input, weight, bias, out, samples, inputs, units);
  return bench_close(&b, bench_checksum(out, outputs * sizeof *out), error, 1e-5);
}
