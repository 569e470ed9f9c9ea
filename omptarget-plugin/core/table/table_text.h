/* Lines and fields of a region table's text. Internal to the files table*.c.
 *
 * Functions that can fail return -1 (append: NULL) and fill the reader's diagnostic with the line. */
#ifndef PLACE_CORE_TABLE_TEXT_H
#define PLACE_CORE_TABLE_TEXT_H

#include "place/region.h"

enum { MAX_ITEMS = 1 << 16 }; /* of one kind in a region: a damaged number must not cost gigabytes */

struct field { /* a part of the text; no zero byte ends it */
  const char *text;
  size_t length;
};

struct reader {
  const char *text; /* without the end line */
  size_t length, at;
  unsigned number;   /* of the current line, from 1 */
  struct field line; /* what is left of it */
  struct place_table *table;
  struct place_diag *diag;
};

/* Fills the diagnostic with the line and what to do about it; returns -1. */
int table_error(struct place_diag *diag, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define ERROR(reader, ...) table_error((reader)->diag, (reader)->number, __VA_ARGS__)

bool table_next_line(struct reader *r);                   /* false: there is none */
bool table_take(struct reader *r, const char *keyword);   /* the next line if it begins so; else it is left to be read again */
int table_line_done(struct reader *r);                    /* -1 unless nothing is left of the line */
struct field table_field(struct reader *r);               /* up to the next blank; empty at the end of the line */
struct field table_rest(struct reader *r);

bool table_is(struct field f, const char *word);
int table_one_of(struct field f, const char *const *words, int count); /* index, or -1 */

/* The next item of a list, as long as `more`, true before the first one, says; false: no more. A separator at the end leaves an empty item, which no reader takes. */
bool table_next_item(struct field *list, bool *more, char separator, struct field *item);
bool table_number(struct field f, unsigned most, unsigned *value); /* digits only, at most `most` */

int table_int(struct reader *r, const char *what, long long least, long long most, long long *value);
int table_copy(struct reader *r, struct field f, const char *what, char **out);
int table_copy_unless_dash(struct reader *r, struct field f, const char *what, char **out);
int table_expr(struct reader *r, struct field f, place_expr *expr);
int table_rest_expr(struct reader *r, place_expr *expr); /* '?': PLACE_EXPR_NONE */

/* One more element, zeroed, at the end of an array of `count`. */
void *table_append(struct reader *r, void **array, size_t *count, size_t size);
#define APPEND(reader, array, count) table_append(reader, (void **)&(array), &(count), sizeof *(array))

/* What is left of a version's line, into a version that is all zero (table_version.c). */
int table_version(struct reader *r, const struct place_region *region, struct place_version *version);

/* What one line cannot show on its own: called once a region has been read, with the number of its first line. */
int table_check_region(const struct place_table *table, const struct place_region *region, unsigned line,
                       struct place_diag *diag);

#endif
