#include "overrun.h"

#include <stdio.h>

#include "place/abi.h"

enum { LANES = 32 };

static bool is_outside(const struct place_extent *section, uint32_t index, uint32_t width) {
  int64_t element = section->lo < 0 ? (int64_t)(int32_t)index : (int64_t)index; /* logged modulo 2^32 */
  __int128 begin = (__int128)element * width, end = (__int128)section->lo + section->bytes;
  return begin < section->lo || begin + width > end;
}

/* Whether any logged execution of the access, by a lane of a slot, lies outside. */
static bool reads_outside(const struct place_access *access, const struct place_extent *section, const uint32_t *profile) {
  for (size_t slot = 0; slot < PLACE_PROFILE_SLOTS; slot++) {
    size_t row = slot * PLACE_PROFILE_ACCESSES + (size_t)access->log;
    const uint32_t *count = profile + row * LANES;
    const uint32_t *entries = profile + PLACE_PROFILE_COUNT_WORDS + row * PLACE_PROFILE_ENTRIES * LANES;
    for (uint32_t e = 0; e < PLACE_PROFILE_ENTRIES; e++)
      for (size_t l = 0; l < LANES; l++)
        if (e < count[l] && is_outside(section, entries[e * LANES + l], access->width_bytes)) return true;
  }
  return false;
}

static void exclude(struct candidate *c) {
  for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) {
    if (!place_space_is_copy((enum place_space)s) || !(c->spaces & PLACE_SPACE_BIT(s))) continue;
    c->spaces &= (place_space_set)~PLACE_SPACE_BIT(s);
    snprintf(c->excluded[s], sizeof c->excluded[0], "the kernel reads outside of its mapped section");
  }
}

void overrun_exclude(const struct place_region *region, const struct place_launch *launch, const uint32_t *profile,
                     struct candidate *candidates) {
  for (size_t i = 0; profile && i < region->access_count; i++) {
    const struct place_access *access = &region->accesses[i];
    const struct place_extent *section = &launch->extent[access->array];
    if (access->log >= 0 && section->known && reads_outside(access, section, profile)) exclude(&candidates[access->array]);
  }
}
