/* From sampled warp accesses to what each memory sees of them. Internal. */
#ifndef PLACE_CORE_FIND_TRAITS_H
#define PLACE_CORE_FIND_TRAITS_H

#include "traits.h"

/* candidates: [region->array_count]. traits_free releases *traits, unless there was an error: -1 and a diagnostic. */
int traits_find(const struct place_region *region, const struct place_machine *machine, const struct walk *walk,
                const struct candidate *candidates, struct traits *traits, struct place_diag *diag);

#endif
