static void this_unit(const int *table, const int *in, int *out, int n, int entries) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < entries; j++)
      sum += table[j];
    out[i] = sum - in[i] * table[1];
  }
}

void other_unit(const int *table, const int *in, int *out, int n, int entries) {
  this_unit(table, in, out, n, entries);
}
