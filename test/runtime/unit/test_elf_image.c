/* What device images say of their kernels: read from files that are made here, whole and damaged. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elf_image.h"
#include "elf_index.h"

/* Sections: none, names, strings, symbols, notes. */
enum { NAMES = 1, STRINGS, SYMBOLS, NOTES, SECTIONS, SYMBOL_COUNT = 3 };

static const char names[] = "\0.shstrtab\0.strtab\0.symtab\0.nv.info";
static const char strings[] = "\0helper\0kernel";

static struct image {
  Elf64_Ehdr header;
  Elf64_Shdr section[SECTIONS];
  Elf64_Sym symbol[SYMBOL_COUNT];
  char names[sizeof names], strings[sizeof strings];
  uint8_t notes[64];
} image;

/* A record of no meaning, one of another attribute, and the registers of both functions. */
static const uint8_t notes[sizeof image.notes] = {
  3, 0x1b, 0xff, 0,                            /* of a format without a length: the two bytes are its value */
  4, 0x11, 8, 0, 2, 0, 0, 0, 99, 0, 0, 0,      /* sized, of another attribute */
  4, 0x2f, 8, 0, 1, 0, 0, 0, 24, 0, 0, 0,
  4, 0x2f, 8, 0, 2, 0, 0, 0, 56, 0, 0, 0,
  4, 0x11, 8, 0, 1, 0, 0, 0, 0, 8, 0, 0,       /* a frame of 2 KiB */
  4, 0x12, 8, 0, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* the linker cannot tell what stack it needs */
};

static void place(int section, uint32_t name, uint32_t type, const void *at, size_t bytes) {
  image.section[section] = (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_size = bytes,
                                        .sh_offset = (uint64_t)((const char *)at - (const char *)&image)};
}

static int make(void **state) {
  (void)state;
  memset(&image, 0, sizeof image);
  memcpy(image.header.e_ident, ELFMAG, SELFMAG);
  image.header.e_ident[EI_CLASS] = ELFCLASS64;
  image.header.e_ident[EI_ABIVERSION] = 7;
  image.header.e_machine = ELF_MACHINE_CUDA;
  image.header.e_flags = 90;
  image.header.e_shentsize = sizeof(Elf64_Shdr);
  image.header.e_shnum = SECTIONS;
  image.header.e_shstrndx = NAMES;
  image.header.e_shoff = offsetof(struct image, section);
  memcpy(image.names, names, sizeof names);
  memcpy(image.strings, strings, sizeof strings);
  memcpy(image.notes, notes, sizeof notes);
  image.symbol[1].st_name = 1;
  image.symbol[2].st_name = 8;
  place(NAMES, 1, SHT_STRTAB, image.names, sizeof image.names);
  place(STRINGS, 11, SHT_STRTAB, image.strings, sizeof image.strings);
  place(SYMBOLS, 19, SHT_SYMTAB, image.symbol, sizeof image.symbol);
  image.section[SYMBOLS].sh_link = STRINGS;
  place(NOTES, 27, SHT_PROGBITS, image.notes, sizeof image.notes);
  return 0;
}

static unsigned registers_of(const char *kernel) {
  struct elf_image opened;
  assert_true(elf_image_open(&image, sizeof image, &opened));
  return elf_image_registers(&opened, kernel);
}

static void registers_are_read(void **state) {
  (void)state;
  assert_int_equal(registers_of("kernel"), 56);
  assert_int_equal(registers_of("helper"), 24);
}

static void what_is_not_there_is_not_known(void **state) {
  (void)state;
  assert_int_equal(registers_of("other"), 0);
  image.section[NOTES].sh_size = 28; /* up to the first function's */
  assert_int_equal(registers_of("kernel"), 0);
  assert_int_equal(registers_of("helper"), 24);
  image.section[SYMBOLS].sh_type = SHT_PROGBITS;
  assert_int_equal(registers_of("helper"), 0);
  make(NULL);
  image.header.e_machine = 62; /* the CPU runner's images are no cubins */
  assert_int_equal(registers_of("kernel"), 0);
}

