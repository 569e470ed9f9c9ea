/* openacc.h - the run-time routines of OpenACC 3.3, over the OpenMP API. Part of place, under the Apache License v2.0 with LLVM
 * Exceptions.
 *
 * The functions are inline: a program needs no library but the one that -fopenmp brings. Two of them ask libplacert, if it is loaded:
 * acc_hostptr, and acc_get_property for memory. Every routine may be called from any host thread; what the acc_set_ functions set holds for the
 * process. Asynchronous operations go into the queues of libplacert; where that is not loaded they are complete when the call returns. */
#ifndef PLACE_OPENACC_H
#define PLACE_OPENACC_H

#include <place_openacc.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum acc_device_t {
  acc_device_none, acc_device_default, acc_device_host, acc_device_not_host, acc_device_nvidia, acc_device_radeon, acc_device_current
} acc_device_t;

typedef enum acc_device_property_t {
  acc_property_none, acc_property_memory, acc_property_free_memory, acc_property_shared_memory_support, acc_property_name = 101,
  acc_property_vendor, acc_property_driver
} acc_device_property_t;

enum { acc_async_noval = -1, acc_async_sync = -2, acc_async_default = -3 };

void *omp_target_alloc(size_t, int);
int place_acc_yield_(void) __asm__("sched_yield");
void omp_target_free(void *, int);
int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
int omp_target_disassociate_ptr(const void *, int);

__attribute__((weak)) struct place_acc_state place_acc_state;

/* Devices. Where the host itself is what offloads (OpenACC calls that a multicore host), its devices are of type acc_device_host. */

PLACE_ACC_INLINE int place_acc_is_host_thread_(acc_device_t type) { return type == acc_device_host && !PLACE_ACC_TARGETS_HOST_; }

PLACE_ACC_INLINE int acc_get_num_devices(acc_device_t type) {
  if (type == acc_device_none || type == acc_device_radeon)
    return 0;
  return place_acc_is_host_thread_(type) || (type == acc_device_host && !omp_get_num_devices()) ? 1 : omp_get_num_devices();
}

PLACE_ACC_INLINE acc_device_t acc_get_device_type(void) {
  if (PLACE_ACC_TARGETS_HOST_ || place_acc_state.type == acc_device_host)
    return acc_device_host;
  return place_acc_state.type == acc_device_nvidia || omp_get_num_devices() ? acc_device_nvidia : acc_device_host;
}

PLACE_ACC_INLINE void acc_set_device_type(acc_device_t type) { place_acc_set_type(type); }

PLACE_ACC_INLINE void acc_set_device_num(int number, acc_device_t type) {
  if (place_acc_is_host_thread_(type))
    place_acc_set_type(type);
  else if (number < omp_get_num_devices())
    place_acc_set_device(number < 0 ? 0 : number);
}

PLACE_ACC_INLINE int acc_get_device_num(acc_device_t type) {
  int device = omp_get_default_device();
  return place_acc_is_host_thread_(type) || device >= omp_get_num_devices() ? 0 : device;
}

PLACE_ACC_INLINE void acc_init(acc_device_t type) { (void)type; }
PLACE_ACC_INLINE void acc_init_device(int number, acc_device_t type) { (void)number, (void)type; }
PLACE_ACC_INLINE void acc_shutdown(acc_device_t type) { (void)type, place_acc_wait_all(acc_async_sync); }
PLACE_ACC_INLINE void acc_shutdown_device(int number, acc_device_t type) { (void)number, acc_shutdown(type); }

PLACE_ACC_INLINE int acc_on_device(acc_device_t type) {
  int host = place_acc_on_host_();
  if (type == acc_device_host)
    return host || PLACE_ACC_TARGETS_HOST_;
  if (type == acc_device_none || type == acc_device_radeon)
    return host && type == acc_device_none;
  return !host && (type == acc_device_default || !PLACE_ACC_TARGETS_HOST_);
}

/* Bytes of memory of the current device, free ones if asked; 0: not known. libplacert knows. */
PLACE_ACC_INLINE size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property) {
  size_t (*memory)(int, int) = (size_t(*)(int, int))place_acc_runtime_("place_acc_memory");
  int device = place_acc_is_host_thread_(type) ? omp_get_initial_device()
               : type == acc_device_current    ? omp_get_default_device()
                                               : number;
  if (property == acc_property_shared_memory_support)
    return PLACE_ACC_SHARED_MEMORY_ || place_acc_is_host_thread_(type);
  if (property != acc_property_memory && property != acc_property_free_memory)
    return 0;
  return memory ? memory(device, property == acc_property_free_memory) : 0;
}

