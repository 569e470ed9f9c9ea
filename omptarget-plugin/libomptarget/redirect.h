/* How the runtime gets in front of libomptarget when it is loaded too late for the search order: it points the import
 * slots of the loaded objects at its own functions.
 *
 * Thread-safety: redirect_objects may be called by any thread. Errors: an object that cannot be changed is left as it is. */
#ifndef PLACE_RT_REDIRECT_H
#define PLACE_RT_REDIRECT_H

#include <stdbool.h>

/* Whether another copy of this library is at work in the process (linked and loaded by different paths). */
bool redirect_other_copy_active(void);

/* Marks this copy as the one at work. */
void redirect_claim(void);

/* Whether calls reach us by the search order alone. */
bool redirect_is_early(void);

/* Redirects all objects loaded now; whether any slot was changed. */
bool redirect_objects(void);

/* In late mode, cheap: looks for objects loaded since the last call and redirects them; whether there was one that calls
 * the offloading library. */
bool redirect_new_objects(void);

#endif
