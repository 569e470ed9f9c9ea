/* The region table: what the plugin tells the runtime about the kernels of one translation unit.
 *
 * In the device image it is text (so that a human, a test and a debugger can read it: `strings app | grep -A40 place-table`),
 * one table per translation unit, in a symbol with the prefix PLACE_TABLE_PREFIX. place_table_read validates all of it.
 *
 *   table   ::= 'place-table' ABI-version NL region* 'end' fnv1a-64-of-all-bytes-before-this-line (16 hex digits) NL
 *   region  ::= 'region' entry-name NL
 *               'at' line function file-name-to-end-of-line NL            ('at 0 ? ?' if nothing is known)
 *               'kind' ('spmd' [reason] | 'no-version' reason | 'nothing-to-place' reason) NL
 *                        reason: to the end of the line, a sentence of place/reason.def: why it has no block versions; why it has
 *                        no versions at all; why none would be worth having, as nothing in it can be placed and its loops stay as
 *                        they are. 'unsupported': in older tables for the latter two
 *               'launch' threads ('open'|'observed') ('reduction'|'-') ('unknown-writes'|'-') ['open-threads'] ['set-threads'] ['apart'] ['blocks']
 *                        ['parameters' count ['values' number{','number}]] NL
 *                        threads: of a team as compiled, 0 if not fixed at compile time. open: the number of teams is the
 *                        implementation's choice and nothing in the kernel looks at it. open-threads: nothing looks at the
 *                        number of threads either, so that num_threads and thread_limit are wishes for the original alone.
 *                        set-threads: `threads`, and all that is said of loops and accesses, is of the versions, whose teams have
 *                        that size whatever the program asks for (#pragma place team). apart: the program promises that no two
 *                        of its arrays overlap, unless it writes neither (#pragma place assume(noalias)). blocks: the source asks for
 *                        the region's versions with blocks: they are tried whatever is predicted (#pragma place shared(tile)).
 *                        parameters: of the kernel, without the launch environment; a launch may bring more, which it ignores.
 *                        values: those, 0 the first, on which no branch, address or number of iterations depends, of the first 64
 *               ('loop' n parent (trips | '?') NL)*                       n counts from 0; parent -1: none; trips: expr
 *               ('array' n arg name element-bytes rights placeable spaces hint reason-to-end-of-line NL)*
 *                        arg: kernel argument, 0 the first after the launch environment; rights: letters of 'rwa'
 *                        (read, written, atomic) or '-'; placeable: index of its words (abi.h) or -1; spaces: comma list
 *                        of the spaces that versions exist for (always with global); hint: the space asked for by
 *                        #pragma place, or '-'; reason: why it has no other candidate (place/reason.def), or '-'
 *               ('access' n array ('read'|'write'|'atomic') width loop guarded line log index-source (offset | '?') NL)*
 *                        width: bytes; loop: innermost, or -1; guarded: 1 under a condition that not all threads pass;
 *                        line: in the source, 0 unknown; log: index in the profile buffer or -1; index-source: array
 *                        whose values form the address, or -1; offset: bytes from the kernel argument
 *               version*                                                  one line each; place/version.h
 *
 * Owner: the table owns everything in it; place_table_free. Thread-safety: read-only after reading.
 * Errors: -1 and a diagnostic with the line; nothing of a damaged table or of another ABI version is used. */
#ifndef PLACE_REGION_H
#define PLACE_REGION_H

#include "place/abi.h"
#include "place/diag.h"
#include "place/expr.h"
#include "place/space.h"
#include "place/version.h"

enum place_teams_clause { PLACE_TEAMS_OPEN, PLACE_TEAMS_OBSERVED };
enum place_access_kind { PLACE_READ, PLACE_WRITE, PLACE_ATOMIC };

struct place_loop {
  int parent;       /* loop that encloses it, -1: none */
  place_expr trips; /* iterations of the loop each time it is entered, or PLACE_EXPR_NONE */
};

struct place_array {
  int arg;                /* kernel argument */
  char *name;             /* as in the source, or "argN" */
  unsigned element_bytes; /* of the array's element type */
  bool read, written, atomic;
  int placeable;              /* index of its words in a version's parameters, or -1 */
  place_space_set candidates; /* spaces that versions exist for; PLACE_GLOBAL always */
  int hint;                   /* enum place_space asked for by #pragma place, or -1 */
  char *reason;               /* why it stays in global memory, or NULL */
};

/* Whether a space is worth telling of: there are textures only where the source asks for them. */
static inline bool place_array_may_tell(const struct place_array *array, enum place_space space) {
  return place_space_home(space) != PLACE_HOME_TEXTURE || array->candidates & PLACE_SPACE_BIT(space);
}

struct place_access {
  int array; /* index into arrays */
  enum place_access_kind kind;
  unsigned width_bytes; /* of one lane's access */
  int loop;             /* innermost loop, or -1 */
  bool guarded;
  unsigned line;
  int log;           /* index in the profile buffer, or -1: not logged */
  int index_source;  /* array whose loaded values form the address, or -1 */
  place_expr offset; /* bytes from the kernel argument, or PLACE_EXPR_NONE: irregular */
};

struct place_region {
  char *entry; /* the original kernel's name, as in the offload entry */
  char *function, *file;
  unsigned line;
  char *no_version;       /* why it has no versions, though some might be worth having; or NULL */
  char *nothing_to_place; /* why it has none that would be worth having; or NULL */
  char *no_blocks;        /* why it has no block versions, or NULL: it has, or the reason is not known */
  unsigned threads;  /* of a team, 0: not known at compile time */
  bool open_threads; /* nothing in the kernel looks at the number of threads */
  bool set_threads;  /* `threads` is of the versions, not of the original */
  bool apart;        /* the program promises that nothing that it writes overlaps another array */
  int parameters;    /* of the original kernel, without the launch environment; -1: not known (older tables) */
  uint64_t values;   /* parameters (bit n: number n) on which nothing but values depends */
  bool asked_blocks; /* its versions with blocks are asked for: they are tried whatever is predicted */
  enum place_teams_clause teams;
  bool reduction;      /* reduces over teams: the number of teams shapes floating-point results */
  bool unknown_writes; /* may write memory that is not one of its arrays */
  struct place_loop *loops;
  size_t loop_count;
  struct place_array *arrays;
  size_t array_count;
  struct place_access *accesses;
  size_t access_count;
  struct place_version *versions;
  size_t version_count;
  unsigned placeable_count; /* arrays with words in a version's parameters */
};

struct place_table {
  struct place_region *regions;
  size_t region_count;
  struct place_expr_pool exprs;
};

/* Reads and validates the text of a table. `text` need not end with a zero byte. On success *table owns its content. */
int place_table_read(const char *text, size_t length, struct place_table *table, struct place_diag *diag);

/* Prints a table in its text form, canonical: reading it back gives the same table. As snprintf. */
size_t place_table_print(const struct place_table *table, char *out, size_t size);

void place_table_free(struct place_table *table);

/* FNV-1a, 64 bits: the checksum of a table's last line. */
uint64_t place_fnv1a(const void *bytes, size_t length);

#endif
