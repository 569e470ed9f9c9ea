#define _GNU_SOURCE
#include "redirect.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "next.h"
#include "offload_library.h"

#if defined(__x86_64__)
enum { RELOCATION_SLOT = R_X86_64_JUMP_SLOT, RELOCATION_GOT = R_X86_64_GLOB_DAT, RELOCATION_WORD = R_X86_64_64 };
#elif defined(__aarch64__)
enum { RELOCATION_SLOT = R_AARCH64_JUMP_SLOT, RELOCATION_GOT = R_AARCH64_GLOB_DAT, RELOCATION_WORD = R_AARCH64_ABS64 };
#else
#error "redirect.c: add this processor's relocation types"
#endif

/* Found by other copies of this library; see redirect_other_copy_active. */
__attribute__((visibility("default"))) atomic_int place_runtime_claimed;

/* Inside dl_iterate_phdr the loader's lock is held and nothing of the loader may be called: collect, then act. */
struct copies {
  const char *path[8];
  unsigned count;
};

static int find_copy(struct dl_phdr_info *info, size_t size, void *out) {
  (void)size;
  struct copies *copies = out;
  if (info->dlpi_name && strstr(info->dlpi_name, "libplacert") && copies->count < 8)
    copies->path[copies->count++] = info->dlpi_name;
  return 0;
}

static bool is_claimed(const char *path) {
  void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  atomic_int *claimed = dlsym(library, "place_runtime_claimed");
  bool active = claimed && claimed != &place_runtime_claimed && atomic_load(claimed);
  dlclose(library);
  return active;
}

bool redirect_other_copy_active(void) {
  struct copies copies = {.count = 0};
  dl_iterate_phdr(find_copy, &copies);
  for (unsigned i = 0; i < copies.count; i++)
    if (is_claimed(copies.path[i])) return true;
  return false;
}

void redirect_claim(void) { atomic_store(&place_runtime_claimed, 1); }

bool redirect_is_early(void) {
  const struct next_function *probe = next_functions;
  return next_global(probe->name) == probe->ours;
}

/* ---- one object ---- */

struct object {
  uintptr_t base;
  const ElfW(Dyn) *dynamic;
  const ElfW(Sym) *symbols;
  const char *strings;
  const uint32_t *hash; /* DT_GNU_HASH, or NULL */
  const ElfW(Rela) *relocations[2];
  size_t counts[2];
  uintptr_t relro_begin, relro_end; /* pages that the loader made read-only */
};

/* glibc relocates the dynamic section's addresses in place, other loaders and the vdso leave them as offsets. */
static const void *address(const struct object *o, ElfW(Addr) value) {
  return (const void *)(value < o->base ? o->base + value : value);
}

static bool read_object(const struct dl_phdr_info *info, struct object *o) {
  *o = (struct object){.base = info->dlpi_addr};
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_DYNAMIC) o->dynamic = (const void *)(o->base + p->p_vaddr);
    if (p->p_type == PT_GNU_RELRO) {
      o->relro_begin = (o->base + p->p_vaddr) & ~(page - 1);
      o->relro_end = (o->base + p->p_vaddr + p->p_memsz) & ~(page - 1);
    }
  }
  if (!o->dynamic) return false;
  for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_SYMTAB) o->symbols = address(o, d->d_un.d_ptr);
    if (d->d_tag == DT_STRTAB) o->strings = address(o, d->d_un.d_ptr);
    if (d->d_tag == DT_GNU_HASH) o->hash = address(o, d->d_un.d_ptr);
    if (d->d_tag == DT_JMPREL) o->relocations[0] = address(o, d->d_un.d_ptr);
    if (d->d_tag == DT_PLTRELSZ) o->counts[0] = d->d_un.d_val / sizeof(ElfW(Rela));
    if (d->d_tag == DT_RELA) o->relocations[1] = address(o, d->d_un.d_ptr);
    if (d->d_tag == DT_RELASZ) o->counts[1] = d->d_un.d_val / sizeof(ElfW(Rela));
  }
  return o->symbols && o->strings;
}

