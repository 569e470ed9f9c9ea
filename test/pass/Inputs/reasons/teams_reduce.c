// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
int omp_get_num_threads(void);

void has_reduction_of_some_threads(int n, int t, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(t)
    for (int j = 0; j < n; j++)
      s += a[i + j] + omp_get_num_threads();
    o[i] = s;
  }
}
void lacks_reduction_of_some_threads(int n, int t, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < n; j++)
      s += a[i + j] + omp_get_num_threads();
    o[i] = s;
  }
}

