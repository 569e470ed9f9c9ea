// Reasons why an array stays where it is: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)

#ifdef __NVPTX__
#define ON_GPU __asm__
#else
#define ON_GPU(...)
#endif

struct pixel { float channel[64]; };

void has_written(int n, float *a) { LOOP a[i] = i; }
int lacks_written(int n, const float *a, int *found) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    if (a[i] > 0) {
#pragma omp atomic write
      *found = 1;
    }
  return 0;
}

void has_atomic(int n, const int *a, int *o) {
  LOOP {
#pragma omp atomic update
    o[a[i] & 7] += 1;
  }
}
void lacks_atomic(int n, const int *a, int *o) { LOOP o[i] = a[i]; }

void has_not_accessed(int n, const float *a, const float *b, float *o) { LOOP { (void)b[i]; o[i] = a[i]; } }
void lacks_not_accessed(int n, const float *a, const float *b, float *o) { LOOP o[i] = a[i] + b[i]; }

void has_address_stored(int n, const float *a, const float **o) { LOOP o[i] = a + i; }
void lacks_address_stored(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

#pragma omp begin declare target
__attribute__((pure)) float look_up(const float *);
#pragma omp end declare target
void has_passed_on(int n, const float *a, float *o) { LOOP o[i] = look_up(a); }
void lacks_passed_on(int n, const float *a, float *o) { LOOP o[i] = a[0]; }

void has_passed_to_assembly(int n, const int *a, int *o) {
  LOOP {
    int x = 0;
    ON_GPU("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(a));
    o[i] = x;
  }
}
void lacks_passed_to_assembly(int n, const int *a, int *o) {
  LOOP {
    int x = 0;
    ON_GPU("mov.u32 %0, %1;" : "=r"(x) : "r"(a[0]));
    o[i] = x;
  }
}

void has_other_array_too(int n, int k, const float *a, const float *b, float *o) {
  LOOP {
    const float *p = i < k ? a : b;
    float s = 0;
    for (int j = 0; j < n; j++)
      s += p[j];
    o[i] = s;
  }
}
void lacks_other_array_too(int n, int k, const float *a, const float *b, float *o) {
  LOOP {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += a[j] + b[j];
    o[i] = s;
  }
}

void has_copied_whole(int n, const struct pixel *a, struct pixel *o) { LOOP o[i] = a[i]; }
void lacks_copied_whole(int n, const struct pixel *a, struct pixel *o) { LOOP o[i].channel[0] = a[i].channel[0]; }

void has_computed_address(int n, const float *a, float *o) {
  LOOP {
    const float *p = __builtin_align_down(a + i, 64);
    o[i] = *p;
  }
}
void lacks_computed_address(int n, const float *a, float *o) {
  LOOP {
    o[i] = a[i & ~15];
  }
}

typedef const float *in;
void has_too_many_arrays(int n, in a, in b, in c, in d, in e, in f, in g, in h, in p, in q, in r, in s, in t, in u, in v, in w, in x, float *o) {
  LOOP o[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + p[i] + q[i] + r[i] + s[i] + t[i] + u[i] + v[i] + w[i] + x[i];
}
void lacks_too_many_arrays(int n, in a, in b, in c, in d, in e, in f, in g, in h, float *o) {
  LOOP o[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i];
}

