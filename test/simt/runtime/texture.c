// Textures of linear memory: the part of the CUDA driver's interface that place's runtime makes them by, and the fetches of lowered
// code. As on a GPU a texture shows memory as it is, and what lies outside of it reads as 0; here that is a finding.
//
// Thread-safety: textures are made and destroyed by any native thread, and fetched from by the runner's workers. A destroyed one is kept,
// so that a fetch from it is found.
#include "finding.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>

enum { MAX_TEXTURES = 1 << 16, MAX_WORDS = 4, WORD_BYTES = 4, TEXTURE_ALIGNMENT = 512, TEXELS = 1 << 27 };
enum { ROW_ALIGNMENT = 32, ROW_TEXELS = 131072, ROW_BYTES = 2097120, ROWS = 65000 }; // as on an H200

// Of the driver's interface.
enum {
  SUCCESS = 0, INVALID_VALUE = 1, RESOURCE_LINEAR = 2, RESOURCE_PITCH = 3, FORMAT_UNSIGNED_32 = 3, FILTER_POINT = 0, POINTER_CONTEXT = 1,
  ATTRIBUTE_TEXTURE_ALIGNMENT = 14, ATTRIBUTE_PITCH_ALIGNMENT = 51, ATTRIBUTE_LINEAR_WIDTH = 69, ATTRIBUTE_PITCH_WIDTH = 70,
  ATTRIBUTE_PITCH_HEIGHT = 71, ATTRIBUTE_PITCH_BYTES = 72
};

struct resource { // CUDA_RESOURCE_DESC, of linear memory, or of rows in it
  int type;
  uint64_t address;
  int format;
  unsigned channels;
  size_t bytes_or_width, height, pitch; // height, pitch: of rows alone
};

struct sampling { // CUDA_TEXTURE_DESC, its beginning
  int address_mode[3], filter_mode;
  unsigned flags;
};

struct texture {
  const char *begin;
  uint64_t texels; // of a row
  uint64_t rows, pitch; // 0: it has one dimension; bytes of a row
  uint32_t words; // of a texel
  bool destroyed;
};

static struct texture textures[MAX_TEXTURES]; // handles count from 1
static _Atomic uint64_t texture_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t most_texels(void) { return simt_environment_number("SIMT_TEXTURE_TEXELS", TEXELS); }

SIMT_EXPORT int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer);
SIMT_EXPORT int cuCtxPushCurrent_v2(void *context);
SIMT_EXPORT int cuCtxPopCurrent_v2(void **context);
SIMT_EXPORT int cuCtxGetDevice(int *device);
SIMT_EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
SIMT_EXPORT int cuTexObjectCreate(uint64_t *handle, const struct resource *resource, const struct sampling *sampling, const void *view);
SIMT_EXPORT int cuTexObjectDestroy(uint64_t handle);

// ---- the context: one, which everything belongs to ----

static __thread int depth; // of the thread's contexts
static char context;

int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer) {
  if (attribute != POINTER_CONTEXT || !pointer)
    return INVALID_VALUE;
  *(void **)value = &context;
  return SUCCESS;
}

int cuCtxPushCurrent_v2(void *pushed) { return pushed == &context ? depth++, SUCCESS : INVALID_VALUE; }

int cuCtxPopCurrent_v2(void **popped) {
  if (!depth)
    return INVALID_VALUE;
  depth--;
  *popped = &context;
  return SUCCESS;
}

int cuCtxGetDevice(int *device) { return *device = 0, depth ? SUCCESS : INVALID_VALUE; }

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  switch (attribute) {
  case ATTRIBUTE_TEXTURE_ALIGNMENT: *value = TEXTURE_ALIGNMENT; break;
  case ATTRIBUTE_LINEAR_WIDTH: *value = (int)most_texels(); break;
  case ATTRIBUTE_PITCH_ALIGNMENT: *value = ROW_ALIGNMENT; break;
  case ATTRIBUTE_PITCH_WIDTH: *value = ROW_TEXELS; break;
  case ATTRIBUTE_PITCH_HEIGHT: *value = ROWS; break;
  case ATTRIBUTE_PITCH_BYTES: *value = ROW_BYTES; break;
  default: return INVALID_VALUE;
  }
  return SUCCESS;
}

// ---- textures ----

