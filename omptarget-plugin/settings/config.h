/* The runtime's settings: one table of all environment variables, read once.
 *
 * Owner: the configuration owns its strings and lives until the process ends. Thread-safety: read-only after config_read.
 * Errors: a malformed value is one message in `messages` (what, where, remedy) and the default is used. */
#ifndef PLACE_RT_CONFIG_H
#define PLACE_RT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "place/plan.h"

/* Whether versions are tried on slices of a launch (slices.h): of long ones, of none, of all that may be split. */
enum config_slices { SLICES_OF_LONG, SLICES_OFF, SLICES_ALWAYS };

enum config_report { REPORT_NONE, REPORT_TEXT, REPORT_JSON };

struct config {
  bool off;
  enum config_report report;
  const char *report_file;  /* of REPORT_JSON; file_name.h */
  const char *force;        /* as written, or NULL; force.h parses it */
  unsigned trials;          /* plans to measure; 0: trust the model */
  double threshold;         /* gain that a plan must reach, as a fraction */
  double patience_ns;       /* wall time of a region's launches before it is looked at */
  const char *machine_file; /* MSL, or NULL */
  enum place_solver solver;
  enum place_model model;
  const char *forest_file;     /* as written, or NULL; forest_file.h reads it */
  struct place_forest *forest; /* of that file, or NULL: the one that is built in */
  uint64_t forest_sum;         /* of its text; 0: none */
  const char *case_folder;  /* where launches are stored for place-models, or NULL; file_name.h */
  const char *store;        /* as written, or NULL; store.h */
  enum config_slices slices; /* of long launches */
  bool keeps_shape;         /* versions are launched in the shape that the original gets */
  bool verbose;
  char *messages[32];
  unsigned message_count;
};

/* Reads the variables through `get` (secure_getenv, or a test's). After PLACE=off nothing else is looked at. */
void config_read(struct config *config, const char *(*get)(const char *name));

/* A message for each variable of the environment ("NAME=value", NULL at the end) that begins with PLACE_ and that nothing reads,
 * with the name that may be meant. */
void config_check_names(struct config *config, char *const *environment);

/* Adds a message; cut to 512 bytes. */
void config_message(struct config *config, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The table as docs/environment.md shows it, a Markdown table. As snprintf. */
size_t config_document(char *out, size_t size);

#endif
