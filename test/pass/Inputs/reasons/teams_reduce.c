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


// A loop's barrier would have to wait for those threads alone.
void has_barrier_of_some_threads(int n, int t, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(t)
    {
#pragma omp for
      for (int j = 0; j < n; j++)
        o[i * n + j] = a[j] + omp_get_num_threads();
#pragma omp for
      for (int j = 0; j < n; j++)
        o[i * n + j] += o[i * n + n - 1 - j];
    }
  }
}
void lacks_barrier_of_some_threads(int n, int t, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
#pragma omp parallel
    {
#pragma omp for
      for (int j = 0; j < n; j++)
        o[i * n + j] = a[j] + omp_get_num_threads();
#pragma omp for
      for (int j = 0; j < n; j++)
        o[i * n + j] += o[i * n + n - 1 - j];
    }
  }
}
