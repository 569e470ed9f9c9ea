#include <cstdio>
#include <vector>

int main() {
  std::vector<double> x(100, 2.0), y(100);
  const double *in = x.data();
  double *out = y.data();
#pragma omp target teams distribute parallel for map(to : in[0 : 100]) map(from : out[0 : 100])
  for (int i = 0; i < 100; i++)
    out[i] = in[i] * in[99 - i];
  std::printf("last: %g\n", y[99]);
  return y[99] != 4.0;
}
