/* Looking into a device image: an ELF64 file, bare or in LLVM's offload binary.
 *
 * Owner: nothing is copied; results point into the image. Thread-safety: pure functions. Errors: everything is checked
 * against the image's bounds; what is not there is not found. */
#ifndef PLACE_RT_ELF_IMAGE_H
#define PLACE_RT_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_image {
  const unsigned char *bytes; /* of the ELF file itself */
  size_t length;
  uint16_t machine; /* e_machine */
  uint8_t abi_version;
  uint32_t flags;
};
enum { ELF_MACHINE_CUDA = 190 };

struct elf_symbol {
  const char *name;
  uint64_t size;
  bool function;
  const unsigned char *content; /* `size` bytes, or NULL for zero-initialised and function symbols */
};

/* Recognises the image. False: neither form. */
bool elf_image_open(const void *start, size_t length, struct elf_image *image);

/* Calls `visit` for every defined symbol of .symtab and .dynsym until it returns false. */
void elf_image_symbols(const struct elf_image *image, bool (*visit)(const struct elf_symbol *, void *), void *context);

/* The same for every section that has a name, as symbols without content. */
void elf_image_sections(const struct elf_image *image, bool (*visit)(const struct elf_symbol *, void *), void *context);

/* Finds a defined symbol by name. */
bool elf_image_find(const struct elf_image *image, const char *name, struct elf_symbol *symbol);

/* Registers of a thread of a kernel, as a cubin says; 0: it is not there, or the image is no cubin. */
unsigned elf_image_registers(const struct elf_image *image, const char *kernel);

/* Bytes of the largest stack frame of any function; 0: none has one, or the image is no cubin. */
uint32_t elf_image_largest_frame(const struct elf_image *image);

/* Bytes of stack that a kernel may need which calls functions through pointers, so that the linker does not say: its frame and the largest of
 * the image's. 0: the linker knows, or the image is no cubin. */
uint64_t elf_image_open_stack(const struct elf_image *image, const char *kernel);

/* Of a cubin, e.g. 90 for sm_90; 0 for other images. */
unsigned elf_image_sm(const struct elf_image *image);

/* Whether libomptarget of LLVM 19 can tell what this cubin is for (those of CUDA 13 it cannot, llvm issue 159088). */
bool elf_image_loadable(const struct elf_image *image);

#endif
