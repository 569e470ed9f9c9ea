#define _GNU_SOURCE
#include "registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elf_image.h"
#include "packed.h"
#include "place/launch_reason.h"
#include "place/packed.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* all that changes below */
static struct rt_module *modules;
static atomic_uint first_sm, first_unloadable_sm, image_total, unreadable_total;

enum { MAX_MESSAGES = 16 };
static char *messages[MAX_MESSAGES];
static unsigned message_count;

static void add_message(const char *text) {
  if (message_count < MAX_MESSAGES && (messages[message_count] = strdup(text))) message_count++;
}

const char *registry_message(unsigned n) {
  pthread_mutex_lock(&lock);
  const char *text = n < message_count ? messages[n] : NULL;
  pthread_mutex_unlock(&lock);
  return text;
}

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

/* ---- reading a descriptor ---- */

struct build {
  struct rt_module *module;
  struct elf_image *described; /* [image_count]: where the tables are */
  struct elf_image *images;    /* [image_count]: where the versions are */
  size_t image_count;
  const struct reg_entry *entries;
  size_t entry_count;
  const char *only; /* the table to read; NULL: all of them */
  bool *elsewhere;  /* [table_count] versions that `images` lack are packed */
};

static void *grow(void *array, size_t count, size_t item) {
  return count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * item);
}

/* What is wrong with a table symbol before its text is looked at, or NULL. Images for several architectures must carry
 * the same table: the runtime cannot ask libomptarget which image a device got. */
static const char *wrong_with_symbol(const struct build *b, const struct elf_symbol *symbol) {
  if (!symbol->content) return "what place knows of its regions is empty";
  for (size_t i = 0; i < b->image_count; i++) {
    struct elf_symbol other;
    if (!elf_image_find(&b->described[i], symbol->name, &other)) return "not all device images have what place knows of its regions";
    if (!other.content || other.size != symbol->size || memcmp(other.content, symbol->content, symbol->size))
      return "the device images have different region tables";
  }
  return NULL;
}

static bool has_packed_versions(const struct elf_image *image, const char *table) {
  char name[128];
  struct elf_symbol found;
  snprintf(name, sizeof name, PLACE_PACKED_PREFIX "%s", table + strlen(PLACE_TABLE_PREFIX));
  return elf_image_find(image, name, &found);
}

static void refuse_table(const struct build *b, const char *name, const char *wrong) {
  char message[700];
  if (b->only) return; /* said already */
  snprintf(message, sizeof message, "%s: %s; its regions run their original kernels", name, wrong);
  add_message(message);
}

static void add_table(struct build *b, const struct elf_symbol *symbol) {
  struct rt_module *module = b->module;
  struct place_diag diag = {""};
  struct place_table table;
  const char *text = (const char *)symbol->content, *wrong = wrong_with_symbol(b, symbol);
  if (wrong || place_table_read(text, strnlen(text, symbol->size), &table, &diag)) {
    refuse_table(b, symbol->name, wrong ? wrong : diag.text);
    return;
  }
  struct place_table *tables = grow(module->tables, module->table_count, sizeof *tables);
  bool *elsewhere = grow(b->elsewhere, module->table_count, sizeof *elsewhere);
  if (tables) module->tables = tables;
  if (elsewhere) b->elsewhere = elsewhere;
  if (!tables || !elsewhere) {
    place_table_free(&table);
    return;
  }
  elsewhere[module->table_count] = !b->only && has_packed_versions(&b->described[0], symbol->name);
  tables[module->table_count++] = table;
}

struct seen { /* table symbols appear in .symtab and in .dynsym */
  struct build *build;
  const unsigned char **content;
  size_t count;
};

static bool is_wanted(const struct build *b, const struct elf_symbol *symbol) {
  if (strncmp(symbol->name, PLACE_TABLE_PREFIX, strlen(PLACE_TABLE_PREFIX)) || symbol->function) return false;
  return !b->only || !strcmp(symbol->name, b->only);
}

static bool visit_symbol(const struct elf_symbol *symbol, void *context) {
  struct seen *seen = context;
  if (!is_wanted(seen->build, symbol)) return true;
  for (size_t i = 0; i < seen->count; i++)
    if (seen->content[i] == symbol->content) return true;
  const unsigned char **content = grow(seen->content, seen->count, sizeof *content);
  if (!content) return false;
  seen->content = content;
  content[seen->count++] = symbol->content;
  add_table(seen->build, symbol);
  return true;
}

