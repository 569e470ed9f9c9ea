// The compile's memory is in huge pages, ptxas's too, unless the user says how malloc is to work, they come
// slowly, or the machine is a virtual one whose host takes memory that is free. Other options of the user's stay.
// RUN: rm -rf %t && mkdir %t && %cc1 -shared -fPIC -o %t/see.so %S/Inputs/invented-machine.c
// RUN: env -u GLIBC_TUNABLES KEEP=%t/none LD_PRELOAD=%t/see.so %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s 2>&1 | %FileCheck %s
// RUN: %FileCheck --check-prefix=ALONE %s < %t/none
// RUN: env KEEP=%t/other LD_PRELOAD=%t/see.so GLIBC_TUNABLES=glibc.rtld.nns=5 %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s
// RUN: %FileCheck --check-prefix=OTHER %s < %t/other
// RUN: env KEEP=%t/own GLIBC_TUNABLES=glibc.malloc.arena_max=3 LD_PRELOAD=%t/see.so \
// RUN:   %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s 2>&1 | %FileCheck --check-prefix=LEFT --allow-empty %s
// RUN: %FileCheck --check-prefix=OWN %s < %t/own
// RUN: env -u GLIBC_TUNABLES KEEP=%t/slow SLOW=3 LD_PRELOAD=%t/see.so \
// RUN:   %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s 2>&1 | %FileCheck --check-prefix=SLOW %s
// RUN: %FileCheck --check-prefix=SMALL %s < %t/slow
// RUN: mkdir -p %t/keeps/virtio0 %t/reports/virtio0 %t/reports/virtio1
// RUN: echo 0110000100 | tee %t/keeps/virtio0/features > %t/reports/virtio0/features && echo 0110010100 > %t/reports/virtio1/features
// RUN: env -u GLIBC_TUNABLES KEEP=%t/kept BALLOON=%t/keeps LD_PRELOAD=%t/see.so \
// RUN:   %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s 2>&1 | %FileCheck %s
// RUN: env -u GLIBC_TUNABLES KEEP=%t/taken BALLOON=%t/reports LD_PRELOAD=%t/see.so \
// RUN:   %clang -O3 -fplugin=%plugin -c -o %t/o -fplugin-arg-place-assembler=%S/Inputs/tell-tunables.sh %s 2>&1 | %FileCheck --check-prefix=LEFT --allow-empty %s
// RUN: %FileCheck --check-prefix=SMALL %s < %t/taken
// REQUIRES: plugin, cuda
// CHECK: huge page 32, of 2 MiB
// ALONE: tunables of ptxas: glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216{{$}}
// OTHER: tunables of ptxas: glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:glibc.rtld.nns=5{{$}}
// LEFT-NOT: huge page{{ }}
// OWN: tunables of ptxas: glibc.malloc.arena_max=3{{$}}
// SLOW-NOT: huge page 4,
// SLOW: huge page 3,
// SLOW-NOT: huge page 4,
// SMALL: tunables of ptxas: none{{$}}

void f(int n, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = 1;
}