enum { MAX_FUNCTIONS = 64 };
static void *theirs[MAX_FUNCTIONS]; /* by index in next_functions; under `lock` */

static int find_function(const char *name) {
  if (strncmp(name, "__tgt_", 6) && strncmp(name, "omp_", 4) && strncmp(name, "llvm_omp_", 9)) return -1;
  for (int i = 0; i < MAX_FUNCTIONS && next_functions[i].name; i++)
    if (!strcmp(next_functions[i].name, name)) return i;
  return -1;
}

static bool store_slot(const struct object *o, void **slot, void *to) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)slot & ~(page - 1);
  bool read_only = (uintptr_t)slot >= o->relro_begin && (uintptr_t)slot < o->relro_end;
  if (read_only && mprotect((void *)at, page, PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(slot, to, __ATOMIC_RELEASE);
  if (read_only) mprotect((void *)at, page, PROT_READ);
  return true;
}

/* Whether a slot was changed. */
static bool redirect_relocation(const struct object *o, const ElfW(Rela) *r) {
  unsigned type = ELF64_R_TYPE(r->r_info);
  if (type != RELOCATION_SLOT && type != RELOCATION_GOT && type != RELOCATION_WORD) return false;
  const char *name = o->strings + o->symbols[ELF64_R_SYM(r->r_info)].st_name;
  int function = find_function(name);
  if (function < 0) return false;
  void *ours = next_functions[function].ours;
  void **slot = (void **)(o->base + r->r_offset);
  if (*slot == ours) return false;
  /* A plain word is the program's own variable: it may hold something else by now. */
  if (type == RELOCATION_WORD && (r->r_addend || *slot != theirs[function])) return false;
  return store_slot(o, slot, ours);
}

/* Whether a library imports any of them. The symbols that it imports come before those in the hash table; looking through the
 * relocations of libLLVM, which libomptarget brings, would take milliseconds. A program may have such symbols in the table. */
static bool imports_any(const struct object *o, bool library) {
  if (!library || !o->hash) return true;
  for (uint32_t i = 0, hashed = o->hash[1]; i < hashed; i++)
    if (find_function(o->strings + o->symbols[i].st_name) >= 0) return true;
  return false;
}

static int redirect_object(struct dl_phdr_info *info, size_t size, void *changed) {
  (void)size;
  struct object o;
  if (info->dlpi_name && offload_library_is(info->dlpi_name)) return 0;
  if (info->dlpi_name && (strstr(info->dlpi_name, "libplacert") || strstr(info->dlpi_name, "linux-vdso"))) return 0;
  if (!read_object(info, &o) || !imports_any(&o, info->dlpi_name && *info->dlpi_name)) return 0;
  for (int table = 0; table < 2; table++)
    for (size_t i = 0; o.relocations[table] && i < o.counts[table]; i++)
      if (redirect_relocation(&o, &o.relocations[table][i])) *(bool *)changed = true;
  return 0;
}

/* ---- all objects ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_ullong objects_seen; /* dlpi_adds when we last looked */

static int read_adds(struct dl_phdr_info *info, size_t size, void *out) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds)
    *(unsigned long long *)out = info->dlpi_adds;
  return 1;
}

static unsigned long long count_adds(void) {
  unsigned long long adds = 0;
  dl_iterate_phdr(read_adds, &adds);
  return adds;
}

bool redirect_objects(void) {
  bool changed = false;
  pthread_mutex_lock(&lock);
  atomic_store(&objects_seen, count_adds());
  for (int i = 0; i < MAX_FUNCTIONS && next_functions[i].name; i++)
    if (!theirs[i]) theirs[i] = next_resolve(next_functions[i].name, next_functions[i].ours);
  dl_iterate_phdr(redirect_object, &changed);
  pthread_mutex_unlock(&lock);
  return changed;
}

bool redirect_new_objects(void) {
  return count_adds() != atomic_load(&objects_seen) && redirect_objects();
}
