// Tables that a pass leaves in device code stay symbols with file data in the image; zero-initialised ones are found too.
// RUN: rm -rf %t.d && %simt_cc -O2 -fsimt-keep=%t.d %s -o %t && %t
// RUN: rm -rf %t.i && mkdir %t.i && cd %t.i && clang-offload-packager %t --image=file=image.o,kind=openmp || true
// RUN: %simt_cc -O2 -c %s -o %t.o && llvm-objdump --offloading %t.o | %FileCheck %s
// CHECK: triple {{.*}}x86_64
#pragma omp begin declare target
__attribute__((used)) const char place_table_test[] = "kernel text";
#pragma omp end declare target
int main(void) {
  int ok = 0;
#pragma omp target map(from : ok)
  ok = place_table_test[0] == 'k';
  return !ok;
}
