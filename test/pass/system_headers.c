// Target constructs and hints of a header that is taken for a system's are read as those of any other.
// RUN: %clang -O3 -isystem %S/Inputs/system -fplugin=%plugin -c %s -o %t.o
// RUN: strings %t.o | %FileCheck %s
// REQUIRES: plugin, cuda
#include <region.h>

// CHECK: at 3 add {{.*}}region.h
// CHECK: array 0 1 sums 4
// CHECK: array 1 2 terms 4 r 0 global,readonly,constant,shared constant
void (*const user)(float *, const float *, int) = add;
