// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)

void has_several_parallel(int n, const float *a, float *o, float *p) {
#pragma omp target
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      o[i] = a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      p[i] = a[i];
  }
}
void lacks_several_parallel(int n, const float *a, float *o) { LOOP o[i] = a[i]; }