static void read_tables(struct build *b) {
  for (size_t i = 0; i < b->image_count && !b->module->table_count; i++) {
    struct seen seen = {b, NULL, 0};
    elf_image_symbols(&b->described[i], visit_symbol, &seen);
    free(seen.content);
  }
}

/* Whether every image has the symbol: an entry that one image lacks makes libomptarget complain on stderr. Of data, the
 * size must be the same in all, and at least `least` bytes. */
static bool in_all_images(const struct build *b, const char *name, bool function, uint64_t least, struct elf_symbol *out) {
  for (size_t i = 0; i < b->image_count; i++) {
    struct elf_symbol symbol;
    if (!elf_image_find(&b->images[i], name, &symbol) || symbol.function != function) return false;
    if (!function && (symbol.size < least || (i && symbol.size != out->size))) return false;
    *out = symbol;
  }
  return b->image_count > 0;
}

static bool append_entry(struct rt_module *module, void *address, const char *name, size_t size) {
  struct reg_entry *added = grow(module->added, module->added_count, sizeof *added);
  if (!added) return false;
  module->added = added;
  added[module->added_count++] = (struct reg_entry){address, name, size};
  return true;
}

/* Readable, since libomptarget may copy from it under unified shared memory; never touched otherwise. */
static void add_symbol(struct build *b, const char *name, size_t least, struct rt_symbol *symbol) {
  struct elf_symbol found;
  if (!in_all_images(b, name, false, least, &found)) return;
  void *shadow = mmap(NULL, found.size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shadow == MAP_FAILED) return;
  if (append_entry(b->module, shadow, name, found.size)) *symbol = (struct rt_symbol){shadow, found.size};
}

static unsigned static_shared(const struct build *b, const char *entry) {
  uint64_t most = 0;
  char name[1024];
  snprintf(name, sizeof name, ".nv.shared.%s", entry);
  for (size_t i = 0; i < b->image_count; i++) {
    uint64_t bytes = elf_image_section_bytes(&b->images[i], name);
    if (bytes > most) most = bytes;
  }
  return most > UINT32_MAX ? UINT32_MAX : (unsigned)most;
}

static void *host_address(const struct build *b, const char *entry) {
  for (size_t i = 0; i < b->entry_count; i++)
    if (!b->entries[i].size && b->entries[i].name && !strcmp(b->entries[i].name, entry)) return b->entries[i].address;
  return NULL;
}

/* To versions without code of their own that of the version they name, if it was found. */
static void share_code(struct rt_region *region) {
  const struct place_region *r = region->region;
  for (size_t v = 0; v < r->version_count; v++) region->versions[v] = region->versions[place_version_code(r, &r->versions[v]) - r->versions];
}

static void add_versions(struct build *b, struct rt_region *region) {
  const struct place_region *r = region->region;
  size_t found = 0;
  region->versions = calloc(r->version_count ? r->version_count : 1, sizeof *region->versions);
  if (!region->versions) {
    region->unusable = WHY_OUT_OF_MEMORY;
    return;
  }
  for (size_t v = 0; v < r->version_count; v++) {
    struct elf_symbol symbol;
    void *id = b->module->ids + b->module->added_count;
    if (r->versions[v].kernel || !in_all_images(b, r->versions[v].entry, true, 0, &symbol)) continue;
    if (!append_entry(b->module, id, r->versions[v].entry, 0)) continue;
    region->versions[v] = (struct rt_version){id, static_shared(b, r->versions[v].entry)};
    found++;
  }
  share_code(region);
  if (!found) region->unusable = r->no_version ? r->no_version : r->nothing_to_place ? r->nothing_to_place : r->version_count
    ? WHY_VERSIONS_MISSING : WHY_NOT_COMPILED;
}

/* Whether a version may hold a copy of the array: then what a launch reaches of it is to be found out. */
static bool may_be_copied(const struct place_region *r, size_t array) {
  for (size_t v = 0; r->arrays[array].placeable >= 0 && v < r->version_count; v++) {
    int8_t space = r->versions[v].space[array];
    if (space < 0 ? r->versions[v].role == PLACE_ROLE_PLAN : place_space_is_copy((enum place_space)space)) return true;
  }
  return false;
}

static bool uses(const struct place_expr_pool *pool, place_expr expr, int64_t arg) {
  return expr >= 0 && place_expr_uses(pool, expr, PLACE_EXPR_ARG, arg);
}

static bool is_of_version(const struct place_expr_pool *pool, const struct place_version *v, int64_t arg) {
  bool found = uses(pool, v->teams, arg);
  for (unsigned d = 0; d < v->extent_count; d++) found = found || uses(pool, v->extent[d], arg);
  return found;
}

