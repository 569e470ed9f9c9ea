/* place-msl edit: a machine file in the page of msl/page/, opened in a browser.
 *
 * Errors: 1, with a message on stderr; else 0. */
#ifndef MSL_EDIT_H
#define MSL_EDIT_H

/* Writes the page with the file in it (NULL: a new machine) to a file of its own, says where, and opens it if there is a desktop. The
 * file that was named is not changed: the browser saves another. */
int msl_edit(const char *path);

#endif