/* A length beyond the section ends it. */
static void damaged_notes_are_not_followed(void **state) {
  (void)state;
  image.notes[6] = 0xff, image.notes[7] = 0xff;
  assert_int_equal(registers_of("kernel"), 0);
  make(NULL);
  image.section[NOTES].sh_size = 39; /* within the kernel's */
  assert_int_equal(registers_of("kernel"), 0);
  image.section[NOTES].sh_offset = sizeof image;
  assert_int_equal(registers_of("helper"), 0);
}

static uint64_t open_stack_of(const char *kernel) {
  struct elf_image opened;
  assert_true(elf_image_open(&image, sizeof image, &opened));
  return elf_image_open_stack(&opened, kernel);
}

/* A kernel that calls through pointers: its own frame, and the largest of all. */
static void stacks_are_estimated(void **state) {
  (void)state;
  struct elf_image opened;
  assert_true(elf_image_open(&image, sizeof image, &opened));
  assert_int_equal(elf_image_largest_frame(&opened), 2048);
  assert_int_equal(open_stack_of("kernel"), 99 + 2048);
  assert_int_equal(open_stack_of("helper"), 0);
  image.notes[60] = 0; /* known */
  assert_int_equal(open_stack_of("kernel"), 0);
}

/* ---- this program's own file, with many symbols ---- */

static unsigned char *whole_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  *length = 0;
  for (size_t got = 1; file && got; *length += got) {
    bytes = realloc(bytes, *length + 65536);
    assert_non_null(bytes);
    got = fread(bytes + *length, 1, 65536, file);
  }
  if (file) fclose(file);
  return bytes;
}

struct both {
  const struct elf_image *image;
  const struct elf_index *index;
  unsigned looked;
};

static bool same_symbol(const struct elf_symbol *symbol, void *context) {
  struct both *b = context;
  struct elf_symbol one, other;
  assert_true(elf_image_find(b->image, symbol->name, &one));
  assert_true(elf_index_find(b->index, symbol->name, &other));
  assert_string_equal(one.name, other.name);
  assert_ptr_equal(one.content, other.content);
  assert_int_equal(one.size, other.size);
  assert_int_equal(one.function, other.function);
  return ++b->looked < 2000;
}

static bool same_section(const struct elf_symbol *section, void *context) {
  struct both *b = context;
  assert_int_equal(elf_index_section_bytes(b->index, section->name), section->size);
  b->looked++;
  return true;
}

static void index_knows_the_same(void **state) {
  size_t length;
  struct elf_image opened;
  struct elf_symbol symbol;
  unsigned char *bytes = whole_file("/proc/self/exe", &length);
  (void)state;
  assert_true(elf_image_open(bytes, length, &opened));
  struct elf_index *index = elf_index_make(&opened);
  struct both b = {&opened, index, 0};
  elf_image_symbols(&opened, same_symbol, &b);
  assert_true(b.looked > 20);
  b.looked = 0;
  elf_image_sections(&opened, same_section, &b);
  assert_true(b.looked > 10);
  assert_true(elf_index_find(index, "index_knows_the_same", &symbol) && symbol.function);
  assert_false(elf_index_find(index, "index_knows_the_sam", &symbol) || elf_index_find(index, "", &symbol));
  assert_int_equal(elf_index_section_bytes(index, ".no such section"), 0);
  elf_index_free(index);
  free(bytes);
}

/* A string table that does not end: its last name is none, the others are. */
static void names_end(void **state) {
  (void)state;
  assert_int_equal(registers_of("kernel"), 56);
  image.strings[sizeof strings - 1] = 'x';
  assert_int_equal(registers_of("kernelx"), 0);
  assert_int_equal(registers_of("helper"), 24);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(registers_are_read, make),
    cmocka_unit_test_setup(stacks_are_estimated, make),
    cmocka_unit_test_setup(what_is_not_there_is_not_known, make),
    cmocka_unit_test_setup(damaged_notes_are_not_followed, make),
    cmocka_unit_test_setup(index_knows_the_same, make),
    cmocka_unit_test_setup(names_end, make),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
