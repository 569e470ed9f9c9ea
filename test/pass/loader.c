// A program built with the one flag looks for the runtime and runs without it. Of a runtime that is nowhere it speaks only when
// something of place is asked for; of one that is there and cannot be loaded always, in the dynamic loader's words, once.
// RUN: rm -rf %t.d && mkdir -p %t.d/alone %t.d/broken %t.d/torn && cd %t.d
// RUN: cp %plugin alone && cp %plugin broken && cp %plugin torn
// RUN: %clang -O3 -fplugin=%t.d/alone/libplace.so %s -o alone/app
// RUN: env -u PLACE_REPORT alone/app 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED alone/app 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE_FORCE=main:a=global OMP_TARGET_OFFLOAD=DISABLED alone/app 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE=off PLACE_REPORT=1 alone/app 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: %clang -O3 -fpass-plugin=%t.d/alone/libplace.so %s -o alone/app.pass
// RUN: alone/app.pass 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED alone/app.pass 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE_FORCE=main:a=global OMP_TARGET_OFFLOAD=DISABLED alone/app.pass 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE=0 PLACE_REPORT=1 alone/app.pass 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: %clang -O3 -fplugin=%t.d/alone/libplace.so -fplugin-arg-place-no-load %s -o alone/app.no
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED alone/app.no 2>&1 | %FileCheck --check-prefix=QUIET %s
//
// One of its libraries is missing: with two objects that load it, and by either kind of plugin.
// RUN: echo "int place_needs(void) { return 0; }" | %cc1 -shared -fPIC -x c - -o broken/libneeded.so.40 -Wl,-soname,libneeded.so.40
// RUN: echo "int place_needs(void); int place_runtime(void) { return place_needs(); }" | %cc1 -shared -fPIC -x c - -o broken/libplacert.so -Lbroken -l:libneeded.so.40
// RUN: %clang -O3 -fplugin=%t.d/broken/libplace.so -DPART -shared -fPIC %s -o broken/libpart.so
// RUN: %clang -O3 -fplugin=%t.d/broken/libplace.so -DWHOLE %s -Lbroken -lpart -Wl,-rpath,%t.d/broken -o broken/app
// RUN: %clang -O3 -fpass-plugin=%t.d/broken/libplace.so -DPART -shared -fPIC %s -o broken/libpart.so.pass
// RUN: %clang -O3 -fpass-plugin=%t.d/broken/libplace.so -DWHOLE %s broken/libpart.so.pass -o broken/app.pass
// RUN: rm broken/libneeded.so.40
// RUN: env OMP_TARGET_OFFLOAD=DISABLED broken/app 2>&1 | %FileCheck --check-prefix=NEEDED %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED broken/app.pass 2>&1 | %FileCheck --check-prefix=NEEDED %s
// RUN: env PLACE=off OMP_TARGET_OFFLOAD=DISABLED broken/app 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: env PLACE=off OMP_TARGET_OFFLOAD=DISABLED broken/app.pass 2>&1 | %FileCheck --check-prefix=QUIET %s
// The same where it is found by its name.
// RUN: env LD_LIBRARY_PATH=%t.d/broken:$LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=DISABLED alone/app 2>&1 | %FileCheck --check-prefix=NEEDED %s
// RUN: env LD_LIBRARY_PATH=%t.d/broken:$LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=DISABLED alone/app.pass 2>&1 | %FileCheck --check-prefix=NEEDED %s
//
// No library at all.
// RUN: echo torn > torn/libplacert.so
// RUN: %clang -O3 -fplugin=%t.d/torn/libplace.so %s -o torn/app
// RUN: env OMP_TARGET_OFFLOAD=DISABLED torn/app 2>&1 | %FileCheck --check-prefix=TORN %s
//
// What is added is not the program's: no flag is about it, in any language.
// RUN: %clang -O3 -std=c89 -Weverything -Werror -Wno-unused-command-line-argument -fplugin=%plugin -c -x c %S/Inputs/nothing.c -o nothing.o
// RUN: %clangxx -O3 -std=c++98 -Weverything -Werror -Wno-unused-command-line-argument -fplugin=%plugin -c -x c++ %S/Inputs/nothing.c -o nothing.o
// Nor does it stand before the first line of a C++ module, which has to be the first.
// RUN: %clangxx -O3 -std=c++20 -Werror -Wno-unused-command-line-argument --offload-host-only -fplugin=%plugin --precompile -x c++-module %S/Inputs/module.cppm -o module.pcm
// RUN: %clangxx -O3 -std=c++20 -Werror -Wno-unused-command-line-argument --offload-host-only -fplugin=%plugin -fmodule-file=regions=module.pcm -c %S/Inputs/unit.cpp -o unit.o
// REQUIRES: plugin, cuda

#include <stdio.h>
// QUIET-NOT: place:
// QUIET: 45
// NOWHERE: place: libplacert.so: cannot open shared object file: No such file or directory; the program runs as without place.{{.*}}LD_LIBRARY_PATH
// NOWHERE-NOT: place:
// NOWHERE: 45
// NEEDED: place: libneeded.so.40: cannot open shared object file: No such file or directory; the program runs as without place.
// NEEDED-NOT: place:
// NEEDED: 45
// TORN: place: {{.*}}/torn/libplacert.so: {{.+}}; the program runs as without place.
// TORN-NOT: place:
// TORN: 45
int part(const int *a);
#ifndef WHOLE
int part(const int *a) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[:10])
  for (int i = 0; i < 10; i++)
    s += a[i];
  return s;
}
#endif
#ifndef PART
int main(void) {
  int a[10];
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 10; i++)
    a[i] = i;
  printf("%d\n", part(a));
}
#endif
