/* The OpenMP API's device memory routines. */
#include "interpose.h"

#include "next.h"
#include "place/launch_reason.h"

#define LOCKED(d, statement)         \
  do {                               \
    pthread_mutex_lock(&(d)->lock);  \
    statement;                       \
    pthread_mutex_unlock(&(d)->lock); \
  } while (0)

/* ---- allocation ---- */

static void *allocated(void *p, size_t bytes, int device) {
  struct rt_device *d = p ? interpose_device(device) : NULL;
  if (d) LOCKED(d, ext_allocated(&d->ext, (uintptr_t)p, bytes));
  return p;
}

static void freed(void *p, int device) {
  struct rt_device *d = p ? interpose_device(device) : NULL;
  if (d) LOCKED(d, ext_freed(&d->ext, (uintptr_t)p));
}

EXPORTED void *omp_target_alloc(size_t bytes, int device) {
  return allocated(next_omp_target_alloc()(bytes, device), bytes, device);
}
EXPORTED void *llvm_omp_target_alloc_device(size_t bytes, int device) {
  return allocated(next_llvm_omp_target_alloc_device()(bytes, device), bytes, device);
}
EXPORTED void omp_target_free(void *p, int device) {
  freed(p, device);
  next_omp_target_free()(p, device);
}
EXPORTED void llvm_omp_target_free_device(void *p, int device) {
  freed(p, device);
  next_llvm_omp_target_free_device()(p, device);
}

/* ---- copies and fills: [begin, begin + bytes) of the destination is written ---- */

static struct rt_device *write_begins(int device) {
  struct rt_device *d = interpose_device(device);
  if (d) LOCKED(d, d->ext.writers++);
  return d;
}

static void write_ends(struct rt_device *d, void *to, size_t offset, size_t bytes, bool later) {
  if (!d) return;
  pthread_mutex_lock(&d->lock);
  d->ext.writers--;
  if (bytes) ext_device_written(&d->ext, (uintptr_t)to + offset, bytes, later);
  pthread_mutex_unlock(&d->lock);
}

EXPORTED int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                               int from_device) {
  struct rt_device *d = write_begins(to_device);
  int rc = next_omp_target_memcpy()(to, from, bytes, to_offset, from_offset, to_device, from_device);
  write_ends(d, to, to_offset, bytes, false);
  return rc;
}

EXPORTED int omp_target_memcpy_async(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                                     int to_device, int from_device, int count, void *depend) {
  struct rt_device *d = write_begins(to_device);
  int rc = next_omp_target_memcpy_async()(to, from, bytes, to_offset, from_offset, to_device, from_device, count, depend);
  write_ends(d, to, to_offset, bytes, true);
  return rc;
}

/* The whole destination array, which is what its dimensions span. */
static size_t rectangle_bytes(size_t element, int dims, const size_t *dimensions) {
  size_t bytes = element;
  for (int i = 0; i < dims && dimensions; i++) bytes *= dimensions[i];
  return bytes;
}

#define RECTANGLE_PARAMETERS                                                                                     \
  void *to, const void *from, size_t element, int dims, const size_t *volume, const size_t *to_offsets,          \
    const size_t *from_offsets, const size_t *to_dimensions, const size_t *from_dimensions, int to_device,       \
    int from_device
#define RECTANGLE_ARGUMENTS \
  to, from, element, dims, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, to_device, from_device

/* Called with null pointers, the function only says how many dimensions it can do. */
static size_t written_bytes(void *to, size_t element, int dims, const size_t *dimensions) {
  return to && dims > 0 ? rectangle_bytes(element, dims, dimensions) : 0;
}

EXPORTED int omp_target_memcpy_rect(RECTANGLE_PARAMETERS) {
  struct rt_device *d = to ? write_begins(to_device) : NULL;
  int rc = next_omp_target_memcpy_rect()(RECTANGLE_ARGUMENTS);
  write_ends(d, to, 0, written_bytes(to, element, dims, to_dimensions), false);
  return rc;
}

EXPORTED int omp_target_memcpy_rect_async(RECTANGLE_PARAMETERS, int count, void *depend) {
  struct rt_device *d = to ? write_begins(to_device) : NULL;
  int rc = next_omp_target_memcpy_rect_async()(RECTANGLE_ARGUMENTS, count, depend);
  write_ends(d, to, 0, written_bytes(to, element, dims, to_dimensions), true);
  return rc;
}

EXPORTED void *omp_target_memset(void *to, int value, size_t bytes, int device) {
  struct rt_device *d = write_begins(device);
  void *result = next_omp_target_memset()(to, value, bytes, device);
  write_ends(d, to, 0, bytes, false);
  return result;
}

EXPORTED void *omp_target_memset_async(void *to, int value, size_t bytes, int device, int count, void *depend) {
  struct rt_device *d = write_begins(device);
  void *result = next_omp_target_memset_async()(to, value, bytes, device, count, depend);
  write_ends(d, to, 0, bytes, true);
  return result;
}

/* ---- addresses ---- */

EXPORTED int omp_target_associate_ptr(const void *host, const void *device_ptr, size_t bytes, size_t offset, int device) {
  int rc = next_omp_target_associate_ptr()(host, device_ptr, bytes, offset, device);
  struct rt_device *d = rc ? NULL : interpose_device(device);
  if (d) LOCKED(d, ext_associated(&d->ext, (uintptr_t)host, (uintptr_t)device_ptr + offset, bytes));
  return rc;
}

EXPORTED int omp_target_disassociate_ptr(const void *host, int device) {
  struct rt_device *d = interpose_device(device);
  if (d) LOCKED(d, ext_disassociated(&d->ext, (uintptr_t)host));
  return next_omp_target_disassociate_ptr()(host, device);
}

EXPORTED void *omp_get_mapped_ptr(const void *host, int device) {
  void *p = next_omp_get_mapped_ptr()(host, device);
  struct rt_device *d = p ? interpose_device(device) : NULL;
  if (d) LOCKED(d, ext_escaped(&d->ext, (uintptr_t)host, WHY_DEVICE_ADDRESS_ASKED));
  return p;
}
