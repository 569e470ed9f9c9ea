// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.

void has_ordered(int n, const float *a, float *o) {
#pragma omp target teams
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
void lacks_ordered(int n, const float *a, float *o) {
#pragma omp target teams
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

