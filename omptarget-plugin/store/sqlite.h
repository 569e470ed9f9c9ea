/* SQLite's library, loaded when it is first needed: most launches need none of it, and a program runs without it.
 *
 * Thread-safety: sqlite() any thread; connections belong to one thread at a time. Errors: NULL where the library is missing. */
#ifndef PLACE_RT_SQLITE_H
#define PLACE_RT_SQLITE_H

#include <sqlite3.h>

struct sqlite {
#define PLACE_SQLITE(name) __typeof__(sqlite3_##name) *name;
#include "sqlite.def"
#undef PLACE_SQLITE
};

const struct sqlite *sqlite(void);

/* Why it is NULL, in the dynamic loader's words. */
const char *sqlite_failure(void);

#endif
