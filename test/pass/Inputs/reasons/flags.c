// Compiled with flags that leave regions alone (reasons.test).
void scale(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = 2 * a[i];
}
