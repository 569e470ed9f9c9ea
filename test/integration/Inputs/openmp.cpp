// Two regions: one of a template with a lambda, launched by several host threads at once; one of deferred tasks in a chain of dependences.
#include <atomic>
#include <cstdio>
#include <vector>

constexpr int N = 2048, Taps = 8, Threads = 4;

template <typename Number, typename Combine> void filter(const Number *a, const Number *w, Number *out, Combine combine) {
#pragma omp target teams distribute parallel for map(to : a[ : N + Taps], w[ : Taps]) map(from : out[ : N])
  for (int i = 0; i < N; i++) {
    Number sum = 0;
    for (int j = 0; j < Taps; j++)
      sum = combine(sum, a[i + j], w[j]);
    out[i] = sum;
  }
}

static int threads(const float *a, const float *w) {
  std::atomic<int> wrong{0};
#pragma omp target data map(to : a[ : N + Taps], w[ : Taps])
#pragma omp parallel num_threads(Threads)
  {
    std::vector<float> out(N);
    for (int launch = 0; launch < 3; launch++) {
      filter(a, w, out.data(), [](float sum, float x, float y) { return sum + x * y; });
      for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < Taps; j++)
          sum += a[i + j] * w[j];
        wrong += out[i] != sum;
      }
    }
  }
  return wrong;
}

static int chain(const float *w) {
  std::vector<float> values(N, 1);
  float *v = values.data();
#pragma omp target data map(tofrom : v[ : N])
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int step = 0; step < 4; step++) {
#pragma omp target teams distribute parallel for nowait depend(inout : v[0]) map(to : w[ : Taps])
    for (int i = 0; i < N; i++) {
      float sum = 0;
      for (int j = 0; j < Taps; j++)
        sum += w[j];
      v[i] = v[i] * 2 + sum;
    }
  }
  float expected = 1, sum = 0;
  for (int j = 0; j < Taps; j++)
    sum += w[j];
  for (int step = 0; step < 4; step++)
    expected = expected * 2 + sum;
  int wrong = 0;
  for (float value : values)
    wrong += value != expected;
  return wrong;
}

int main() {
  std::vector<float> a(N + Taps), w(Taps);
  for (int i = 0; i < N + Taps; i++)
    a[i] = float(i % 7);
  for (int j = 0; j < Taps; j++)
    w[j] = float(j + 1);
  int wrong = threads(a.data(), w.data()) + chain(w.data());
  std::printf("wrong: %d\n", wrong);
  return wrong != 0;
}
