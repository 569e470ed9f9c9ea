/* Lines and fields of a region table's text. Internal to table.c and table_check.c. */
#ifndef PLACE_CORE_TABLE_TEXT_H
#define PLACE_CORE_TABLE_TEXT_H

#include "place/region.h"

/* Fills the diagnostic with the line and what to do about it; returns -1. */
int table_error(struct place_diag *diag, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What one line cannot show on its own: called once a region has been read, with the number of its first line. */
int table_check_region(const struct place_table *table, const struct place_region *region, unsigned line,
                       struct place_diag *diag);

#endif
