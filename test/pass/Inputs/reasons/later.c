// FLAGS: -foffload-lto
// What another file defines joins a kernel at link time; what this one defines does not wait for it.
#pragma omp begin declare target
float elsewhere(float);
__attribute__((noinline)) float here(float x) { return x * x; }
#pragma omp end declare target

void has_linked_later(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = elsewhere(a[i]);
}
void lacks_linked_later(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = here(a[i]);
}
