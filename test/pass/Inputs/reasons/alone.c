// FLAGS: -fplugin-arg-place-no-isolate
// Without other kernels, the one of no_isolate.c has no state.
void lacks_device_runtime_writes(int n, const float *a, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = a[i];
}
