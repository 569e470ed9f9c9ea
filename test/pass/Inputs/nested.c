// Regions within a region: the device runtime's function that begins one begins others, calls itself, and stays.
void rows(int n, int m, const _Bool *skipped, const float *a, float *b, float *c) {
#pragma omp target teams distribute parallel for num_teams(n) map(to : a[:n * m], skipped[:n]) map(from : b[:n], c[:n * m])
  for (int i = 0; i < n; i++) {
    if (skipped[i])
      continue;
    float most = 0, sum = 0;
#pragma omp parallel for reduction(max : most)
    for (int j = 0; j < m; j++)
      most = a[i * m + j] > most ? a[i * m + j] : most;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < m; j++)
      sum += a[i * m + j] - most;
    b[i] = sum;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      c[i * m + j] = (a[i * m + j] - most) / sum;
  }
}

void sums(int n, int m, const float *a, const float *b, const float *c, const float *d, const float *e, float *f, float *g) {
#pragma omp target teams distribute parallel for map(to : a[:n], b[:n], c[:n], d[:n], e[:n]) map(from : f[:n], g[:n])
  for (int i = 0; i < n; i++) {
    f[i] = a[i] + b[i] + c[i] + m;
    g[i] = d[i] + e[i] + m;
  }
}