PLACE_ACC_INLINE const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property) {
  (void)number;
  if (property == acc_property_vendor)
    return type == acc_device_host || PLACE_ACC_TARGETS_HOST_ ? "host" : "NVIDIA";
  if (property == acc_property_name)
    return type == acc_device_host || PLACE_ACC_TARGETS_HOST_ ? "host" : "NVIDIA GPU";
  return property == acc_property_driver ? "libomptarget" : (const char *)0;
}

/* Queues */

PLACE_ACC_INLINE int acc_get_default_async(void) { return place_acc_state.async; }
PLACE_ACC_INLINE void acc_set_default_async(int queue) { place_acc_state.async = queue; }
PLACE_ACC_INLINE int acc_async_test_device(int queue, int device) {
  const struct place_acc_queues *queues = place_acc_queues_();
  int number = place_acc_queue_of(queue);
  return !queues || number < 0 || queues->is_idle(number, device);
}
PLACE_ACC_INLINE int acc_async_test(int queue) { return acc_async_test_device(queue, -1); }
PLACE_ACC_INLINE int acc_async_test_all(void) {
  const struct place_acc_queues *queues = place_acc_queues_();
  return !queues || queues->all_idle();
}
PLACE_ACC_INLINE int acc_async_test_all_device(int device) { return (void)device, acc_async_test_all(); }
PLACE_ACC_INLINE void acc_wait(int queue) { place_acc_wait(queue, acc_async_sync); }
PLACE_ACC_INLINE void acc_wait_device(int queue, int device) { place_acc_wait_device(queue, acc_async_sync, device); }
PLACE_ACC_INLINE void acc_wait_async(int queue, int waiting) { place_acc_wait(queue, waiting); }
PLACE_ACC_INLINE void acc_wait_device_async(int queue, int waiting, int device) { place_acc_wait_device(queue, waiting, device); }
PLACE_ACC_INLINE void acc_wait_all(void) { place_acc_wait_all(acc_async_sync); }
PLACE_ACC_INLINE void acc_wait_all_device(int device) { (void)device, acc_wait_all(); }
PLACE_ACC_INLINE void acc_wait_all_async(int waiting) { place_acc_wait_all(waiting); }
PLACE_ACC_INLINE void acc_wait_all_device_async(int waiting, int device) { (void)device, place_acc_wait_all(waiting); }

/* Waits until one of the queues is idle and returns its index; -1 if there is none but acc_async_sync. */
PLACE_ACC_INLINE int acc_wait_any_device(int count, int queues[], int device) {
  for (int first = -1;;) {
    for (int i = 0; i < count; i++) {
      if (queues[i] == acc_async_sync)
        continue;
      if (acc_async_test_device(queues[i], device))
        return i;
      if (first < 0)
        first = i;
    }
    if (first < 0)
      return -1;
    place_acc_yield_();
  }
}
PLACE_ACC_INLINE int acc_wait_any(int count, int queues[]) { return acc_wait_any_device(count, queues, -1); }
#define acc_async_wait acc_wait
#define acc_async_wait_all acc_wait_all

/* Memory. `device` addresses come from acc_malloc or acc_deviceptr. */

PLACE_ACC_INLINE void *acc_malloc(size_t bytes) { return omp_target_alloc(bytes, omp_get_default_device()); }
PLACE_ACC_INLINE void acc_free(void *device) { omp_target_free(device, omp_get_default_device()); }
PLACE_ACC_INLINE void acc_map_data(void *host, void *device, size_t bytes) {
  omp_target_associate_ptr(host, device, bytes, 0, omp_get_default_device());
}
PLACE_ACC_INLINE void acc_unmap_data(void *host) { omp_target_disassociate_ptr(host, omp_get_default_device()); }
PLACE_ACC_INLINE void *acc_deviceptr(const void *host) { return place_acc_device_address(host); }

PLACE_ACC_INLINE void *acc_hostptr(const void *device) {
  void *(*lookup)(const void *) = (void *(*)(const void *))place_acc_runtime_("place_acc_host_address");
  void *host = lookup ? lookup(device) : (void *)0;
  return host || !PLACE_ACC_SHARED_MEMORY_ ? host : (void *)device;
}

PLACE_ACC_INLINE int acc_is_present(const void *host, size_t bytes) {
  const char *first = (const char *)host;
  return !place_acc_absent(first) && (bytes < 2 || !place_acc_absent(first + bytes - 1));
}

