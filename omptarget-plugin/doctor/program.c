/* A program's device code: for which GPU, and what of place is in it. */
#define _GNU_SOURCE
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_image.h"
#include "packed.h"
#include "place/region.h"

struct tally {
  struct doctor *doctor;
  const char *path;
  unsigned tables, regions, with_versions;
  const unsigned char *seen[64]; /* a table is in .symtab and in .dynsym */
  unsigned seen_count;
};

static const char *base_name(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : "?";
}

static void tell_region(struct tally *t, const struct place_region *r) {
  t->regions++;
  t->with_versions += r->version_count > 0;
  if (!r->version_count)
    doctor_say(t->doctor, FINDING_WARNING, "%s: %s (%s:%u) has no versions: %s", t->path, r->function ? r->function : "?", base_name(r->file),
               r->line, r->no_version ? r->no_version : r->nothing_to_place ? r->nothing_to_place : "none was made");
}

static bool visit(const struct elf_symbol *symbol, void *context) {
  struct tally *t = context;
  struct place_table table;
  struct place_diag diag = {""};
  if (strncmp(symbol->name, PLACE_TABLE_PREFIX, strlen(PLACE_TABLE_PREFIX)) || symbol->function || !symbol->content) return true;
  for (unsigned i = 0; i < t->seen_count; i++)
    if (t->seen[i] == symbol->content) return true;
  if (t->seen_count < 64) t->seen[t->seen_count++] = symbol->content;
  t->tables++;
  const char *text = (const char *)symbol->content;
  if (place_table_read(text, strnlen(text, symbol->size), &table, &diag)) {
    doctor_say(t->doctor, FINDING_ERROR, "%s: %s", t->path, diag.text);
    return true;
  }
  for (size_t i = 0; i < table.region_count; i++) tell_region(t, &table.regions[i]);
  place_table_free(&table);
  return true;
}

/* Whether what lies packed in the image can be used. */
static void check_packed(struct doctor *d, const char *path, const struct elf_image *image) {
  const char *names[64], *wrong;
  const size_t most = sizeof names / sizeof *names;
  size_t count = packed_names(image, names, most), bytes;
  for (size_t i = 0; i < count && i < most; i++) {
    void *unpacked = packed_open(image, names[i], &bytes, &wrong);
    if (!unpacked) doctor_say(d, FINDING_ERROR, "%s: %s: the packed versions of a file cannot be used: %s", path, names[i], wrong);
    free(unpacked);
  }
}

static void check_image(struct doctor *d, const char *path, const struct elf_image *image) {
  struct tally t = {.doctor = d, .path = path};
  unsigned sm = elf_image_sm(image);
  if (!elf_image_loadable(image)) {
    doctor_say(d, FINDING_ERROR, "%s: its code for sm_%u was assembled by CUDA 13, which libomptarget 19 cannot load: compile with CUDA 11.8 "
               "to 12.x (--cuda-path=)", path, sm);
    return;
  }
  if (sm && d->sm && sm != d->sm)
    doctor_say(d, FINDING_ERROR, "%s: its code is for sm_%u, the GPU is sm_%u: compile with --offload-arch=sm_%u", path, sm, d->sm, d->sm);
  elf_image_symbols(image, visit, &t);
  check_packed(d, path, image);
  if (!t.tables && sm)
    doctor_say(d, FINDING_ERROR, "%s: place is not in its code for sm_%u: compile every file with -fplugin=libplace.so and -O1 or more, or "
               "with --config=place.cfg", path, sm);
  else if (!t.tables)
    doctor_say(d, FINDING_WARNING, "%s: its device code is not for NVIDIA GPUs, for which alone place makes versions: "
               "--offload-arch=sm_XX", path);
  else
    doctor_say(d, t.with_versions ? FINDING_OK : FINDING_WARNING, "%s: %u target region%s, %u with versions that place can launch", path,
               t.regions, t.regions == 1 ? "" : "s", t.with_versions);
}

static void check_images(struct doctor *d, const char *path, const unsigned char *bytes, size_t length) {
  static const unsigned char magic[] = {0x10, 0xff, 0x10, 0xad, 1, 0, 0, 0}; /* LLVM's offload binary, version 1 */
  unsigned images = 0;
  const unsigned char *end = bytes + length, *at = bytes;
  while ((at = memmem(at, (size_t)(end - at), magic, sizeof magic))) {
    struct elf_image image;
    images++;
    if (elf_image_open(at, (size_t)(end - at), &image)) check_image(d, path, &image);
    else doctor_say(d, FINDING_WARNING, "%s: device code that is not compiled yet (-foffload-lto, -fopenmp-target-jit): place makes no "
                    "versions there", path);
    at += sizeof magic;
  }
  if (!images) doctor_say(d, FINDING_ERROR, "%s has no device code: compile and link with -fopenmp and --offload-arch=sm_XX", path);
}

void doctor_program(struct doctor *doctor, const char *path) {
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  const unsigned char *bytes = MAP_FAILED;
  if (fd >= 0 && !fstat(fd, &info) && info.st_size > 0) bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) {
    doctor_say(doctor, FINDING_ERROR, "%s cannot be read: %s", path, fd >= 0 ? "it is empty, or no file" : strerror(errno));
  } else {
    check_images(doctor, path, bytes, (size_t)info.st_size);
    munmap((void *)bytes, (size_t)info.st_size);
  }
  if (fd >= 0) close(fd);
}
