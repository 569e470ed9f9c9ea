// Device memory lies at multiples of 512 bytes, where a texture may begin, as CUDA allocates it: device code for a GPU relies on it, and
// compiled for this CPU it has aligned accesses of up to 32 bytes. libomptarget's host plugin takes device memory from malloc, which promises 16;
// its import slot for malloc is pointed at an allocator that promises more. What it allocates for itself is freed by free() alike.
#define _GNU_SOURCE
#include "finding.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEVICE_ALIGNMENT = 512 };

static void *allocate(size_t bytes) {
  void *memory = NULL;
  int error = posix_memalign(&memory, DEVICE_ALIGNMENT, bytes ? bytes : 1);
  if (error)
    errno = error;
  return error ? NULL : memory;
}

// Slots may lie in pages that the loader has made read-only.
static void store(void **slot, void *value) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)slot & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE))
    simt_fatal("libomptarget's import slot for malloc cannot be written");
  *slot = value;
}

struct imports {
  const ElfW(Sym) *symbols;
  const char *strings;
  const ElfW(Rela) *table[2];
  size_t bytes[2];
};

static struct imports imports_of(const ElfW(Dyn) *entry) {
  struct imports found = {0};
  for (; entry->d_tag != DT_NULL; entry++) {
    void *address = (void *)entry->d_un.d_ptr; // glibc has added the base
    switch (entry->d_tag) {
    case DT_SYMTAB: found.symbols = address; break;
    case DT_STRTAB: found.strings = address; break;
    case DT_JMPREL: found.table[0] = address; break;
    case DT_PLTRELSZ: found.bytes[0] = entry->d_un.d_val; break;
    case DT_RELA: found.table[1] = address; break;
    case DT_RELASZ: found.bytes[1] = entry->d_un.d_val; break;
    }
  }
  return found;
}

static void redirect(uintptr_t base, const struct imports *imports) {
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < imports->bytes[t] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela) *r = &imports->table[t][i];
      unsigned type = ELF64_R_TYPE(r->r_info);
      if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) &&
          !strcmp(imports->strings + imports->symbols[ELF64_R_SYM(r->r_info)].st_name, "malloc"))
        store((void **)(base + r->r_offset), (void *)(uintptr_t)allocate);
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
  if (!slash || strncmp(slash, "/libomptarget.so", strlen("/libomptarget.so")) != 0)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      struct imports imports = imports_of((const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
      redirect(info->dlpi_addr, &imports);
    }
  return 1;
}

__attribute__((constructor)) static void align_device_memory(void) { dl_iterate_phdr(visit, NULL); }
