// The number of specialised versions is bounded by a flag; a bad flag is an error with the remedy.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-max-versions=2 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=TWO %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=3 -fplugin-arg-place-max-versions=0 -fplugin-arg-place-max-blocks=1 -fplugin-arg-place-no-agnostic -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=NONE %s
// The breadth that effort chooses: one loop form and the likeliest copy; all that ever won; all.
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=1 -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | grep ^version | %FileCheck --check-prefix=ONE %s
// RUN: %clang -O3 -fplugin=%plugin -fplugin-arg-place-dump=table -c %s -o %t.o 2>&1 | grep ^version | %FileCheck --check-prefix=USUAL %s
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-effort=4 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=EFFORT %s
// EFFORT: error: -fplugin-arg-place: effort takes 1, 2 or 3, not '4'
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-max-versions=many -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=BAD %s
// RUN: %not %clang -O3 -fplugin=%plugin -fplugin-arg-place-versions=3 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
// Another version of clang is told from the right one before anything of it is called.
// RUN: echo "void LLVMGetVersion(unsigned *a, unsigned *b, unsigned *c) { *a = 14, *b = *c = 0; }" | %cc1 -shared -fPIC -x c - -o %t.so
// RUN: env LD_PRELOAD=%t.so %clang -O3 -fplugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=OTHER %s
// RUN: env LD_PRELOAD=%t.so %clang -O3 -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=OTHER %s
// OTHER: place: libplace.so is for clang and LLVM 19; this is version 14, which compiles as without it
// REQUIRES: plugin, cuda

// TWO: place-table 2
// TWO: role=base
// TWO-COUNT-3: role=plan loop=straight space=
// TWO-NOT: loop=straight
// TWO: role=plan loop=original space=*,*,- needs=aligned:16
// TWO: end {{[0-9a-f]{16}$}}
// NONE: version {{.*}}_place_base role=base loop=original space=g,g,-
// NONE: version {{.*}}_place_gg role=plan loop=straight space=g,g,- threads=128 slice=128 needs=threads:128
// NONE: version {{.*}}_place_gg_512t128k32a role=plan loop=block space=g,g,- block=512 team=128 adjacent=1 strip=32 threads=128 teams=udiv64(
// NONE-NOT: version
// ONE: _place_base role=base
// ONE-NEXT: _place_natural_apart role=plan loop=natural
// ONE-NEXT: _place_gc role=plan loop=straight space=g,c,-
// ONE-NEXT: role=plan loop=block
// ONE-NOT: version
// USUAL: _place_base role=base
// USUAL-NEXT: _place_natural_apart role=plan loop=natural
// USUAL-NEXT: _place_natural_warp role=plan loop=natural space=g,g,- kernel={{.*}}_place_natural_apart threads=32 each=1
// USUAL-NEXT: _place_gc role=plan
// USUAL-NEXT: _place_gs role=plan
// USUAL-COUNT-2: role=plan loop=block
// The third would fetch its tiles ahead.
// USUAL-NOT: version
// BAD: error: -fplugin-arg-place: max-versions takes a number from 0 to 64, not 'many'
// UNKNOWN: error: -fplugin-arg-place: unknown option 'versions=3'; known: effort=1..3, max-versions=N
void conv(const float *a, const float *w, float *o, int n, int m) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n - m; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[i + j] * w[j];
    o[i] = s;
  }
}
