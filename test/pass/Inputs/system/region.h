static inline void add(float *sums, const float *terms, int n) {
#pragma place constant(terms)
#pragma omp target teams distribute parallel for map(tofrom : sums[:n]) map(to : terms[:8])
  for (int i = 0; i < n; i++)
    sums[i] += terms[i & 7];
}
