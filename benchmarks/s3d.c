/* Chemistry of a combustion code, as SHOC's S3D: concentrations from temperature, pressure and mass fractions; the rate of each
 * reaction (Arrhenius, with an equilibrium constant for the way back); and the production of each species.
 *   s3d [small|paper|large] [--points N] [--launches N]
 * The mechanism's numbers are made up; they lie in tables that all threads read alike. */
#include "common/bench.h"

#include <math.h>

enum { SPECIES = 22, REACTIONS = 206, SIDE = 2 }; /* two species on either side of a reaction */

/* Values of a species or a reaction for all points lie side by side: value[s * n + i]. */
static void concentrate(int n, const float *temperature, const float *pressure, const float *fraction, const float *weight,
                        float *concentration) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    float moles = 0;
    for (int s = 0; s < SPECIES; s++)
      moles += fraction[s * n + i] / weight[s];
    float density = pressure[i] / (8.314f * temperature[i] * moles);
    for (int s = 0; s < SPECIES; s++)
      concentration[s * n + i] = density * fraction[s * n + i] / weight[s];
  }
}

struct mechanism {
  const float *factor, *power, *activation, *equilibrium; /* [REACTIONS] */
  const int *reactant, *product;                          /* [REACTIONS * SIDE] */
};

/* Net rate of reaction r. */
static inline float rate_of(int r, int i, int n, const float *temperature, const float *concentration, struct mechanism m) {
  float inverse = 1 / temperature[i],
        forward = m.factor[r] * expf(m.power[r] * logf(temperature[i]) - m.activation[r] * inverse);
  float backward = forward * expf(-m.equilibrium[r] * inverse);
  for (int k = 0; k < SIDE; k++) {
    forward *= concentration[m.reactant[r * SIDE + k] * n + i];
    backward *= concentration[m.product[r * SIDE + k] * n + i];
  }
  return forward - backward;
}

static void react(int n, const float *temperature, const float *concentration, const float *factor, const float *power,
                  const float *activation, const float *equilibrium, const int *reactant, const int *product, float *rate) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    struct mechanism m = {factor, power, activation, equilibrium, reactant, product};
    for (int r = 0; r < REACTIONS; r++)
      rate[r * n + i] = rate_of(r, i, n, temperature, concentration, m);
  }
}

/* Species s takes part in reactions part[first[s]] .. part[first[s + 1] - 1], which make share[] of it. */
static void produce(int n, const float *rate, const int *first, const int *part, const float *share, float *production) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int s = 0; s < SPECIES; s++)
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int k = first[s]; k < first[s + 1]; k++)
        sum += share[k] * rate[part[k] * n + i];
      production[s * n + i] = sum;
    }
}

/* The reactions of each species. */
static void list_parts(const int *reactant, const int *product, int *first, int *part, float *share) {
  for (int s = 0, at = 0; s < SPECIES; s++) {
    for (int k = 0; k < REACTIONS * SIDE; k++)
      for (int side = 0; side < 2; side++)
        if ((side ? product : reactant)[k] == s) {
          part[at] = k / SIDE;
          share[at++] = side ? 1 : -1;
        }
    first[s + 1] = at;
  }
}

/* One point in double precision: production[] and, to compare with, the sum of the absolute values of its terms. */
static void produce_on_host(int n, int i, const float *temperature, const float *pressure, const float *fraction,
                            const float *weight, struct mechanism m, double *production, double *scale) {
  double moles = 0, concentration[SPECIES], t = temperature[i];
  for (int s = 0; s < SPECIES; s++) {
    moles += (double)fraction[s * n + i] / weight[s];
    production[s] = scale[s] = 0;
  }
  for (int s = 0; s < SPECIES; s++)
    concentration[s] = pressure[i] / (8.314f * t * moles) * fraction[s * n + i] / weight[s];
  for (int r = 0; r < REACTIONS; r++) {
    double forward = m.factor[r] * exp(m.power[r] * log(t) - m.activation[r] / t),
           backward = forward * exp(-m.equilibrium[r] / t);
    for (int k = 0; k < SIDE; k++) {
      forward *= concentration[m.reactant[r * SIDE + k]];
      backward *= concentration[m.product[r * SIDE + k]];
    }
    for (int k = 0; k < SIDE; k++) {
      production[m.reactant[r * SIDE + k]] -= forward - backward;
      production[m.product[r * SIDE + k]] += forward - backward;
      scale[m.reactant[r * SIDE + k]] += forward + backward;
      scale[m.product[r * SIDE + k]] += forward + backward;
    }
  }
}

