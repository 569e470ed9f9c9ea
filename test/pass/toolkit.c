// A toolkit whose device code libomptarget cannot load is said when it is used, once a file; the others are not.
// RUN: rm -rf %t && mkdir -p %t/new/include %t/new/nvvm && ln -s %place_cuda/bin %t/new/bin && ln -s %place_cuda/nvvm/libdevice %t/new/nvvm/libdevice
// RUN: sed 's/define CUDA_VERSION .*/define CUDA_VERSION 13020/' %place_cuda/include/cuda.h > %t/new/include/cuda.h
// RUN: %clang --cuda-path=%t/new -fsyntax-only --offload-device-only -fplugin=%plugin %s 2>&1 | %FileCheck %s
// RUN: %clang --cuda-path=%t/new -fsyntax-only --offload-host-only -fplugin=%plugin %s 2>&1 | %FileCheck --check-prefix=NOTHING --allow-empty %s
// RUN: %clang --cuda-path=%t/new -fsyntax-only --offload-device-only -fplugin=%plugin -Wno-backend-plugin %s 2>&1 | %FileCheck --check-prefix=NOTHING --allow-empty %s
// RUN: %clang --cuda-path=%t/new -fsyntax-only --offload-device-only -fplugin=%plugin -DNONE %s 2>&1 | %FileCheck --check-prefix=NOTHING --allow-empty %s
// RUN: %clang -fsyntax-only --offload-device-only -fplugin=%plugin %s 2>&1 | %FileCheck --check-prefix=NOTHING --allow-empty %s
// REQUIRES: plugin, cuda
// CHECK: warning: place: clang's CUDA toolkit is CUDA 13.2, whose device code libomptarget 19 cannot load
// CHECK-NOT: warning: place
// NOTHING-NOT: place:

#ifdef NONE
int none;
#else
void f(int n, float *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    o[i] = 1;
}
#endif
