// Reasons why a region has no versions, no blocks, no strips, or keeps the device runtime: `has_X` has the reason X, `lacks_X` is the
// same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
int omp_get_num_teams(void);
int omp_get_level(void);

void has_not_distributed(int n, const float *a, float *o) {
#pragma omp target parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
void lacks_not_distributed(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

