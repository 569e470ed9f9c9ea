// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.
#define LOOP _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++)

void has_atomic_of_team(int n, int *next, float *o) {
#pragma omp target teams
  {
    int i;
#pragma omp atomic capture
    i = (*next)++;
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = i;
  }
}
void lacks_atomic_of_team(int n, int *next, float *o) {
#pragma omp target teams
  {
    int i = *next;
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = i;
  }
}

#pragma omp begin declare target
float start(int);
#pragma omp end declare target
void has_call_of_team(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = start(i);
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = a[j] + s;
  }
}
void lacks_call_of_team(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    float s = i;
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = a[j] + s;
  }
}

