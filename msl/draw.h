/* Where a picture of a machine has its boxes: rows from the cores (0) downwards, an SM's before the die's. */
#ifndef MSL_DRAW_H
#define MSL_DRAW_H

#include "internal.h"

struct msl_layout {
  unsigned rows, sm_rows, columns; /* rows 0 to sm_rows - 1: memories that a core, an SM or a TPC has */
  unsigned row[MSL_MAX_MEMORIES], column[MSL_MAX_MEMORIES]; /* by index of the memory */
};

void msl_layout(const struct place_machine *machine, struct msl_layout *layout);
bool msl_covers(const struct place_machine *machine, unsigned upper, unsigned lower); /* with no level between them */
/* Size, latency and what else the picture shows of a memory, as in the file. */
void msl_draw_size(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory);
void msl_draw_latency(struct msl_text *out, const struct place_machine *machine, const struct place_memory *memory);
void msl_draw_title(struct msl_text *out, const struct place_machine *machine);

#endif
