/* place-doctor: from the compiler to a placed launch, what is there and what is missing: a line for each, with the remedy.
 *
 * Owner: nothing outlives a call. Thread-safety: one thread. Errors: they are what is told. */
#ifndef PLACE_DOCTOR_H
#define PLACE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum finding { FINDING_OK, FINDING_WARNING, FINDING_ERROR };

/* What the checks know of each other. */
struct doctor {
  enum finding worst;
  char clang[64];          /* as it is called; "": none that serves */
  char prefix[4096];       /* place's own, of which bin/place-doctor is */
  const char *toolkit;     /* that the user named, or NULL: look for one */
  char offload[4096];      /* the folder of libomptarget, or "" */
  unsigned cuda, driver;   /* versions, 1204 for 12.4; 0: not known */
  unsigned sm;             /* of the first GPU; 0: none */
};

/* A line: the finding, what was looked at, and, unless it is ok, what to do. */
void doctor_say(struct doctor *doctor, enum finding finding, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Runs a command without a shell; what it writes, cut to size. Its exit status, or -1: it cannot be run. */
int doctor_run(const char *const *command, char *out, size_t size);

void doctor_toolchain(struct doctor *doctor);
void doctor_machine(struct doctor *doctor);
void doctor_settings(struct doctor *doctor);
void doctor_program(struct doctor *doctor, const char *path);

#endif
