#include "elf_image.h"

#include <elf.h>
#include <string.h>

/* LLVM's offload binary, version 1 (llvm/Object/OffloadBinary.h). */
struct offload_header {
  unsigned char magic[4];
  uint32_t version;
  uint64_t size, entry_offset, entry_size;
};
struct offload_entry {
  uint16_t image_kind, offload_kind;
  uint32_t flags;
  uint64_t string_offset, string_count, image_offset, image_size;
};

static bool inside(size_t length, uint64_t offset, uint64_t bytes) { return offset <= length && bytes <= length - offset; }

static void unwrap(const unsigned char **bytes, size_t *length) {
  struct offload_header header;
  struct offload_entry entry;
  if (*length < sizeof header || memcmp(*bytes, "\x10\xff\x10\xad", 4)) return;
  memcpy(&header, *bytes, sizeof header);
  if (!inside(*length, header.entry_offset, sizeof entry)) return;
  memcpy(&entry, *bytes + header.entry_offset, sizeof entry);
  if (!inside(*length, entry.image_offset, entry.image_size)) return;
  *bytes += entry.image_offset;
  *length = entry.image_size;
}

bool elf_image_open(const void *start, size_t length, struct elf_image *image) {
  const unsigned char *bytes = start;
  Elf64_Ehdr header;
  unwrap(&bytes, &length);
  if (length < sizeof header || memcmp(bytes, ELFMAG, SELFMAG) || bytes[EI_CLASS] != ELFCLASS64) return false;
  memcpy(&header, bytes, sizeof header);
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return false;
  if (!inside(length, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr))) return false;
  *image = (struct elf_image){bytes, length, header.e_machine, header.e_ident[EI_ABIVERSION], header.e_flags};
  return true;
}

static bool section(const struct elf_image *image, unsigned index, Elf64_Shdr *out) {
  Elf64_Ehdr header;
  memcpy(&header, image->bytes, sizeof header);
  if (index >= header.e_shnum) return false;
  memcpy(out, image->bytes + header.e_shoff + (size_t)index * sizeof *out, sizeof *out);
  return out->sh_type == SHT_NOBITS || inside(image->length, out->sh_offset, out->sh_size);
}

static const char *string_at(const struct elf_image *image, const Elf64_Shdr *strings, uint64_t offset) {
  if (strings->sh_type != SHT_STRTAB || offset >= strings->sh_size) return NULL;
  const char *all = (const char *)image->bytes + strings->sh_offset, *text = all + offset;
  bool ends = !all[strings->sh_size - 1]; /* as that of each sound file does */
  return ends || memchr(text, 0, strings->sh_size - offset) ? text : NULL;
}

static bool read_symbol(const struct elf_image *image, const Elf64_Shdr *strings, const Elf64_Sym *raw,
                        struct elf_symbol *out) {
  Elf64_Shdr home;
  if (raw->st_shndx == SHN_UNDEF || raw->st_shndx >= SHN_LORESERVE || !section(image, raw->st_shndx, &home)) return false;
  *out = (struct elf_symbol){string_at(image, strings, raw->st_name), raw->st_size,
                             ELF64_ST_TYPE(raw->st_info) == STT_FUNC, NULL};
  if (!out->name || !*out->name) return false;
  uint64_t offset = raw->st_value - home.sh_addr;
  if (home.sh_type != SHT_NOBITS && offset <= home.sh_size && raw->st_size <= home.sh_size - offset)
    out->content = image->bytes + home.sh_offset + offset;
  return true;
}

static bool is_named(const struct elf_image *image, const Elf64_Shdr *strings, uint64_t offset, const char *name) {
  const char *found = string_at(image, strings, offset);
  return found && !strcmp(found, name);
}

/* Those of the name, if there is one: names are compared before all else is looked at, as a symbol is sought for each version of a program.
 * False: the visitor has seen enough. */
static bool visit_table(const struct elf_image *image, const Elf64_Shdr *table, const char *name,
                        bool (*visit)(const struct elf_symbol *, void *), void *context) {
  Elf64_Shdr strings;
  if (!section(image, table->sh_link, &strings)) return true;
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym raw;
    struct elf_symbol symbol;
    memcpy(&raw, image->bytes + table->sh_offset + at, sizeof raw);
    if (name && !is_named(image, &strings, raw.st_name, name)) continue;
    if (read_symbol(image, &strings, &raw, &symbol) && !visit(&symbol, context)) return false;
  }
  return true;
}

static void visit_tables(const struct elf_image *image, const char *name, bool (*visit)(const struct elf_symbol *, void *), void *context) {
  Elf64_Shdr table;
  Elf64_Ehdr header;
  memcpy(&header, image->bytes, sizeof header);
  for (unsigned i = 0; i < header.e_shnum; i++)
    if (section(image, i, &table) && (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) &&
        !visit_table(image, &table, name, visit, context))
      return;
}

void elf_image_symbols(const struct elf_image *image, bool (*visit)(const struct elf_symbol *, void *), void *context) {
  visit_tables(image, NULL, visit, context);
}

static bool take_first(const struct elf_symbol *symbol, void *context) {
  *(struct elf_symbol *)context = *symbol;
  return false;
}

bool elf_image_find(const struct elf_image *image, const char *name, struct elf_symbol *symbol) {
  struct elf_symbol found = {.name = NULL};
  visit_tables(image, name, take_first, &found);
  if (found.name) *symbol = found;
  return found.name;
}