static bool has_size(const struct resource *r) {
  uint64_t texel = r->channels * (uint64_t)WORD_BYTES, width = r->bytes_or_width;
  if (r->type == RESOURCE_LINEAR)
    return width >= texel && width / texel <= most_texels();
  return r->type == RESOURCE_PITCH && width && width <= ROW_TEXELS && r->height && r->height <= ROWS && r->pitch >= width * texel &&
         r->pitch <= ROW_BYTES && r->pitch % ROW_ALIGNMENT == 0;
}

static bool is_possible(const struct resource *r, const struct sampling *s) {
  uint64_t words = r->channels;
  return r->format == FORMAT_UNSIGNED_32 && (words == 1 || words == 2 || words == MAX_WORDS) && s->filter_mode == FILTER_POINT &&
         r->address % TEXTURE_ALIGNMENT == 0 && has_size(r);
}

static struct texture texture_of(const struct resource *r) {
  struct texture t = {.begin = (const char *)(uintptr_t)r->address, .words = r->channels};
  if (r->type == RESOURCE_LINEAR)
    t.texels = r->bytes_or_width / (r->channels * WORD_BYTES);
  else
    t.texels = r->bytes_or_width, t.rows = r->height, t.pitch = r->pitch;
  return t;
}

int cuTexObjectCreate(uint64_t *handle, const struct resource *resource, const struct sampling *sampling, const void *view) {
  if (!depth || view || !is_possible(resource, sampling))
    return INVALID_VALUE;
  pthread_mutex_lock(&lock);
  uint64_t count = atomic_load(&texture_count);
  if (count == MAX_TEXTURES)
    simt_fatal("more than %d textures", MAX_TEXTURES);
  textures[count] = texture_of(resource);
  atomic_store(&texture_count, *handle = count + 1);
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}

int cuTexObjectDestroy(uint64_t handle) {
  if (!depth || !handle || handle > atomic_load(&texture_count) || textures[handle - 1].destroyed)
    return INVALID_VALUE;
  textures[handle - 1].destroyed = true;
  return SUCCESS;
}

// ---- fetches ----

static const void *nothing(void) {
  static const uint32_t zero[MAX_WORDS];
  return zero;
}

// The texture that a fetch of so many words of a texel, with two coordinates or one, is from; NULL: there is none, which is said.
static const struct texture *fetched(uint64_t handle, bool rows, uint32_t words, const struct simt_site *site) {
  const struct texture *t = handle && handle <= atomic_load(&texture_count) ? &textures[handle - 1] : NULL;
  if (!t || t->destroyed) {
    simt_finding("texture-handle", site, "fetches from a texture that %s", t ? "was destroyed" : "was never made");
    return NULL;
  }
  if (rows != (t->rows > 0)) {
    simt_finding("texture-format", site, "fetches by %s from a texture of %s", rows ? "two coordinates" : "one coordinate",
                 rows ? "one dimension" : "two dimensions");
    return NULL;
  }
  if (words > t->words) {
    simt_finding("texture-format", site, "fetches %u words of a texel that has %u", words, t->words);
    return NULL;
  }
  return t;
}

const void *simt_texture_texel(uint64_t handle, int32_t index, uint32_t words, const struct simt_site *site) {
  const struct texture *t = fetched(handle, false, words, site);
  if (!t)
    return nothing();
  if (index < 0 || (uint64_t)index >= t->texels) {
    simt_finding("texture-bounds", site, "fetches texel %d of a texture of %llu", index, (unsigned long long)t->texels);
    return nothing();
  }
  return t->begin + (uint64_t)index * t->words * WORD_BYTES;
}

const void *simt_texture_texel_2d(uint64_t handle, int32_t column, int32_t row, uint32_t words, const struct simt_site *site) {
  const struct texture *t = fetched(handle, true, words, site);
  if (!t)
    return nothing();
  if (column < 0 || (uint64_t)column >= t->texels || row < 0 || (uint64_t)row >= t->rows) {
    simt_finding("texture-bounds", site, "fetches texel %d of row %d of a texture of %llu by %llu", column, row, (unsigned long long)t->texels,
                 (unsigned long long)t->rows);
    return nothing();
  }
  return t->begin + (uint64_t)row * t->pitch + (uint64_t)column * t->words * WORD_BYTES;
}
