// Reasons that a form of the source has which clang, or place, makes something else of: `has_X` has the reason X, `lacks_X` is the same
// without what makes it so.

// As many columns as the row says, and something behind the loop: neither one nest nor one loop.
void has_unknown_form(int n, const float *a, float *o, int *count) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      o[i * n + j] = a[j * n + i];
    count[i] = i;
  }
}
void lacks_unknown_form(int n, const float *a, float *o, int *count) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      o[i * n + j] = a[j * n + i];
    count[i] = i;
  }
}

// The one way to an array of variable size for a GPU: clang allows no such declaration in device code.
void has_size_at_launch(int n, int m, const float *a, float *o) {
  float last[m];
#pragma omp target teams distribute simd lastprivate(last)
  for (int i = 0; i < n; i++) {
    last[i % m] = a[i];
    o[i] = last[i % m];
  }
  o[0] += last[0];
}
void lacks_size_at_launch(int n, int m, const float *a, float *o) {
  float last[8];
#pragma omp target teams distribute simd lastprivate(last)
  for (int i = 0; i < n; i++) {
    last[i % 8] = a[i];
    o[i] = last[i % 8];
  }
  o[0] += last[0];
}
