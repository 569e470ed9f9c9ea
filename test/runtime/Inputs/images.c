// A shared object with a region, opened and closed several times; the main program has regions, too.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 3000 };
int main(int argc, char **argv) {
  static int in[N], w[64], out[N], bad = 0;
  for (int i = 0; i < N; i++) in[i] = i % 97;
  for (int i = 0; i < 64; i++) w[i] = i;
  for (int t = 0; t < 4; t++) {
    void *so = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!so) return puts(dlerror()), 1;
    int (*f)(const int *, const int *, int *, int, int) = (int (*)(const int *, const int *, int *, int, int))dlsym(so, "lib_scale");
    w[3] = t;
    bad += f(in, w, out, N, 6);
    for (int r = 0; r < 6; r++) {
#pragma omp target teams distribute parallel for map(to : in, w) map(from : out)
      for (int i = 0; i < N; i++) out[i] = w[i % 64] + in[N - 1 - i];
      for (int i = 0; i < N; i++) bad += out[i] != w[i % 64] + in[N - 1 - i];
    }
    if (t % 2) dlclose(so);
  }
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
