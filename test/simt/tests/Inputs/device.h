// Device built-ins under names that the host compile knows too: there they do nothing. Host and device compiles must
// see the same variables in a region, or its arguments do not match: use these instead of #ifdef in a region.
#ifndef DEVICE_H
#define DEVICE_H
#include <ompx.h>

#ifdef __NVPTX__
#define SHARED static __attribute__((address_space(3)))
#pragma omp begin declare target
extern __attribute__((address_space(3))) float dynamic_shared[];
#pragma omp end declare target
#define CONSTANT __attribute__((address_space(4)))
#define BARRIER() __nvvm_bar_sync(0)
#define LOAD_READONLY(p) __nvvm_ldg_f(p)
#define THREAD() ((int)__nvvm_read_ptx_sreg_tid_x())
#define TEAM() ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define LANE() ((int)__nvvm_read_ptx_sreg_laneid())
#define WARP(operation, ...) ((int)__nvvm_##operation(__VA_ARGS__))
#define WARP_SYNC(mask) __nvvm_bar_warp_sync(mask)
#define window dynamic_shared
#else
#define SHARED static
#define CONSTANT
#define BARRIER() ((void)0)
#define LOAD_READONLY(p) (*(p))
#define THREAD() 0
#define TEAM() 0
#define LANE() 0
#define WARP(operation, ...) 0
#define WARP_SYNC(mask) ((void)0)
#define window ((float *)0) // no variable of the region
#endif

#endif