static bool section_of(const struct elf_image *image, const char *name, Elf64_Shdr *out) {
  Elf64_Ehdr header;
  Elf64_Shdr strings;
  memcpy(&header, image->bytes, sizeof header);
  if (!section(image, header.e_shstrndx, &strings)) return false;
  for (unsigned i = 0; i < header.e_shnum; i++)
    if (section(image, i, out) && is_named(image, &strings, out->sh_name, name)) return true;
  return false;
}

void elf_image_sections(const struct elf_image *image, bool (*visit)(const struct elf_symbol *, void *), void *context) {
  Elf64_Ehdr header;
  Elf64_Shdr strings, one;
  memcpy(&header, image->bytes, sizeof header);
  if (!section(image, header.e_shstrndx, &strings)) return;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    const char *name = section(image, i, &one) ? string_at(image, &strings, one.sh_name) : NULL;
    const struct elf_symbol found = {name, one.sh_size, false, NULL};
    if (name && *name && !visit(&found, context)) return;
  }
}

/* Number of the symbol in .symtab; 0: there is none. */
static uint32_t symbol_number(const struct elf_image *image, const char *name) {
  Elf64_Shdr table, strings;
  if (!section_of(image, ".symtab", &table) || table.sh_type != SHT_SYMTAB || !section(image, table.sh_link, &strings)) return 0;
  for (uint64_t n = 0; (n + 1) * sizeof(Elf64_Sym) <= table.sh_size; n++) {
    Elf64_Sym raw;
    memcpy(&raw, image->bytes + table.sh_offset + n * sizeof raw, sizeof raw);
    if (is_named(image, &strings, raw.st_name, name)) return (uint32_t)n;
  }
  return 0;
}

/* What ptxas and nvlink note of functions: records of a format, an attribute and two bytes; of format SIZED, these are the length of what
 * follows. */
enum { NOTE_SIZED = 4, NOTE_FRAME = 0x11, NOTE_LEAST_STACK = 0x12, NOTE_REGISTERS = 0x2f };
struct note {
  unsigned attribute;
  struct {
    uint32_t symbol, value;
  } of;
};

/* Until the visitor has seen enough, and returns false. False: they are not there, or damaged. */
static bool visit_notes(const struct elf_image *image, bool (*visit)(const struct note *, void *), void *context) {
  struct { uint8_t format, attribute; uint16_t bytes; } record;
  Elf64_Shdr info;
  if (image->machine != ELF_MACHINE_CUDA || !section_of(image, ".nv.info", &info) || info.sh_type == SHT_NOBITS) return false;
  for (uint64_t at = 0; at + sizeof record <= info.sh_size;) {
    memcpy(&record, image->bytes + info.sh_offset + at, sizeof record);
    at += sizeof record;
    struct note note = {.attribute = record.attribute};
    uint64_t bytes = record.format == NOTE_SIZED ? record.bytes : 0;
    if (bytes > info.sh_size - at) return false;
    if (bytes >= sizeof note.of) {
      memcpy(&note.of, image->bytes + info.sh_offset + at, sizeof note.of);
      if (!visit(&note, context)) return true;
    }
    at += bytes;
  }
  return true;
}

struct registers {
  uint32_t symbol, count;
};

static bool is_not_registers(const struct note *note, void *context) {
  struct registers *r = context;
  if (note->attribute != NOTE_REGISTERS || note->of.symbol != r->symbol) return true;
  r->count = note->of.value;
  return false;
}

unsigned elf_image_registers(const struct elf_image *image, const char *kernel) {
  struct registers r = {.symbol = symbol_number(image, kernel)};
  if (r.symbol) visit_notes(image, is_not_registers, &r);
  return r.count;
}

struct stack {
  uint32_t symbol, frame, largest_frame;
  bool open; /* nvlink cannot tell */
};

static bool add_to_stack(const struct note *note, void *context) {
  struct stack *s = context;
  bool own = note->of.symbol == s->symbol;
  if (note->attribute == NOTE_FRAME && note->of.value > s->largest_frame) s->largest_frame = note->of.value;
  if (note->attribute == NOTE_FRAME && own) s->frame = note->of.value;
  if (note->attribute == NOTE_LEAST_STACK && own) s->open = note->of.value == UINT32_MAX;
  return true;
}

uint32_t elf_image_largest_frame(const struct elf_image *image) {
  struct stack s = {.symbol = 0}; /* no function's */
  return visit_notes(image, add_to_stack, &s) ? s.largest_frame : 0;
}

uint64_t elf_image_open_stack(const struct elf_image *image, const char *kernel) {
  struct stack s = {.symbol = symbol_number(image, kernel)};
  bool known = s.symbol && visit_notes(image, add_to_stack, &s);
  return known && s.open ? (uint64_t)s.frame + s.largest_frame : 0;
}

/* CUDA up to 12 writes ABI version 7 with the architecture in the flags' low byte; CUDA 13 writes 8 and moves it one
 * byte up. */
enum { CUDA_ABI_LAST_KNOWN = 7 };

unsigned elf_image_sm(const struct elf_image *image) {
  if (image->machine != ELF_MACHINE_CUDA) return 0;
  return image->abi_version <= CUDA_ABI_LAST_KNOWN ? image->flags & 0xff : image->flags >> 8 & 0xff;
}

bool elf_image_loadable(const struct elf_image *image) {
  return image->machine != ELF_MACHINE_CUDA || image->abi_version <= CUDA_ABI_LAST_KNOWN;
}