/* Whether trip counts, shapes of versions, or what is reached of an array that may be copied depend on a scalar. */
static bool shapes_launch(const struct rt_region *region, int64_t arg) {
  const struct place_region *r = region->region;
  const struct place_expr_pool *pool = &region->table->exprs;
  for (size_t i = 0; i < r->loop_count; i++)
    if (uses(pool, r->loops[i].trips, arg)) return true;
  for (size_t v = 0; v < r->version_count; v++)
    if (is_of_version(pool, &r->versions[v], arg)) return true;
  for (size_t i = 0; i < r->access_count; i++)
    if (uses(pool, r->accesses[i].offset, arg) && may_be_copied(r, (size_t)r->accesses[i].array)) return true;
  return false;
}

/* Which arguments a decision depends on. */
static void note_arguments(struct rt_region *region) {
  const struct place_region *r = region->region;
  const struct place_expr_pool *pool = &region->table->exprs;
  int64_t most = -1;
  for (size_t a = 0; a < r->array_count; a++)
    if (r->arrays[a].arg > most) most = r->arrays[a].arg;
  for (size_t n = 0; n < pool->count; n++)
    if (pool->nodes[n].op == PLACE_EXPR_ARG && pool->nodes[n].value > most && pool->nodes[n].value < 4096)
      most = pool->nodes[n].value;
  region->argument_count = (unsigned)(most + 1);
  region->matters = calloc(region->argument_count + 1, sizeof(bool));
  if (!region->matters) {
    region->argument_count = 0;
    region->unusable = WHY_OUT_OF_MEMORY;
  }
  for (size_t a = 0; a < r->array_count && region->argument_count; a++) region->matters[r->arrays[a].arg] = true;
  for (int64_t arg = 0; arg < (int64_t)region->argument_count; arg++)
    region->matters[arg] = region->matters[arg] || shapes_launch(region, arg);
}

static bool has_a_version(const struct build *b, const struct place_region *r) {
  struct elf_symbol symbol;
  for (size_t v = 0; v < r->version_count; v++)
    if (!r->versions[v].kernel && in_all_images(b, r->versions[v].entry, true, 0, &symbol)) return true;
  return false;
}

/* A file's table is read once for the program's own image and once for its packed one: each region belongs to the one with its versions. */
static bool is_here(const struct build *b, size_t table, const struct place_region *r) {
  if (!b->only && (!b->elsewhere[table] || !r->version_count)) return true;
  return has_a_version(b, r);
}

static bool add_regions(struct build *b) {
  struct rt_module *m = b->module;
  size_t regions = 0, versions = 0;
  for (size_t t = 0; t < m->table_count; t++)
    for (size_t r = 0; r < m->tables[t].region_count; r++) {
      regions++;
      versions += m->tables[t].regions[r].version_count;
    }
  m->regions = calloc(regions ? regions : 1, sizeof *m->regions);
  m->ids = malloc(versions + 8);
  if (!m->regions || !m->ids) return false;
  for (size_t t = 0; t < m->table_count; t++)
    for (size_t r = 0; r < m->tables[t].region_count; r++) {
      void *host = host_address(b, m->tables[t].regions[r].entry);
      if (!host || !is_here(b, t, &m->tables[t].regions[r])) continue;
      struct rt_region *region = &m->regions[m->region_count++];
      region->table = &m->tables[t];
      region->region = &m->tables[t].regions[r];
      region->module = m;
      region->host_ptr = host;
      note_arguments(region);
      add_versions(b, region);
    }
  return true;
}

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

static void free_module(struct rt_module *m) {
  if (!m) return;
  for (size_t t = 0; t < m->table_count; t++) place_table_free(&m->tables[t]);
  for (size_t r = 0; r < m->region_count; r++) {
    free(m->regions[r].versions);
    free(m->regions[r].matters);
  }
  free(m->tables);
  free(m->regions);
  free(m->ids);
  free(m->added);
  free(m);
}

static struct rt_module *build_module(struct build *b, const void *key) {
  b->module->key = key;
  b->module->sm = elf_image_sm(&b->images[0]);
  read_tables(b);
  if (!b->module->table_count || !add_regions(b) || !b->module->region_count) {
    free_module(b->module);
    return NULL;
  }
  add_symbol(b, PLACE_CONST_SYMBOL, PLACE_CONST_ALIGN, &b->module->constant);
  add_symbol(b, PLACE_TIMER_SYMBOL, PLACE_TIMER_ENTRIES * PLACE_TIMER_SLOT_BYTES, &b->module->timer);
  add_symbol(b, PLACE_PROFILE_SYMBOL, PLACE_PROFILE_WORDS * 4u, &b->module->profile);
  b->module->next = modules;
  modules = b->module;
  rebuild_index();
  return b->module;
}

