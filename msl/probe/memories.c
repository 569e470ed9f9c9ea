/* The probe's constant memory, and what its kernels see of it. */
#include <stddef.h>

#include "device.h"

#if defined __NVPTX__
#pragma omp begin declare target device_type(nohost)
__attribute__((address_space(4), used, visibility("protected"), aligned(256)))
uint32_t probe_constant[PROBE_CONSTANT_BYTES / 4] = {1};
#pragma omp end declare target
#elif defined PROBE_CPU
#pragma omp begin declare target
uint32_t probe_constant[PROBE_CONSTANT_BYTES / 4], probe_shared[PROBE_SHARED_BYTES / 4];
#pragma omp end declare target
#endif
