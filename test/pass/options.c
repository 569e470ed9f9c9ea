// The number of specialised versions is bounded by a flag; a bad flag is an error with the remedy.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-versions=2 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=TWO %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-versions=0 -fplugin-arg-place-max-blocks=1 -fplugin-arg-place-no-agnostic -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-versions=many -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=BAD %s
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-versions=3 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
// REQUIRES: plugin, cuda

// TWO: place-table 1
// TWO: base
// TWO-COUNT-3: special
// TWO-NOT: special
// TWO: agnostic
// TWO: end {{[0-9a-f]{16}$}}
// NONE: version {{.*}}_place_base base gg-
// NONE: version {{.*}}_place_gg special gg-
// NONE: version {{.*}}_place_gg_512t128k32a block gg- 128 tt- udiv64(
// NONE-NOT: version
// BAD: error: -fplugin-arg-place: max-versions takes a number from 0 to 64, not 'many'
// UNKNOWN: error: -fplugin-arg-place: unknown option 'versions=3'; known: max-versions=N
void conv(const float *a, const float *w, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n - m; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[i + j] * w[j];
    o[i] = s;
  }
}
