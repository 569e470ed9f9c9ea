// Critical sections have no implementation for NVIDIA GPUs in LLVM 19's device runtime (nvlink finds no setCriticalLock).
// RUN: %not %simt_cc -O2 %s -o %t 2>&1 | %FileCheck %s
// CHECK: simt-lower: error: unsupported construct omp critical
int main(void) {
  int n = 0;
#pragma omp target parallel num_threads(32) map(tofrom : n)
#pragma omp critical
  n++;
  return n != 32;
}
