/* Files that settings name: written beside their place and renamed, so that nobody reads half of one and no link is written
 * through; and none at all that somebody else could lead elsewhere.
 *
 * A folder is shared if others than its owner may write to it. In a shared folder links and files of other users (root's apart)
 * are refused. Devices, pipes and what is below /dev and /proc are written as they are.
 *
 * Owner: the caller, of struct place_file. Thread-safety: none of its own. Errors: NULL or -1 and a message with the file's
 * name; what was there stays as it was. */
#ifndef PLACE_FILE_H
#define PLACE_FILE_H

#include <stdio.h>

#include "place/diag.h"

struct place_file {
  FILE *stream;    /* NULL: not open */
  char path[4096]; /* where it goes, links resolved */
  char part[4160]; /* what is written until then; "": the file itself */
};

/* A new file, or one in the place of an old one, once place_file_end has returned 0. */
FILE *place_file_begin(struct place_file *file, const char *path, struct place_diag *diag);
int place_file_end(struct place_file *file, struct place_diag *diag);

/* A file to which is added. The caller closes it. */
FILE *place_file_append(const char *path, struct place_diag *diag);

/* 0 if the file is no link and no file of somebody else's in a shared folder; for files that others open. */
int place_file_check(const char *path, struct place_diag *diag);

#endif
