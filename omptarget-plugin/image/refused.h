/* What of the program's images was refused, and why: for whoever tells the user.
 *
 * Owner: texts live as long as the process. Thread-safety: any thread. Errors: what comes after MOST, or finds no memory, is not kept. */
#ifndef PLACE_RT_REFUSED_H
#define PLACE_RT_REFUSED_H

enum { REFUSED_MOST = 16 };

/* Keeps a sentence, as printf makes it. */
__attribute__((format(printf, 1, 2))) void refused_add(const char *format, ...);

/* The n-th, or NULL. */
const char *refused_text(unsigned n);

#endif
