#include "registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* all that changes below */
static struct rt_module *modules;
static atomic_uint first_sm, first_unloadable_sm, image_total, unreadable_total;

unsigned registry_sm(void) { return atomic_load(&first_sm); }
unsigned registry_unloadable_sm(void) { return atomic_load(&first_unloadable_sm); }
const char *registry_no_versions(void) {
  if (atomic_load(&first_sm)) return NULL;
  return atomic_load(&unreadable_total) ? "its device code is compiled when it is linked or runs (-foffload-lto, -fopenmp-target-jit)"
                                        : "its device code is not for NVIDIA GPUs";
}

unsigned registry_image_count(void) { return atomic_load(&image_total); }

/* ---- lookup: an immutable open-addressing table, replaced as a whole; old ones are kept for readers ---- */

struct index {
  size_t mask;
  struct index *older;
  struct rt_region *slot[];
};
static _Atomic(struct index *) current;

static size_t hash(const void *p) { return (uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 20; }

struct rt_region *registry_find(const void *host_ptr) {
  struct index *index = atomic_load_explicit(&current, memory_order_acquire);
  if (!index) return NULL;
  for (size_t i = hash(host_ptr) & index->mask;; i = (i + 1) & index->mask) {
    struct rt_region *region = index->slot[i];
    if (!region || region->host_ptr == host_ptr) return region;
  }
}

static void rebuild_index(void) {
  size_t count = 0, size = 16;
  for (struct rt_module *m = modules; m; m = m->next)
    if (m->key) count += m->region_count;
  while (size < 2 * count + 2) size *= 2;
  struct index *index = calloc(1, sizeof *index + size * sizeof index->slot[0]);
  if (!index) return;
  index->mask = size - 1;
  index->older = atomic_load(&current);
  for (struct rt_module *m = modules; m; m = m->next)
    for (size_t r = 0; m->key && r < m->region_count; r++) {
      if (!m->regions[r].host_ptr) continue;
      size_t i = hash(m->regions[r].host_ptr) & index->mask;
      while (index->slot[i]) i = (i + 1) & index->mask;
      index->slot[i] = &m->regions[r];
    }
  atomic_store_explicit(&current, index, memory_order_release);
}

/* ---- descriptors ---- */

/* What registry_sm and its like tell. */
static void note_image(const struct elf_image *image) {
  unsigned sm = elf_image_sm(image), none = 0;
  if (sm) atomic_compare_exchange_strong(&first_sm, &none, sm);
  none = 0;
  if (!elf_image_loadable(image)) atomic_compare_exchange_strong(&first_unloadable_sm, &none, sm);
}

/* Returns how many could be opened. Noted are those that the program brings, once. */
static size_t open_images(const struct reg_image *images, size_t count, struct elf_image *out, bool note) {
  size_t opened = 0;
  for (size_t i = 0; i < count; i++) {
    bool readable = elf_image_open(images[i].start, images[i].bytes, &out[opened]);
    if (note) atomic_fetch_add(&image_total, 1);
    if (note && !readable) atomic_fetch_add(&unreadable_total, 1);
    if (note && readable) note_image(&out[opened]);
    opened += readable;
  }
  return opened;
}

static void keep_module(struct rt_module *module, const void *key) {
  module->key = key;
  module->next = modules;
  modules = module;
  rebuild_index();
}

struct rt_module *registry_add(const void *key, const struct reg_descriptor *d, const struct reg_unpacked *own) {
  struct elf_image *opened = calloc(d->image_count + 1, sizeof *opened);
  struct rt_module *module = NULL;
  pthread_mutex_lock(&lock);
  /* An image that is no ELF file (bitcode for the JIT, say) cannot be asked for its symbols. */
  if (opened && d->image_count && open_images(d->images, d->image_count, opened, !own) == d->image_count)
    module = module_read(d, opened, own);
  if (module) keep_module(module, key);
  free(opened);
  pthread_mutex_unlock(&lock);
  return module;
}

struct rt_module *registry_remove(const void *key) {
  struct rt_module *found = NULL;
  pthread_mutex_lock(&lock);
  for (struct rt_module *m = modules; m && !found; m = m->next)
    if (m->key == key) found = m;
  if (found) {
    found->key = NULL;
    rebuild_index();
  }
  pthread_mutex_unlock(&lock);
  return found;
}

struct rt_module *registry_modules(void) {
  pthread_mutex_lock(&lock);
  struct rt_module *first = modules;
  pthread_mutex_unlock(&lock);
  return first;
}