PLACE_ACC_INLINE void acc_memcpy_to_device(void *device, const void *host, size_t bytes) {
  omp_target_memcpy(device, host, bytes, 0, 0, omp_get_default_device(), omp_get_initial_device());
}
PLACE_ACC_INLINE void acc_memcpy_from_device(void *host, const void *device, size_t bytes) {
  omp_target_memcpy(host, device, bytes, 0, 0, omp_get_initial_device(), omp_get_default_device());
}
PLACE_ACC_INLINE void acc_memcpy_device(void *to, const void *from, size_t bytes) {
  omp_target_memcpy(to, from, bytes, 0, 0, omp_get_default_device(), omp_get_default_device());
}
/* Between two devices, named by the host addresses of what lies there. */
PLACE_ACC_INLINE void acc_memcpy_d2d(void *to, const void *from, size_t bytes, int to_device, int from_device) {
  omp_target_memcpy(place_acc_address_on(to, to_device), place_acc_address_on(from, from_device), bytes, 0, 0, to_device, from_device);
}

PLACE_ACC_INLINE void *acc_copyin(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target enter data map(to : p[0 : bytes])
  return place_acc_device_address(host);
}
PLACE_ACC_INLINE void *acc_create(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target enter data map(alloc : p[0 : bytes])
  return place_acc_device_address(host);
}
PLACE_ACC_INLINE void acc_copyout(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target exit data map(from : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_delete(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target exit data map(release : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_copyout_finalize(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target update from(p[0 : bytes])
#pragma omp target exit data map(delete : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_delete_finalize(void *host, size_t bytes) {
  char *p = (char *)host;
#pragma omp target exit data map(delete : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_update_device(void *host, size_t bytes) {
  char *p = (char *)host;
  if (PLACE_ACC_SHARED_MEMORY_)
    return;
#pragma omp target update to(present : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_update_self(void *host, size_t bytes) {
  char *p = (char *)host;
  if (PLACE_ACC_SHARED_MEMORY_)
    return;
#pragma omp target update from(present : p[0 : bytes])
}
PLACE_ACC_INLINE void acc_attach(void **pointer) { place_acc_attach(pointer); }
PLACE_ACC_INLINE void acc_detach(void **pointer) { place_acc_detach(pointer); }
PLACE_ACC_INLINE void acc_detach_finalize(void **pointer) { place_acc_detach(pointer); }

#define acc_present_or_copyin acc_copyin
#define acc_pcopyin acc_copyin
#define acc_present_or_create acc_create
#define acc_pcreate acc_create
#define acc_update_host acc_update_self

#define PLACE_ACC_ASYNC_(name)                                                                                                      \
  PLACE_ACC_INLINE void name##_async(void *host, size_t bytes, int queue) {                                                         \
    place_acc_async_begin(queue);                                                                                                   \
    name(host, bytes);                                                                                                              \
    place_acc_async_end();                                                                                                          \
  }
PLACE_ACC_ASYNC_(acc_copyin)
PLACE_ACC_ASYNC_(acc_create)
PLACE_ACC_ASYNC_(acc_copyout)
PLACE_ACC_ASYNC_(acc_delete)
PLACE_ACC_ASYNC_(acc_copyout_finalize)
PLACE_ACC_ASYNC_(acc_delete_finalize)
PLACE_ACC_ASYNC_(acc_update_device)
PLACE_ACC_ASYNC_(acc_update_self)
#undef PLACE_ACC_ASYNC_
#define PLACE_ACC_ASYNC_(name)                                                                                                      \
  PLACE_ACC_INLINE void name##_async(void **pointer, int queue) {                                                                   \
    place_acc_async_begin(queue);                                                                                                   \
    name(pointer);                                                                                                                  \
    place_acc_async_end();                                                                                                          \
  }
PLACE_ACC_ASYNC_(acc_attach)
PLACE_ACC_ASYNC_(acc_detach)
PLACE_ACC_ASYNC_(acc_detach_finalize)
#undef PLACE_ACC_ASYNC_
/* In its turn, and complete when the call returns. */
PLACE_ACC_INLINE void acc_memcpy_to_device_async(void *device, const void *host, size_t bytes, int queue) {
  acc_wait(queue), acc_memcpy_to_device(device, host, bytes);
}
PLACE_ACC_INLINE void acc_memcpy_from_device_async(void *host, const void *device, size_t bytes, int queue) {
  acc_wait(queue), acc_memcpy_from_device(host, device, bytes);
}
PLACE_ACC_INLINE void acc_memcpy_device_async(void *to, const void *from, size_t bytes, int queue) {
  acc_wait(queue), acc_memcpy_device(to, from, bytes);
}

#ifdef __cplusplus
}
#endif

#endif
