// A program looks for the runtime by its name, where the dynamic loader looks, and runs without it; it then says why, in the dynamic
// loader's words, once.
// RUN: rm -rf %t.d && mkdir -p %t.d/broken %t.d/torn %t.d/open %t.d/deep/in %t.d/alone && cd %t.d && ln -s %plugin alone/libplace.so
// RUN: %clang_far -O3 -fplugin=alone/libplace.so %s -o app
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./app 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE=off ./app 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: %clang_far -O3 -fpass-plugin=alone/libplace.so %s -o app.pass
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./app.pass 2>&1 | %FileCheck --check-prefix=NOWHERE %s
// RUN: env PLACE=0 ./app.pass 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: %clang_far -O3 -fplugin=alone/libplace.so -fplugin-arg-place-no-load %s -o app.no
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./app.no 2>&1 | %FileCheck --check-prefix=QUIET %s
//
// By its run path it is found; and, with nothing said but the one flag, beside the plugin.
// RUN: %clang_far -O3 -fplugin=alone/libplace.so %s -Wl,-rpath,%t.d/open -o app.open && cp -L %rt open/libplacert.so.2
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./app.open 2>&1 | %FileCheck --check-prefix=FOUND %s
// RUN: rm open/libplacert.so.2 && cp -L %rt open/libplacert.so
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./app.open 2>&1 | %FileCheck --check-prefix=FOUND %s
// RUN: env PLACE_REPORT=1 LD_LIBRARY_PATH=%t.d/open:$LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=DISABLED ./app 2>&1 | %FileCheck --check-prefix=FOUND %s
// RUN: mv open/libplacert.so open/libplacert.so.2 && ln -s %plugin open/libplace.so
// RUN: %clang_far -O3 -fplugin=open/libplace.so %s -o one.flag
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=FOUND %s
// RUN: %clang_far -O3 -fpass-plugin=open/libplace.so %s -o one.pass
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./one.pass 2>&1 | %FileCheck --check-prefix=FOUND %s
//
// There it is refused if others may write or replace it; a sticky folder keeps what is ours; a link does not get around it.
// RUN: chmod 777 open
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: env PLACE=off OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: chmod 1777 open
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=FOUND %s
// RUN: chmod 755 open && chmod 666 open/libplacert.so.2
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: mv open/libplacert.so.2 deep/in && chmod 644 deep/in/libplacert.so.2 && chmod 777 deep && ln -s %t.d/deep/in/libplacert.so.2 open
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: chmod 755 deep
// RUN: env PLACE_REPORT=1 OMP_TARGET_OFFLOAD=DISABLED ./one.flag 2>&1 | %FileCheck --check-prefix=FOUND %s
//
// One of its libraries is missing: with two objects that load it, and by either kind of plugin.
// RUN: echo "int place_needs(void) { return 0; }" | %cc1 -shared -fPIC -x c - -o broken/libneeded.so.40 -Wl,-soname,libneeded.so.40
// RUN: echo "int place_needs(void); int place_runtime(void) { return place_needs(); }" | %cc1 -shared -fPIC -x c - -o broken/libplacert.so.2 -Lbroken -l:libneeded.so.40
// RUN: %clang_far -O3 -fplugin=alone/libplace.so -DPART -shared -fPIC %s -Wl,-rpath,%t.d/broken -o broken/libpart.so
// RUN: %clang_far -O3 -fplugin=alone/libplace.so -DWHOLE %s -Lbroken -lpart -Wl,-rpath,%t.d/broken -o broken/app
// RUN: %clang_far -O3 -fpass-plugin=alone/libplace.so -DPART -shared -fPIC %s -Wl,-rpath,%t.d/broken -o broken/libpart.so.pass
// RUN: %clang_far -O3 -fpass-plugin=alone/libplace.so -DWHOLE %s broken/libpart.so.pass -Wl,-rpath,%t.d/broken -o broken/app.pass
// RUN: rm broken/libneeded.so.40
// RUN: env OMP_TARGET_OFFLOAD=DISABLED broken/app 2>&1 | %FileCheck --check-prefix=NEEDED %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED broken/app.pass 2>&1 | %FileCheck --check-prefix=NEEDED %s
// RUN: env PLACE=off OMP_TARGET_OFFLOAD=DISABLED broken/app 2>&1 | %FileCheck --check-prefix=QUIET %s
// RUN: env PLACE=off OMP_TARGET_OFFLOAD=DISABLED broken/app.pass 2>&1 | %FileCheck --check-prefix=QUIET %s
// The same where it is found by its name.
// RUN: env LD_LIBRARY_PATH=%t.d/broken:$LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=DISABLED ./app 2>&1 | %FileCheck --check-prefix=NEEDED %s
//
// No library at all.
// RUN: echo torn > torn/libplacert.so.2
// RUN: env LD_LIBRARY_PATH=%t.d/torn:$LD_LIBRARY_PATH OMP_TARGET_OFFLOAD=DISABLED ./app 2>&1 | %FileCheck --check-prefix=TORN %s
//
// A program has one of it, however many objects bring it; objects without regions have none.
// RUN: %clang_far -O3 -fplugin=alone/libplace.so -DPART -c %s -o part.o
// RUN: %clang_far -O3 -fplugin=alone/libplace.so -DWHOLE -c %s -o whole.o
// RUN: %clang_far part.o whole.o -o two
// RUN: %python %S/Inputs/constructors.py two | %FileCheck --check-prefix=BYTES %s
// RUN: %python %S/Inputs/constructors.py app | %FileCheck --check-prefix=BYTES %s
// BYTES: bytes of .init_array: 24
// RUN: %clang -O3 -fplugin=%plugin -c -x c %S/Inputs/nothing.c -o nothing.o
// RUN: %python %S/Inputs/constructors.py nothing.o | %FileCheck --check-prefix=NONE %s
// NONE: constructors: 0
//
// What is added is not the program's: no flag is about it, in any language.
// RUN: %clang -O3 -std=c89 -Weverything -Werror -Wno-unused-command-line-argument -fplugin=%plugin -c -x c %S/Inputs/nothing.c -o nothing.o
// RUN: %clangxx -O3 -std=c++98 -Weverything -Werror -Wno-unused-command-line-argument -fplugin=%plugin -c -x c++ %S/Inputs/nothing.c -o nothing.o
// Units of C++ modules have it, too.
// RUN: %clangxx -O3 -std=c++20 -Werror -Wno-unused-command-line-argument --offload-host-only -fplugin=%plugin --precompile -x c++-module %S/Inputs/module.cppm -o module.pcm
// RUN: %clangxx -O3 -std=c++20 -Werror -Wno-unused-command-line-argument --offload-host-only -fplugin=%plugin -fmodule-file=regions=module.pcm -c %S/Inputs/unit.cpp -o unit.o
// RUN: %python %S/Inputs/constructors.py unit.o | %FileCheck --check-prefix=ONE %s
// ONE: constructors: 1
// REQUIRES: plugin, cuda

#include <stdio.h>
// QUIET-NOT: place:
// QUIET: 45
// FOUND: place: {{.*}}region
// REFUSED: place: {{.*}}/libplacert.so.2 is not loaded, since others may write to it or to a folder above it; the program runs as without place. Take away
// REFUSED-NOT: place:
// NOWHERE: place: libplacert.so.2: cannot open shared object file: No such file or directory; the program runs as without place.{{.*}}LD_LIBRARY_PATH
// NOWHERE-NOT: place:
// NOWHERE: 45
// NEEDED: place: libneeded.so.40: cannot open shared object file: No such file or directory; the program runs as without place.
// NEEDED-NOT: place:
// NEEDED: 45
// TORN: place: {{.*}}/torn/libplacert.so.2: {{.+}}; the program runs as without place.
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
