#define _GNU_SOURCE
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elf_index.h"
#include "place/launch_reason.h"
#include "place/packed.h"
#include "refused.h"

struct build {
  struct rt_module *module;
  struct elf_image *described; /* [image_count]: where the tables are */
  struct elf_image *images;    /* [image_count]: where the versions are, */
  struct elf_index **index;    /* [image_count]: and what is in them, once there are tables */
  size_t image_count;
  const struct reg_entry *entries;
  size_t entry_count;
  const char *only; /* the table to read; NULL: all of them */
  bool *elsewhere;  /* [table_count] versions that `images` lack are packed */
  uint64_t stack;   /* bytes that a thread has; 0: no function of the images can need more */
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

static void add_table(struct build *b, const struct elf_symbol *symbol) {
  struct rt_module *module = b->module;
  struct place_diag diag = {""};
  struct place_table table;
  const char *text = (const char *)symbol->content, *wrong = wrong_with_symbol(b, symbol);
  if (wrong || place_table_read(text, strnlen(text, symbol->size), &table, &diag)) {
    if (!b->only) /* else it was said already */
      refused_add("%s: %s; its regions run their original kernels", symbol->name, wrong ? wrong : diag.text);
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

static bool make_indices(struct build *b) {
  for (size_t i = 0; i < b->image_count; i++)
    if (!(b->index[i] = elf_index_make(&b->images[i]))) return false;
  return true;
}

/* Whether every image has the symbol: an entry that one image lacks makes libomptarget complain on stderr. Of data, the
 * size must be the same in all, and at least `least` bytes. */
static bool in_all_images(const struct build *b, const char *name, bool function, uint64_t least, struct elf_symbol *out) {
  for (size_t i = 0; i < b->image_count; i++) {
    struct elf_symbol symbol;
    if (!elf_index_find(b->index[i], name, &symbol) || symbol.function != function) return false;
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
    uint64_t bytes = elf_index_section_bytes(b->index[i], name);
    if (bytes > most) most = bytes;
  }
  return most > UINT32_MAX ? UINT32_MAX : (unsigned)most;
}

static unsigned registers(const struct build *b, const char *entry) {
  unsigned most = 0;
  for (size_t i = 0; i < b->image_count; i++) {
    unsigned count = elf_image_registers(&b->images[i], entry);
    if (count > most) most = count;
  }
  return most;
}

/* Where functions have frames so large that it matters: 1 KiB, unless libomptarget is told otherwise. */
static uint64_t stack_of_thread(const struct build *b) {
  enum { USUAL = 1024 };
  const char *asked = secure_getenv("LIBOMPTARGET_STACK_SIZE");
  uint64_t has = asked ? strtoull(asked, NULL, 0) : 0;
  if (!has) has = USUAL;
  for (size_t i = 0; i < b->image_count; i++)
    if (2 * (uint64_t)elf_image_largest_frame(&b->images[i]) > has) return has;
  return 0;
}

/* Whether a call of the version may need more stack than a thread has. The original may do with less: link-time optimisation gives versions
 * other copies of the device runtime than it. */
static bool is_deep(const struct build *b, const char *entry) {
  for (size_t i = 0; b->stack && i < b->image_count; i++)
    if (elf_image_open_stack(&b->images[i], entry) > b->stack) return true;
  return false;
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
  bool deeper = false;
  region->versions = calloc(r->version_count ? r->version_count : 1, sizeof *region->versions);
  if (!region->versions) {
    region->unusable = WHY_OUT_OF_MEMORY;
    return;
  }
  for (size_t v = 0; v < r->version_count; v++) {
    struct elf_symbol symbol;
    void *id = b->module->ids + b->module->added_count;
    if (r->versions[v].kernel || !in_all_images(b, r->versions[v].entry, true, 0, &symbol)) continue;
    bool deep = is_deep(b, r->versions[v].entry);
    if (deep || !append_entry(b->module, id, r->versions[v].entry, 0)) {
      deeper |= deep;
      continue;
    }
    bool asked = r->versions[v].fill || (!r->versions[v].threads && !r->open_threads);
    unsigned count = asked ? registers(b, r->versions[v].entry) : 0;
    region->versions[v] = (struct rt_version){id, static_shared(b, r->versions[v].entry), count};
    found++;
  }
  share_code(region);
  if (!found) region->unusable = deeper ? WHY_DEEP_STACK : r->no_version ? r->no_version : r->nothing_to_place ? r->nothing_to_place : r->version_count
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

static bool any_uses(const struct place_expr_pool *pool, const place_expr *list, size_t count, int64_t arg) {
  for (size_t i = 0; list && i < count; i++)
    if (uses(pool, list[i], arg)) return true;
  return false;
}

static bool is_of_version(const struct place_expr_pool *pool, const struct place_region *r, const struct place_version *v, int64_t arg) {
  return uses(pool, v->teams, arg) || any_uses(pool, v->extent, v->extent_count, arg) || any_uses(pool, v->pitch, r->array_count, arg) ||
         any_uses(pool, v->ahead, r->array_count, arg);
}

/* Whether trip counts, shapes of versions, or what is reached of an array that may be copied depend on a scalar. */
static bool shapes_launch(const struct rt_region *region, int64_t arg) {
  const struct place_region *r = region->region;
  const struct place_expr_pool *pool = &region->table->exprs;
  for (size_t i = 0; i < r->loop_count; i++)
    if (uses(pool, r->loops[i].trips, arg)) return true;
  for (size_t v = 0; v < r->version_count; v++)
    if (is_of_version(pool, r, &r->versions[v], arg)) return true;
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
  b->stack = stack_of_thread(b);
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

void module_free(struct rt_module *m) {
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
  free(m->images);
  free(m);
}

/* Takes the module over. */
static struct rt_module *build_module(struct build *b) {
  b->module->sm = elf_image_sm(&b->images[0]);
  read_tables(b);
  if (!b->module->table_count || !make_indices(b) || !add_regions(b) || !b->module->region_count) {
    module_free(b->module);
    return NULL;
  }
  add_symbol(b, PLACE_CONST_SYMBOL, PLACE_CONST_ALIGN, &b->module->constant);
  add_symbol(b, PLACE_TIMER_SYMBOL, PLACE_TIMER_ENTRIES * PLACE_TIMER_SLOT_BYTES, &b->module->timer);
  add_symbol(b, PLACE_PROFILE_SYMBOL, PLACE_PROFILE_WORDS * 4u, &b->module->profile);
  return b->module;
}

bool module_open_images(const struct reg_image *images, size_t count, struct elf_image *out) {
  for (size_t i = 0; i < count; i++)
    if (!elf_image_open(images[i].start, images[i].bytes, &out[i])) return false;
  return true;
}

static bool keep_images(struct rt_module *module, const struct reg_image *images, size_t count) {
  module->images = calloc(count, sizeof *images);
  if (!module->images) return false;
  memcpy(module->images, images, count * sizeof *images);
  module->image_count = count;
  return true;
}

struct rt_module *module_read(const struct reg_descriptor *d, struct elf_image *opened, const struct reg_unpacked *own) {
  const struct reg_image *images = own ? own->images : d->images;
  struct build b = {.described = opened, .images = calloc(d->image_count, sizeof *b.images),
                    .index = calloc(d->image_count, sizeof *b.index), .image_count = d->image_count,
                    .entries = d->entries, .entry_count = d->entry_count, .only = own ? own->table : NULL,
                    .module = calloc(1, sizeof *b.module)};
  struct rt_module *module = NULL;
  if (b.images && b.index && b.module && module_open_images(images, d->image_count, b.images)) module = build_module(&b);
  else free(b.module);
  if (module) keep_images(module, images, d->image_count);
  for (size_t i = 0; b.index && i < d->image_count; i++) elf_index_free(b.index[i]);
  free(b.index);
  free(b.images);
  free(b.elsewhere);
  return module;
}
