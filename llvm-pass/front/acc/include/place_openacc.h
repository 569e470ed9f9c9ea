/* place_openacc.h - what translated OpenACC directives call. Part of place, under the Apache License v2.0 with LLVM Exceptions.
 *
 * Included by the plugin in front of every OpenMP unit: static inline functions over the OpenMP API alone, which cost nothing where
 * they are not used. Addresses are the host's unless a name says otherwise. Callable from any host thread. */
#ifndef PLACE_OPENACC_SUPPORT_H
#define PLACE_OPENACC_SUPPORT_H

#include <place_acc_queues.h>

#ifdef __cplusplus
extern "C" {
#endif
int omp_get_default_device(void);
int omp_get_initial_device(void);
int omp_get_num_devices(void);
void omp_set_default_device(int);
int omp_target_is_present(const void *, int);
void *omp_get_mapped_ptr(const void *, int);
int omp_target_memcpy(void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, int, int);

/* What acc_set_* have set. Defined by openacc.h; a program that never includes it has no way to ask. */
struct place_acc_state {
  int type;    /* acc_device_t; 0: not set */
  int async;   /* acc_set_default_async */
};
extern struct place_acc_state place_acc_state __attribute__((weak));
void *place_acc_dlsym_(void *, const char *) __asm__("dlsym");

/* A function of libplacert by its name; null where it is not loaded. Units that have this open it (Loader.cpp). */
static __inline__ __attribute__((unused)) void *place_acc_runtime_(const char *name) { return place_acc_dlsym_((void *)0, name); }
#ifdef __cplusplus
}
#endif

#define PLACE_ACC_INLINE static __inline__ __attribute__((unused, always_inline))

/* Whether the host's code runs, or a device's. */
PLACE_ACC_INLINE int place_acc_on_host_(void) { return 1; }
#pragma omp begin declare variant match(device = {kind(nohost)})
PLACE_ACC_INLINE int place_acc_on_host_(void) { return 0; }
#pragma omp end declare variant

/* A private array of a gang or a thread, whose length is not known when the program is compiled. Memory is the device's heap; its end
 * ends the program. */
static __inline__ __attribute__((unused)) void *place_acc_new_array(__SIZE_TYPE__ elements, __SIZE_TYPE__ size) {
  void *array = __builtin_malloc(elements * size + !elements);
  if (!array) {
    __builtin_printf("openacc: no memory for a private array of %llu bytes; on GPUs, LIBOMPTARGET_HEAP_SIZE is how many there are\n",
                     (unsigned long long)(elements * size));
    __builtin_trap();
  }
  return array;
}
/* The same of a firstprivate one: what is in elements [start, start + count) of the array that was mapped. */
static __inline__ __attribute__((unused)) void *place_acc_copied_array(const void *mapped, __SIZE_TYPE__ start, __SIZE_TYPE__ count, __SIZE_TYPE__ size) {
  unsigned char *array = (unsigned char *)place_acc_new_array(start + count, size);
  __builtin_memcpy(array + start * size, (const unsigned char *)mapped + start * size, count * size);
  return array;
}
/* For the cleanup attribute: the address of the array's pointer. */
static __inline__ __attribute__((unused)) void place_acc_free_array(const void *pointer) { __builtin_free(*(void *const *)pointer); }

/* The address on a device of what lies at a host address; null if it is not there. In shared memory all is there, at its own address. */
PLACE_ACC_INLINE void *place_acc_address_on(const void *host, int device) {
  if (PLACE_ACC_SHARED_MEMORY_)
    return (void *)host;
  return omp_target_is_present(host, device) ? omp_get_mapped_ptr(host, device) : (void *)0;
}
PLACE_ACC_INLINE void *place_acc_device_address(const void *host) { return place_acc_address_on(host, omp_get_default_device()); }

PLACE_ACC_INLINE int place_acc_absent(const void *host) {
  return !PLACE_ACC_SHARED_MEMORY_ && !omp_target_is_present(host, omp_get_default_device());
}

/* Zeros in device memory. */
PLACE_ACC_INLINE void place_acc_clear(const void *host, __SIZE_TYPE__ bytes) {
  char zeros[1024];
  char *to = (char *)place_acc_device_address(host);
  __builtin_memset(zeros, 0, sizeof zeros);
  for (__SIZE_TYPE__ at = 0; to && at < bytes; at += sizeof zeros)
    omp_target_memcpy(to, zeros, bytes - at < sizeof zeros ? bytes - at : sizeof zeros, at, 0, omp_get_default_device(),
                      omp_get_initial_device());
}

