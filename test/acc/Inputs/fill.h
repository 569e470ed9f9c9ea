/* A directive in a header. */
static inline void fill(int *a, int n, int v) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = v;
}
