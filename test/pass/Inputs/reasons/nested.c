// Reasons why a region has no versions, no blocks, no strips, or keeps the device runtime: `has_X` has the reason X, `lacks_X` is the
// same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
int omp_get_num_teams(void);
int omp_get_level(void);

void has_nested_parallel(int n, int m, const float *a, float *o) {
  LOOP {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      o[i * m + j] = a[i];
  }
}
void lacks_nested_parallel(int n, int m, const float *a, float *o) {
  LOOP
    for (int j = 0; j < m; j++)
      o[i * m + j] = a[i];
}

