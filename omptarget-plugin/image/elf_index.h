/* A device image's symbols and sections by name, for who looks for many of them: a program has a version or two for each of its kernels'
 * arrays, and each has a symbol and some sections.
 *
 * Owner: the caller frees the index; it points into the image. Thread-safety: none is needed, it is not changed. Errors: as of elf_image.h. */
#ifndef PLACE_RT_ELF_INDEX_H
#define PLACE_RT_ELF_INDEX_H

#include "elf_image.h"

struct elf_index;

/* NULL: out of memory. */
struct elf_index *elf_index_make(const struct elf_image *image);
void elf_index_free(struct elf_index *index);

/* What elf_image_find finds; the size of a section, 0 if there is none. */
bool elf_index_find(const struct elf_index *index, const char *name, struct elf_symbol *symbol);
uint64_t elf_index_section_bytes(const struct elf_index *index, const char *name);

#endif