/* Queues of libplacert; null: there are none, and all is carried out at once. */
PLACE_ACC_INLINE const struct place_acc_queues *place_acc_queues_(void) {
  static const struct place_acc_queues *(*get)(void);
  static char looked;
  if (!looked) {
    get = (const struct place_acc_queues *(*)(void))place_acc_runtime_("place_acc_queues");
    looked = 1;
  }
  return get ? get() : (const struct place_acc_queues *)0;
}

/* The queue that an argument of async means; -2: none. -1, acc_async_noval: the one that is set. */
PLACE_ACC_INLINE int place_acc_queue_of(int async) {
  int queue = async == -1 ? (&place_acc_state ? place_acc_state.async : 0) : async;
  return queue == -1 || queue == -3 ? 0 : queue < 0 ? -2 : queue;
}

/* What the calling thread asks of the device up to the end goes into a queue. */
PLACE_ACC_INLINE void place_acc_async_begin(int async) {
  const struct place_acc_queues *queues = place_acc_queues_();
  int queue = place_acc_queue_of(async);
  if (queues && queue >= 0)
    queues->open(queue);
}
PLACE_ACC_INLINE void place_acc_async_end(void) {
  const struct place_acc_queues *queues = place_acc_queues_();
  if (queues)
    queues->close();
}

/* Queue `waiting` or, where that is none, the calling thread waits for a queue; for all. */
PLACE_ACC_INLINE void place_acc_wait_device(int async, int waiting, int device) {
  const struct place_acc_queues *queues = place_acc_queues_();
  int queue = place_acc_queue_of(async), other = waiting == -2 ? -2 : place_acc_queue_of(waiting);
  if (!queues || queue < 0)
    return;
  if (other < 0)
    queues->wait(queue, device);
  else
    queues->wait_in_queue(queue, other, device);
}
PLACE_ACC_INLINE void place_acc_wait(int async, int waiting) { place_acc_wait_device(async, waiting, -1); }
PLACE_ACC_INLINE void place_acc_wait_all(int waiting) {
  const struct place_acc_queues *queues = place_acc_queues_();
  int other = waiting == -2 ? -2 : place_acc_queue_of(waiting);
  if (!queues)
    return;
  if (other < 0)
    queues->wait_all();
  else
    queues->wait_all_in_queue(other, -1);
}

/* Whether a call went into the open queue. */
PLACE_ACC_INLINE int place_acc_later(void (*call)(const void *), const void *argument) {
  const struct place_acc_queues *queues = place_acc_queues_();
  return queues && queues->later(call, argument);
}

/* Makes the device's copy of a pointer point to the device's copy of what the host's points to; both must be there. */
static __inline__ __attribute__((unused)) void place_acc_attach_now(const void *pointer) {
  void *copy = place_acc_device_address(pointer), *to = place_acc_device_address(*(void *const *)pointer);
  if (copy && to && copy != pointer)
    omp_target_memcpy(copy, &to, sizeof to, 0, 0, omp_get_default_device(), omp_get_initial_device());
}

/* Gives the device's copy of a pointer the host's value again. */
static __inline__ __attribute__((unused)) void place_acc_detach_now(const void *pointer) {
  void *copy = place_acc_device_address(pointer);
  if (copy && copy != pointer)
    omp_target_memcpy(copy, pointer, sizeof(void *), 0, 0, omp_get_default_device(), omp_get_initial_device());
}

/* The same, if what the pointer leads to has left the device. */
static __inline__ __attribute__((unused)) void place_acc_leave_now(const void *pointer) {
  if (place_acc_absent(*(void *const *)pointer))
    place_acc_detach_now(pointer);
}

/* The same three, when their turn comes. */
PLACE_ACC_INLINE void place_acc_attach(const void *pointer) {
  if (!place_acc_later(place_acc_attach_now, pointer))
    place_acc_attach_now(pointer);
}
PLACE_ACC_INLINE void place_acc_detach(const void *pointer) {
  if (!place_acc_later(place_acc_detach_now, pointer))
    place_acc_detach_now(pointer);
}
PLACE_ACC_INLINE void place_acc_leave(const void *pointer) {
  if (!place_acc_later(place_acc_leave_now, pointer))
    place_acc_leave_now(pointer);
}

/* set device_type, device_num, default_async; 2 is acc_device_host, which where the host is what offloads is its devices. */
PLACE_ACC_INLINE void place_acc_set_type(int type) {
  if (&place_acc_state)
    place_acc_state.type = type;
  omp_set_default_device((type == 2 && !PLACE_ACC_TARGETS_HOST_) || !omp_get_num_devices() ? omp_get_initial_device() : 0);
}
PLACE_ACC_INLINE void place_acc_set_device(int number) { omp_set_default_device(number); }
PLACE_ACC_INLINE void place_acc_set_async(int queue) {
  if (&place_acc_state)
    place_acc_state.async = queue;
}

#endif