static bool keep_images(struct rt_module *module, const struct reg_image *images, size_t count) {
  module->images = calloc(count, sizeof *images);
  if (!module->images) return false;
  memcpy(module->images, images, count * sizeof *images);
  module->image_count = count;
  return true;
}

struct rt_module *registry_add(const void *key, const struct reg_descriptor *d, const struct reg_unpacked *own) {
  size_t count = d->image_count;
  struct build b = {.image_count = count, .entries = d->entries, .entry_count = d->entry_count, .only = own ? own->table : NULL};
  struct rt_module *module = NULL;
  pthread_mutex_lock(&lock);
  b.described = calloc(count + 1, sizeof *b.described);
  b.images = calloc(count + 1, sizeof *b.images);
  b.module = calloc(1, sizeof *b.module);
  /* An image that is no ELF file (bitcode for the JIT, say) cannot be asked for its symbols. */
  if (count && b.described && b.images && b.module && open_images(d->images, count, b.described, !own) == count &&
      open_images(own ? own->images : d->images, count, b.images, false) == count) {
    module = build_module(&b, key);
    if (module) keep_images(module, own ? own->images : d->images, count);
  } else {
    free(b.module);
  }
  free(b.described);
  free(b.images);
  free(b.elsewhere);
  pthread_mutex_unlock(&lock);
  return module;
}

/* ---- packed images ---- */

static void refuse_packed(const char *name, const char *wrong) {
  char message[700];
  snprintf(message, sizeof message, "%s: the packed versions of a file cannot be used: %s; its regions run their original kernels", name, wrong);
  pthread_mutex_lock(&lock);
  add_message(message);
  pthread_mutex_unlock(&lock);
}

static void free_images(struct reg_image *images, size_t count) {
  for (size_t i = 0; i < count; i++) free((void *)images[i].start);
  free(images);
}

static char *table_of(const char *packed) {
  char name[128];
  snprintf(name, sizeof name, PLACE_TABLE_PREFIX "%s", packed + strlen(PLACE_PACKED_PREFIX));
  return strdup(name);
}

/* Of an image whose versions lie there, what is in it: for the same device, and such that libomptarget loads it. */
static bool unpack_one(const struct elf_image *image, const char *name, struct reg_image *out, const char **wrong) {
  struct elf_image own;
  void *start = packed_open(image, name, &out->bytes, wrong);
  out->start = start;
  if (!start) return false;
  if (elf_image_open(start, out->bytes, &own) && own.machine == image->machine && elf_image_sm(&own) == elf_image_sm(image) &&
      elf_image_loadable(&own))
    return true;
  *wrong = "they are for another device than the program's own image";
  free(start);
  return false;
}

static bool unpack(const struct elf_image *images, size_t count, const char *name, struct reg_unpacked *out) {
  const char *wrong = NULL;
  size_t done = 0;
  *out = (struct reg_unpacked){table_of(name), calloc(count, sizeof *out->images)};
  while (out->table && out->images && done < count && unpack_one(&images[done], name, &out->images[done], &wrong)) done++;
  if (done == count) return true;
  refuse_packed(name, wrong ? wrong : "there is no memory for them");
  free_images(out->images, done);
  free(out->table);
  return false;
}

static bool open_all(const struct reg_descriptor *d, struct elf_image *out) {
  for (size_t i = 0; i < d->image_count; i++)
    if (!elf_image_open(d->images[i].start, d->images[i].bytes, &out[i])) return false;
  return d->image_count > 0;
}

size_t registry_unpack(const struct reg_descriptor *d, struct reg_unpacked **unpacked) {
  struct elf_image *images = calloc(d->image_count + 1, sizeof *images);
  size_t found = 0, count = images && open_all(d, images) ? packed_names(images, NULL, 0) : 0;
  const char **names = count ? calloc(count, sizeof *names) : NULL;
  *unpacked = names ? calloc(count, sizeof **unpacked) : NULL;
  count = *unpacked ? packed_names(images, names, count) : 0;
  for (size_t n = 0; n < count; n++) found += unpack(images, d->image_count, names[n], &(*unpacked)[found]);
  free(names);
  free(images);
  return found;
}

void registry_free_unpacked(struct reg_unpacked *unpacked, size_t count) {
  for (size_t i = 0; i < count; i++) free(unpacked[i].table);
  free(unpacked);
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
