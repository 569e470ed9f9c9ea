// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
int omp_get_level(void);
int omp_get_thread_num(void);

void has_asks_for_level(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    float s = a[i];
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < 3; j++)
      s += omp_get_level();
    o[i] = s;
  }
}
void lacks_asks_for_level(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    float s = a[i];
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < 3; j++)
      s += 1;
    o[i] = s;
  }
}

void has_parallel_if(int n, int big, const float *a, float *o) {
#pragma omp target teams distribute parallel for if (parallel : big)
  for (int i = 0; i < n; i++)
    o[i] = a[i] + omp_get_thread_num();
}
void lacks_parallel_if(int n, int big, const float *a, float *o) { LOOP o[i] = a[i] + omp_get_thread_num(); }

void has_runtime_call(int n, const float *a, float *o) {
  LOOP {
#pragma omp critical
    o[0] += a[i];
  }
}
void lacks_runtime_call(int n, const float *a, float *o) { LOOP o[i] += a[i]; }

