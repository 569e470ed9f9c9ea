// FLAGS: -fplugin-arg-place-no-isolate
// Reasons that only kernels have that are not rebuilt: a pair as in arrays.c.
int printf(const char *, ...);
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
#pragma omp begin declare target
void sink(float *);
#pragma omp end declare target

void has_generic_kernel(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int t = 0; t < 4; t++) {
    float base = a[t];
    sink(&base);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      o[t * n + i] = base;
  }
}
void lacks_generic_kernel(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

void has_no_read_only_array(int n, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    o[i] += i;
}
void lacks_no_read_only_array(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}

// The device runtime keeps the state of the kernels above in this one.
void prints(int n, const float *a) { LOOP { if (a[i] > 3) printf("%d\n", i); } }
void has_device_runtime_writes(int n, const float *a, float *o) { LOOP o[i] = a[i]; }
