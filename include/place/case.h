/* Stored launches: what a model needs to know of one launch, and what its plans took, as one text file. Written by the
 * runtime (PLACE_CASE) and read by place-models and tests; docs/models.md describes the format:
 *
 *   case   ::= 'place-case' 1 NL  ('from' text-to-end-of-line NL)*  launch* profile* plan* table
 *   launch ::= 'region' entry NL                        which region of the table; the first where it is left out
 *            | 'trip' N NL | 'threads' N NL | 'teams' N NL | 'shared' BYTES NL | 'constant' BYTES NL
 *            | 'arg' N VALUE NL                         raw bits of a kernel argument; those not named are unknown
 *            | 'extent' ARRAY LO BYTES NL               ARRAY: a name or a number; those not named are unknown
 *            | 'allowed' ARRAY SPACE[,SPACE]... NL      all spaces where it is left out
 *   profile::= 'log' WORD (VALUE[[('+'|'-')STEP]'*'COUNT])... NL
 *                                                       words of the profile buffer (abi.h) from WORD on, modulo 2^32; others
 *                                                       are 0
 *   plan   ::= 'plan' LETTERS['_'WHAT] SAMPLES KERNEL-NS [OFF-NS] NL
 *                                                       spaces as in a version's line of the table; launches measured, median
 *                                                       kernel time (the runtime's: of the last 64), and half of the range of its middle half
 *   WHAT   ::= 'original' | 'base' | 'agnostic' | SHAPE | LOOP
 *                                                       what realised the spaces: agnostic, the version that leaves them open;
 *                                                       SHAPE, blocks, as place_version_shape prints it; LOOP, a version of
 *                                                       that loop form (loop.def), where an earlier one has the spaces, too.
 *                                                       Without it: the first version made for them, or, where there is none,
 *                                                       the base (all global) or agnostic version
 *   table  ::= a region table (region.h), to the end of the file
 * '#' begins a comment, except in the table.
 *
 * Owner: a case that was read owns its content; place_case_free. Thread-safety: read-only after reading. Errors: -1 and a
 * diagnostic with the line. */
#ifndef PLACE_CASE_H
#define PLACE_CASE_H

#include "place/plan.h"

struct place_case_plan {
  uint8_t space[PLACE_MAX_PLACEABLE]; /* by placeable index */
  int version;                        /* of the region, that realised them; -1: the original kernel */
  unsigned samples;
  double kernel_ns, off_ns;
};

struct place_case {
  struct place_table table;
  const struct place_region *region; /* in the table */
  struct place_launch launch;        /* its arrays are the case's */
  uint32_t *profile;                 /* PLACE_PROFILE_WORDS words, or NULL */
  struct place_case_plan *plans;
  size_t plan_count;
  const struct place_forest *forest; /* what model `learned` decides by here, not the case's; NULL: the one that is built in */
};

int place_case_read(const char *text, size_t length, struct place_case *c, struct place_diag *diag);
void place_case_free(struct place_case *c);

/* What is asked of a model about it; valid as long as the case. */
struct place_question place_case_question(const struct place_case *c, const struct place_machine *machine, enum place_model model);

/* One line of `launch` (without its end) into a case whose region is set; 1: it is no such line, -1: it is wrong. */
int place_case_launch_line(struct place_case *c, const char *line, struct place_diag *diag);
/* Room for the launch's arrays of c->region, everything unknown and allowed. */
int place_case_launch_new(struct place_case *c, struct place_diag *diag);

/* All of a case but its table, whose text follows as it is (`table` may be NULL). As snprintf. */
size_t place_case_print(const struct place_case *c, const char *from, const char *table, char *out, size_t size);

/* LETTERS['_'WHAT] of a plan (version: as above); as snprintf. And back: 0, or -1. */
size_t place_case_plan_name(const struct place_region *region, const uint8_t *space, int version, char *out, size_t size);
int place_case_plan_parse(const struct place_region *region, const char *name, uint8_t *space, int *version);

/* A plan's letters, an array each as in the table's version lines, into out (at least array_count + 1 bytes); and back. */
void place_case_letters(const struct place_region *region, const uint8_t *space, char *out);
int place_case_spaces(const struct place_region *region, const char *letters, uint8_t *space);

#endif
