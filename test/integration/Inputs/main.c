/* Calls the regions of other objects, several times; with -DLATE those of a library that it opens itself. */
#include <dlfcn.h>
#include <stdio.h>

#include "regions.h"

int main(int argc, char **argv) {
  static float a[N + TAPS], w[TAPS], out[N];
  int wrong = 0;
  for (int i = 0; i < N + TAPS; i++) a[i] = (float)(i % 7);
  for (int j = 0; j < TAPS; j++) w[j] = (float)(j + 1);
#ifdef LATE
  void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
  int (*first)(const float *, const float *, float *), (*second)(const float *, const float *, float *);
  *(void **)&first = dlsym(library, "first");
  *(void **)&second = dlsym(library, "second");
#else
  (void)argc, (void)argv;
#endif
  for (int launch = 0; launch < 3; launch++) wrong += first(a, w, out) + second(a, w, out);
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
