// Reasons why the device runtime stays, or a region is no loop: `has_X` has the reason X, `lacks_X` is the same without what makes it so.

#pragma omp begin declare target
__attribute__((noinline)) static void descend(int n, float *o) {
#pragma omp parallel for
  for (int j = 0; j < n; j++)
    o[j] += 1;
  if (n > 1)
    descend(n / 2, o), descend(n / 3, o);
}
#pragma omp end declare target
void has_recursion(int n, float *o) {
#pragma omp target teams
  descend(n, o);
}
void lacks_recursion(int n, float *o) {
#pragma omp target teams
  {
#pragma omp parallel for
    for (int j = 0; j < n; j++)
      o[j] += 1;
  }
}

