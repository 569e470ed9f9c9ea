#include "descriptor.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "omptarget_abi.h"
#include "packed.h"
#include "registry.h"
#include "runtime.h"

struct copied { /* what is registered in a descriptor's place, or beside it */
  struct tgt_desc desc;
  struct tgt_desc *original;
  const void *key; /* of its module in the registry */
  struct copied *next;
};
static struct copied *copies;
static pthread_mutex_t copies_lock = PTHREAD_MUTEX_INITIALIZER;

static void add_requirements(const struct tgt_desc *d) {
  for (const struct tgt_entry *e = d->entries_begin; e < d->entries_end; e++)
    if (e->flags == TGT_ENTRY_REQUIRES && !e->size && e->data & TGT_REQ_UNIFIED_SHARED_MEMORY) runtime_set_unified();
}

/* LLVM 20 changed the entries: they begin with eight zero bytes, where ours have an address. */
static bool is_known_format(const struct tgt_desc *d) {
  for (const struct tgt_entry *e = d->entries_begin; e < d->entries_end; e++)
    if (!e->addr && e->flags != TGT_ENTRY_REQUIRES) return false;
  return d->image_count > 0;
}

/* In the registry's terms. */
static bool read_descriptor(const struct tgt_desc *d, struct reg_descriptor *n) {
  size_t image_count = (size_t)d->image_count, entry_count = (size_t)(d->entries_end - d->entries_begin);
  struct reg_image *images = calloc(image_count, sizeof *images);
  struct reg_entry *entries = calloc(entry_count + 1, sizeof *entries);
  for (size_t i = 0; images && i < image_count; i++)
    images[i] = (struct reg_image){d->images[i].start, (size_t)((char *)d->images[i].end - (char *)d->images[i].start)};
  for (size_t i = 0; entries && i < entry_count; i++)
    entries[i] = (struct reg_entry){d->entries_begin[i].addr, d->entries_begin[i].name, d->entries_begin[i].size};
  *n = (struct reg_descriptor){images, image_count, entries, entry_count};
  return images && entries;
}

static void free_descriptor(struct reg_descriptor *n) {
  free((void *)n->images);
  free((void *)n->entries);
}

/* A descriptor of those images with entries of the module behind `own` others; NULL: no memory. */
static struct copied *make_copy(const struct reg_image *images, size_t count, const struct tgt_entry *entries, size_t own,
                                const struct rt_module *module) {
  struct copied *c = calloc(1, sizeof *c);
  struct tgt_entry *all = calloc(own + module->added_count + 1, sizeof *all);
  struct tgt_image *list = calloc(count, sizeof *list);
  if (!c || !all || !list) {
    free(c);
    free(all);
    free(list);
    return NULL;
  }
  if (own) memcpy(all, entries, own * sizeof *all);
  for (size_t i = 0; i < module->added_count; i++) {
    const struct reg_entry *e = &module->added[i];
    all[own + i] = (struct tgt_entry){e->address, (char *)e->name, e->size, 0, 0};
  }
  struct tgt_entry *end = all + own + module->added_count;
  for (size_t i = 0; i < count; i++)
    list[i] = (struct tgt_image){(void *)images[i].start, (char *)images[i].start + images[i].bytes, all, end};
  c->desc = (struct tgt_desc){(int32_t)count, list, all, end};
  return c;
}

static void keep(struct copied *c, struct tgt_desc *original, const void *key) {
  c->original = original;
  c->key = key;
  pthread_mutex_lock(&copies_lock);
  c->next = copies;
  copies = c;
  pthread_mutex_unlock(&copies_lock);
}

/* The descriptor to register: the program's own, or a copy with our entries. */
static struct tgt_desc *extend(struct tgt_desc *d, const struct reg_descriptor *n) {
  struct rt_module *module = registry_add(d, n, NULL);
  struct copied *c = module ? make_copy(n->images, n->image_count, d->entries_begin, n->entry_count, module) : NULL;
  if (c) keep(c, d, d);
  else if (module) registry_remove(d);
  return c ? &c->desc : d;
}

/* Regions are looked for among the program's entries; the copy has those of versions alone. */
static void register_unpacked(struct tgt_desc *d, const struct reg_descriptor *n, const struct reg_unpacked *own, type___tgt_register_lib next) {
  const void *key = own->images;
  struct rt_module *module = registry_add(key, n, own);
  struct copied *c = module ? make_copy(own->images, n->image_count, NULL, 0, module) : NULL;
  if (c) keep(c, d, key);
  else if (module) registry_remove(key);
  if (c && next) next(&c->desc);
}

/* ---- unpacking beside the registration of the program's own images ---- */

struct unpacking {
  const struct reg_descriptor *n;
  struct reg_unpacked *unpacked;
  size_t count;
  bool beside; /* by a thread */
  pthread_t thread;
};

static void *unpack(void *context) {
  struct unpacking *u = context;
  u->count = packed_unpack(u->n, &u->unpacked);
  return NULL;
}

static size_t bytes_of(const struct reg_descriptor *n) {
  size_t bytes = 0;
  for (size_t i = 0; i < n->image_count; i++) bytes += n->images[i].bytes;
  return bytes;
}

/* Those of more than a few regions by a thread, to which no signal of the program's goes. */
static void start_unpacking(struct unpacking *u, const struct reg_descriptor *n) {
  enum { LARGE = 1 << 15 };
  sigset_t all, before;
  *u = (struct unpacking){.n = n};
  if (bytes_of(n) < LARGE) return;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before)) return;
  u->beside = !pthread_create(&u->thread, NULL, unpack, u);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void finish_unpacking(struct unpacking *u) {
  if (u->beside) pthread_join(u->thread, NULL);
  else unpack(u);
}

static void register_readable(struct tgt_desc *d, const struct reg_descriptor *n, type___tgt_register_lib next) {
  struct unpacking u;
  start_unpacking(&u, n);
  struct tgt_desc *own = extend(d, n);
  if (next) next(own);
  finish_unpacking(&u);
  for (size_t i = 0; i < u.count; i++) register_unpacked(d, n, &u.unpacked[i], next);
  packed_free(u.unpacked, u.count);
}

void descriptor_register(struct tgt_desc *d, type___tgt_register_lib next) {
  struct reg_descriptor n = {0};
  add_requirements(d);
  if (is_known_format(d) && read_descriptor(d, &n)) register_readable(d, &n, next);
  else if (next) next(d);
  free_descriptor(&n);
}

/* The next copy of the descriptor that has not been taken yet, or NULL. */
static struct copied *take_copy(const struct tgt_desc *d) {
  pthread_mutex_lock(&copies_lock);
  struct copied *c = copies;
  while (c && c->original != d) c = c->next;
  if (c) c->original = NULL;
  pthread_mutex_unlock(&copies_lock);
  return c;
}

/* The newest first: what was registered last. */
void descriptor_unregister(struct tgt_desc *d, type___tgt_unregister_lib next) {
  bool own = true; /* it was registered as it is */
  for (struct copied *c; (c = take_copy(d));) {
    registry_remove(c->key);
    own = own && c->key != d;
    if (next) next(&c->desc);
  }
  if (own && next) next(d);
}