static double check(int n, const float *temperature, const float *pressure, const float *fraction, const float *weight,
                    struct mechanism m, const float *got) {
  double worst = 0;
  for (size_t k = 0; k<bench_samples(n); k += n> 4096 ? 61 : 1) {
    double production[SPECIES], scale[SPECIES];
    size_t i = bench_sample(k, n);
    produce_on_host(n, (int)i, temperature, pressure, fraction, weight, m, production, scale);
    for (int s = 0; s < SPECIES; s++)
      worst = bench_worse(worst, got[s * n + i], production[s], scale[s]);
  }
  return worst;
}

/* Numbers from `low` to `high` */
static float *numbers(size_t count, float low, float high, uint64_t seed) {
  float *out = bench_floats(count, seed);
  for (size_t i = 0; i < count; i++)
    out[i] = low + (high - low) * out[i];
  return out;
}

int main(int argc, char **argv) {
  struct bench b = bench_open("s3d", argc, argv);
  int n = (int)bench_size(&b, "points", 130, 1 << 17, 1 << 20);
  bench_ready(&b);
  size_t values = (size_t)SPECIES * n, rates = (size_t)REACTIONS * n, parts = 2 * SIDE * REACTIONS;
  float *temperature = numbers(n, 800, 2400, 1), *pressure = numbers(n, 1e5f, 4e5f, 2),
        *fraction = numbers(values, 0.01f, 1, 3);
  float *weight = numbers(SPECIES, 2, 60, 4), *factor = numbers(REACTIONS, 1, 100, 5), *power = numbers(REACTIONS, -0.5f, 1, 6);
  float *activation = numbers(REACTIONS, 100, 9000, 7), *equilibrium = numbers(REACTIONS, 0, 3000, 8);
  int *reactant = bench_ints(REACTIONS * SIDE, SPECIES, 9), *product = bench_ints(REACTIONS * SIDE, SPECIES, 10);
  int *first = bench_alloc(SPECIES + 1, sizeof *first), *part = bench_alloc(parts, sizeof *part);
  float *share = bench_alloc(parts, sizeof *share), *concentration = bench_alloc(values, sizeof *concentration);
  float *rate = bench_alloc(rates, sizeof *rate), *production = bench_alloc(values, sizeof *production);
  list_parts(reactant, product, first, part, share);

#pragma omp target data map(to : temperature[0 : n], pressure[0 : n], fraction[0 : values], weight[0 : SPECIES]) \
    map(to : factor[0 : REACTIONS], power[0 : REACTIONS], activation[0 : REACTIONS], equilibrium[0 : REACTIONS]) \
    map(to : reactant[0 : REACTIONS * SIDE], product[0 : REACTIONS * SIDE], first[0 : SPECIES + 1], part[0 : parts]) \
    map(to : share[0 : parts]) map(alloc : concentration[0 : values], rate[0 : rates]) map(from : production[0 : values])
  while (bench_next(&b)) {
    concentrate(n, temperature, pressure, fraction, weight, concentration);
    react(n, temperature, concentration, factor, power, activation, equilibrium, reactant, product, rate);
    produce(n, rate, first, part, share, production);
  }

  struct mechanism m = {factor, power, activation, equilibrium, reactant, product};
  double error = check(n, temperature, pressure, fraction, weight, m, production);
  return bench_close(&b, bench_checksum(production, values * sizeof *production), error, 1e-4);
}
