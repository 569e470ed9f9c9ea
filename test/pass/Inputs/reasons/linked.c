// DUMP: table
// Reasons that come up as parts are linked, after the accesses were told: `has_X` has the reason X, `lacks_X` is the same without what
// makes it so.

// clang puts the value of a variable that nothing in the file writes in its place; what was optimised apart still asks for the variable.
void has_optimised_away(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    static float factor = 3;
    float s = a[i];
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = a[j] * factor + s;
  }
}
void lacks_optimised_away(int n, const float *a, float *o) {
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    static const float factor = 3;
    float s = a[i];
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[i * n + j] = a[j] * factor + s;
  }
}
