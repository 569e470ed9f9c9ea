// Reasons why a region has no versions, no blocks, no strips, or keeps the device runtime: `has_X` has the reason X, `lacks_X` is the
// same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)
int omp_get_num_teams(void);
int omp_get_level(void);

void has_noplace(int n, const float *a, float *o) {
#pragma place noplace
  LOOP o[i] = a[i];
}
void lacks_noplace(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

#pragma omp begin declare target
int counter;
#pragma omp end declare target
void has_no_array(int n) { LOOP __builtin_printf("%d\n", i); }
void lacks_no_array(int n) { LOOP counter = n; }

// The loops' form.
void has_schedule_of_chunks(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for schedule(static, 4)
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
void lacks_schedule_of_chunks(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

double has_reduction(int n, const double *a) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
void lacks_reduction(int n, const double *a, double *o) { LOOP o[i] = a[i]; }

void has_teams_observed(int n, const float *a, float *o) { LOOP o[i] = a[i] + omp_get_num_teams(); }
void lacks_teams_observed(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

float has_other_loop(int n, const float *a, float *o) {
  float last;
#pragma omp target teams distribute parallel for lastprivate(last) map(from : last)
  for (int i = 0; i < n; i++)
    o[i] = last = a[i];
  return last;
}
void lacks_other_loop(int n, const float *a, float *o) { LOOP o[i] = a[i]; }

void has_private_memory(int n, const float *a, float *o) {
  LOOP {
    float v[64];
    for (int k = 0; k < 64; k++)
      v[k] = a[i * 64 + k];
    o[i] = v[(int)a[i] & 63];
  }
}
void lacks_private_memory(int n, const float *a, float *o) { LOOP o[i] = a[i * 64 + ((int)a[i] & 63)]; }

void has_threads_part(int n, int m, const float *a, const float *b, float *o) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > 0) {
        float s = 0;
        for (int k = 0; k < n; k++)
          s += a[i * m + k] * b[k * m + j];
        o[i * m + j] = s;
      }
}
void lacks_threads_part(int n, int m, const float *a, const float *b, float *o) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * m + k] * b[k * m + j];
      o[i * m + j] = s;
    }
}

// Strips.
void has_no_sequential_loop(int n, const float *a, float *o) { LOOP o[i] = a[i]; }
void lacks_no_sequential_loop(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k] * i;
    o[i] = s;
  }
}
void has_loop_to_no_common_end(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int j = 0; j < m; j++) {
      s = s * 2;
      for (int k = 0; k < m; k++)
        s += a[i + k];
    }
    o[i] = s;
  }
}
void lacks_loop_to_no_common_end(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k];
    o[i] = s;
  }
}
void has_no_even_read(int n, int m, const int *at, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[at[i] ^ k];
    o[i] = s;
  }
}
void lacks_no_even_read(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k] * i;
    o[i] = s;
  }
}
#pragma omp begin declare target
float scale;
#pragma omp end declare target
void has_may_read_writes(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k] * scale;
    o[i] += s;
  }
}
void lacks_may_read_writes(int n, int m, const float *a, float *o) {
  LOOP {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[k];
    o[i] += s;
  }
}
