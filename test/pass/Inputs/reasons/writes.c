// Reasons why an array stays where it is: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)

#ifdef __NVPTX__
#define ON_GPU __asm__ volatile
#define COMPUTES __asm__
#else
#define ON_GPU(...)
#define COMPUTES(...)
#endif

struct sums { float *sum; };
#pragma omp begin declare target
float total;
#pragma omp end declare target

void has_inline_assembly(int n, const float *a, float *o) { LOOP { ON_GPU("membar.gl;" ::: "memory"); o[i] = a[i]; } }
// Such as only computes, as libdevice's functions have, is in nobody's way; it is the reduction that is.
float lacks_inline_assembly(int n, const float *a) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
  for (int i = 0; i < n; i++) {
    float r = a[i];
    COMPUTES("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(a[i]));
    s += r;
  }
  return s;
}

void has_global_variable_written(int n, const float *a, float *o) { LOOP { total = n; o[i] = a[i]; } }
void lacks_global_variable_written(int n, const float *a, float *o) { LOOP o[i] = a[i] + n; }

void has_pointer_in_memory(int n, const float *a, struct sums *o) { LOOP o->sum[i] = a[i]; }
void lacks_pointer_in_memory(int n, const float *a, struct sums *o) {
  float *sum = o->sum;
  LOOP sum[i] = a[i];
}

void has_computed_pointer(int n, long o, const float *a) { LOOP ((float *)o)[i] = a[i]; }
void lacks_computed_pointer(int n, float *o, const float *a) { LOOP o[i] = a[i]; }
