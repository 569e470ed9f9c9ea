#include "layout.h"

#include "extents.h"
#include "finding.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 };

struct block {
  const char *begin, *end;
  uint64_t device;
};

// The launch's, and all ever laid out; both in ascending order of `begin`.
static struct block *blocks, *known;
static size_t block_count, block_capacity, known_count, known_capacity;
static uint64_t next_device = (uint64_t)1 << 40;

// The number of blocks that begin at or below the address.
static size_t count_up_to(const struct block *list, size_t count, const char *address) {
  size_t low = 0;
  while (low < count) {
    size_t middle = (low + count) / 2;
    if (list[middle].begin <= address)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

static void make_room(struct block **list, size_t count, size_t *capacity) {
  if (count < *capacity)
    return;
  *capacity = *capacity ? 2 * *capacity : 256;
  *list = realloc(*list, *capacity * sizeof **list);
  if (!*list)
    simt_fatal("no memory to lay out the device's memory");
}

static uint64_t place(const struct block *block) {
  uint64_t bytes = (uint64_t)(block->end - block->begin);
  size_t at = count_up_to(known, known_count, block->begin);
  struct block *same = at && known[at - 1].begin == block->begin ? &known[at - 1] : NULL;
  if (same && same->end == block->end)
    return same->device;
  if (!same) {
    make_room(&known, known_count, &known_capacity);
    memmove(&known[at + 1], &known[at], (known_count++ - at) * sizeof *known);
    same = &known[at];
  }
  *same = *block;
  same->device = next_device;
  next_device += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return same->device;
}

void simt_layout_begin_launch(void) {
  size_t count;
  struct simt_extent *const *extents = simt_extents_active(&count);
  block_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (block_count && extents[i]->begin < blocks[block_count - 1].end) {
      if (extents[i]->end > blocks[block_count - 1].end)
        blocks[block_count - 1].end = extents[i]->end;
      continue;
    }
    make_room(&blocks, block_count, &block_capacity);
    blocks[block_count++] = (struct block){.begin = extents[i]->begin, .end = extents[i]->end};
  }
  for (size_t i = 0; i < block_count; i++)
    blocks[i].device = place(&blocks[i]);
}

uint64_t simt_layout_address(const void *pointer, uint64_t *begin) {
  const char *address = pointer;
  size_t at = count_up_to(blocks, block_count, address);
  if (!at || address >= blocks[at - 1].end) {
    *begin = 0;
    return (uint64_t)(uintptr_t)address;
  }
  *begin = blocks[at - 1].device;
  return *begin + (uint64_t)(address - blocks[at - 1].begin);
}
