#define _GNU_SOURCE
#include "cuda_texture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

/* Of the driver's interface, as stable as its names: success is 0. The structures are those of CUDA 5.0 and later. */
enum {
  ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  ATTRIBUTE_PITCH_ALIGNMENT = 51,
  ATTRIBUTE_LINEAR_WIDTH = 69, /* the most texels of a texture of linear memory */
  ATTRIBUTE_PITCH_WIDTH = 70,  /* of one with two dimensions, a row's texels, rows, and a row's bytes */
  ATTRIBUTE_PITCH_HEIGHT = 71,
  ATTRIBUTE_PITCH_BYTES = 72,
  POINTER_CONTEXT = 1,
  RESOURCE_LINEAR = 2,
  RESOURCE_PITCH = 3,
  FORMAT_UNSIGNED_32 = 3,
  READ_AS_INTEGER = 1,
  ADDRESS_CLAMP = 1
};

struct resource {
  int type;
  union {
    struct {
      uint64_t address;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      uint64_t address;
      int format;
      unsigned channels;
      size_t width, height, bytes; /* texels of a row, rows, and bytes of a row */
    } pitch;
    int reserved[32];
  } of;
  unsigned flags;
};

struct sampling { /* filterMode 0: the nearest texel; nothing is interpolated, and nothing is normalised */
  int address_mode[3], filter_mode;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float mipmap_bias, least_level, most_level, border[4];
  int reserved[12];
};

_Static_assert(sizeof(struct resource) == 144 && sizeof(struct sampling) == 104, "the driver's own structures");

/* Function pointers from dlsym, without casts that ISO C does not have. */
union function {
  void *address;
  int (*pointer_attribute)(void *value, int attribute, uint64_t pointer);
  int (*push)(void *context);
  int (*pop)(void **context);
  int (*get_device)(int *device);
  int (*device_attribute)(int *value, int attribute, int device);
  int (*create)(uint64_t *handle, const struct resource *resource, const struct sampling *sampling, const void *view);
  int (*destroy)(uint64_t handle);
};

enum name { POINTER_ATTRIBUTE, PUSH, POP, GET_DEVICE, DEVICE_ATTRIBUTE, CREATE, DESTROY, NAMES };

static struct {
  union function call[NAMES];
  bool complete;
} driver;

static void find_driver(void) {
  static const char *const names[NAMES] = {"cuPointerGetAttribute", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuCtxGetDevice",
                                           "cuDeviceGetAttribute", "cuTexObjectCreate", "cuTexObjectDestroy"};
  void *own = dlsym(RTLD_DEFAULT, names[CREATE]), *library = own ? RTLD_DEFAULT : dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!own && !library) return; /* the library stays open: whoever else has it would only have it closed earlier */
  bool all = true;
  for (int i = 0; i < NAMES; i++) all &= (driver.call[i].address = dlsym(library, names[i])) != NULL;
  driver.complete = all;
}

/* Once: when a texture is first wanted, some array is in device memory, and the driver loaded. */
static bool is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_driver);
  return driver.complete;
}

static bool enter(void *context) { return context && !driver.call[PUSH].push(context); }

static void leave(void) {
  void *context;
  driver.call[POP].pop(&context);
}

static void *context_of(uintptr_t device_ptr) {
  void *context = NULL;
  return driver.call[POINTER_ATTRIBUTE].pointer_attribute(&context, POINTER_CONTEXT, device_ptr) ? NULL : context;
}

/* 0: the driver does not say. */
static uint32_t attribute(int number, int device) {
  int value = 0;
  return driver.call[DEVICE_ATTRIBUTE].device_attribute(&value, number, device) || value < 0 ? 0 : (uint32_t)value;
}

static int limits(uintptr_t device_ptr, struct rt_texture_limits *out) {
  int device;
  if (!is_there() || !enter(context_of(device_ptr))) return -1;
  bool known = !driver.call[GET_DEVICE].get_device(&device);
  if (known)
    *out = (struct rt_texture_limits){attribute(ATTRIBUTE_TEXTURE_ALIGNMENT, device), attribute(ATTRIBUTE_LINEAR_WIDTH, device),
                                      attribute(ATTRIBUTE_PITCH_ALIGNMENT, device),   attribute(ATTRIBUTE_PITCH_WIDTH, device),
                                      attribute(ATTRIBUTE_PITCH_BYTES, device),       attribute(ATTRIBUTE_PITCH_HEIGHT, device)};
  leave();
  return known && out->alignment && out->texels ? 0 : -1;
}

static struct resource resource_of(uintptr_t device_ptr, const struct rt_texture_shape *shape) {
  unsigned channels = shape->texel_bytes / (unsigned)sizeof(uint32_t);
  if (!shape->row_bytes)
    return (struct resource){.type = RESOURCE_LINEAR, .of.linear = {device_ptr, FORMAT_UNSIGNED_32, channels, (size_t)shape->bytes}};
  return (struct resource){.type = RESOURCE_PITCH,
                           .of.pitch = {device_ptr, FORMAT_UNSIGNED_32, channels, (size_t)(shape->row_bytes / shape->texel_bytes),
                                        (size_t)(shape->bytes / shape->row_bytes), (size_t)shape->row_bytes}};
}

static int make(uintptr_t device_ptr, const struct rt_texture_shape *shape, struct rt_texture *texture) {
  struct resource resource = resource_of(device_ptr, shape);
  struct sampling sampling = {.address_mode = {ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP}, .flags = READ_AS_INTEGER};
  if (!is_there()) return -1;
  /* Textures may begin before their array, in memory that is in no allocation. */
  texture->context = context_of(device_ptr);
  if (!texture->context) texture->context = context_of(device_ptr + shape->bytes - 1);
  if (!enter(texture->context)) return -1;
  int error = driver.call[CREATE].create(&texture->handle, &resource, &sampling, NULL);
  leave();
  return error ? -1 : 0;
}

static void destroy(const struct rt_texture *texture) {
  if (!enter(texture->context)) return;
  driver.call[DESTROY].destroy(texture->handle);
  leave();
}

const struct rt_textures cuda_textures = {limits, make, destroy};
