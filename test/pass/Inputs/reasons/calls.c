// Reasons why an array stays where it is: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)



// What else the region writes is not known.
#pragma omp begin declare target
void sink(float *);
#pragma omp end declare target
void has_external_call(int n, const float *a, float *o) { LOOP { sink(o + i); o[i] += a[i]; } }
void lacks_external_call(int n, const float *a, float *o) { LOOP o[i] += a[i]; }

void has_call_through_pointer(int n, void (*f)(float *), const float *a, float *o) { LOOP { f(o + i); o[i] += a[i]; } }
void lacks_call_through_pointer(int n, const float *a, float *o) { LOOP o[i] += a[i]; }

