/* What openacc.h asks beyond the OpenMP API. It looks these functions up by name, and does without where the runtime is not loaded.
 *
 * Thread-safety: any thread. Errors: a null pointer, or 0 bytes, for what is not known. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <unistd.h>

#include "deferred.h"
#include "interpose.h"
#include "next.h"
#include "place/acc_queues.h"
#include "queue.h"
#include "runtime.h"

/* The host address of what lies at a device address of the current device. */
EXPORTED void *place_acc_host_address(const void *device_address) {
  struct rt_device *device = interpose_device(-1);
  if (!device) return NULL;
  pthread_mutex_lock(&device->lock);
  const struct ext_object *object = ext_find_device(&device->ext, (uintptr_t)device_address);
  uintptr_t host = object && object->host ? object->host + ((uintptr_t)device_address - object->device) : 0;
  pthread_mutex_unlock(&device->lock);
  return (void *)host;
}

static size_t host_bytes(bool free) {
  long pages = sysconf(free ? _SC_AVPHYS_PAGES : _SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
}

/* The driver's own functions, where libomptarget has loaded it. */
struct driver {
  int (*device)(int *, int);
  int (*retain)(void **, int);
  int (*release)(int);
  int (*push)(void *);
  int (*pop)(void **);
  int (*memory)(size_t *, size_t *);
};

static bool find_driver(struct driver *driver) {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  *(void **)&driver->device = dlsym(library, "cuDeviceGet");
  *(void **)&driver->retain = dlsym(library, "cuDevicePrimaryCtxRetain");
  *(void **)&driver->release = dlsym(library, "cuDevicePrimaryCtxRelease_v2");
  *(void **)&driver->push = dlsym(library, "cuCtxPushCurrent_v2");
  *(void **)&driver->pop = dlsym(library, "cuCtxPopCurrent_v2");
  *(void **)&driver->memory = dlsym(library, "cuMemGetInfo_v2");
  dlclose(library);
  return driver->device && driver->retain && driver->release && driver->push && driver->pop && driver->memory;
}

static size_t device_bytes(const struct driver *driver, int number, bool free) {
  int device;
  void *context;
  size_t free_bytes = 0, total_bytes = 0;
  if (driver->device(&device, number) || driver->retain(&context, device)) return 0;
  if (!driver->push(context)) {
    if (driver->memory(&free_bytes, &total_bytes)) free_bytes = total_bytes = 0;
    driver->pop(&context);
  }
  driver->release(device);
  return free ? free_bytes : total_bytes;
}

static size_t taken_bytes(int number) {
  struct rt_device *device = interpose_device(number);
  if (!device) return 0;
  pthread_mutex_lock(&device->lock);
  size_t bytes = ext_bytes(&device->ext);
  pthread_mutex_unlock(&device->lock);
  return bytes;
}

/* Of a device in the host's memory: what was free at the first question, less what the program has taken there since. What
 * other processes do does not show, so that a program can tell its own allocations. */
static size_t shared_free_bytes(int number) {
  static _Atomic size_t at_first;
  size_t none = 0, taken = taken_bytes(number), first = at_first;
  if (!first) {
    first = host_bytes(true) + taken;
    if (!atomic_compare_exchange_strong(&at_first, &none, first)) first = none;
  }
  return first > taken ? first - taken : 0;
}

/* Bytes of memory of a device as OpenMP numbers it; the host's where the device has none of its own. */
EXPORTED size_t place_acc_memory(int device, int free) {
  struct driver driver;
  size_t bytes = device >= 0 && find_driver(&driver) ? device_bytes(&driver, device, free) : 0;
  if (bytes) return bytes;
  return free && device >= 0 && device < next_num_devices() ? shared_free_bytes(device) : host_bytes(free);
}

/* ---- queues ---- */

static int known_device(int device) { return device < 0 ? next_default_device() : device; }
static void open_on_current(int queue) { queue_open(next_default_device(), queue); }
static void wait_one(int queue, int device) { queue_wait(known_device(device), queue); }
static int is_idle(int queue, int device) { return queue_is_idle(known_device(device), queue); }
static int all_idle(void) { return queue_all_idle(); }
static int later(void (*call)(const void *), const void *argument) { return deferred_call(call, argument); }

static void wait_one_in_queue(int queue, int waiting, int device) { queue_wait_in_queue(known_device(device), queue, waiting); }
static void wait_all_in_queue(int waiting, int device) { queue_wait_all_in_queue(known_device(device), waiting); }

EXPORTED const struct place_acc_queues *place_acc_queues(void);

/* Where the runtime does nothing (PLACE=off), calls do not come by here, and everything is carried out at once. */
EXPORTED const struct place_acc_queues *place_acc_queues(void) {
  static const struct place_acc_queues functions = {open_on_current, queue_close, is_idle,           all_idle,          wait_one,
                                                    queue_wait_all,  wait_one_in_queue, wait_all_in_queue, later};
  return runtime.active ? &functions : NULL;
}
