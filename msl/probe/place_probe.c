/* place-probe: measures the GPU at hand and writes its machine file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/tool.h"

#include "probe.h"
#include "write.h"

enum { MOST_LOGS = 16 };

struct options {
  const char *out, *log, *from[MOST_LOGS];
  unsigned from_count;
  struct probe_settings settings;
};

static const struct place_tool tool = {
  "place-probe",
        "usage: place-probe [--out FILE] [--log FILE] [--rounds N] [--quiet]\n"
        "           measures this machine's GPU, a minute at most, and writes its machine file (MSL) to FILE or stdout,\n"
        "           the raw measurements to the log; progress goes to stderr\n"
        "       place-probe --from LOG... [--out FILE]\n"
        "           makes the machine file of one or more logs; needs no GPU\n"
        "       place-probe --describe\n"
        "           what libomptarget says about the GPU\n"
        "       place-probe --help | --version\n"
        "Status 1: it cannot be measured, read or written; 2: the arguments are wrong.\n"};

/* The logs after --from, up to the next option; how many words they are. */
static int take_logs(struct options *options, int left, char **words) {
  int taken = 0;
  while (taken < left && strncmp(words[taken], "--", 2) != 0 && options->from_count < MOST_LOGS)
    options->from[options->from_count++] = words[taken++];
  return taken;
}

/* False: *wrong is the word that cannot be taken. */
static bool parse(struct options *options, int argc, char **argv, const char **wrong) {
  for (int i = 1; i < argc; i++) {
    const char *word = *wrong = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(word, "--quiet")) {
      options->settings.quiet = true;
    } else if (!strcmp(word, "--quick")) { /* for the tests */
      options->settings.quick = true;
    } else if (!strcmp(word, "--from")) {
      int taken = take_logs(options, argc - i - 1, argv + i + 1);
      if (!taken)
        return false;
      i += taken;
    } else if (next && (!strcmp(word, "--out") || !strcmp(word, "--log"))) {
      *(word[2] == 'o' ? &options->out : &options->log) = next;
      i++;
    } else if (next && !strcmp(word, "--rounds") && atoi(next) > 0 && atoi(next) <= 32) {
      options->settings.rounds = (unsigned)atoi(next);
      i++;
    } else {
      return false;
    }
  }
  *wrong = "--log";
  return !(options->from_count && options->log);
}

static bool put(const char *text, const char *path) {
  FILE *file = path ? fopen(path, "w") : stdout;
  bool good = file && fputs(text, file) != EOF;
  if (file && path)
    good = fclose(file) == 0 && good;
  else if (file)
    good = fflush(file) == 0 && good;
  if (!good)
    perror(path ? path : "place-probe");
  return good;
}

static bool fill(struct probe_log *log, const struct options *options, char error[PROBE_ERROR_BYTES]) {
  for (unsigned i = 0; i < options->from_count; i++)
    if (!probe_log_read(log, options->from[i], error))
      return false;
  if (options->from_count)
    return true;
  return probe_rounds(log, &options->settings, error) && (!options->log || probe_log_write(log, options->log, error));
}

int main(int argc, char **argv) {
  struct options options = {.settings = {.rounds = 3}};
  struct probe_log log = {0};
  char error[PROBE_ERROR_BYTES] = "";
  const char *wrong = NULL;
  int status;
  if (place_tool_answers(&tool, argc, argv, &status))
    return status;
  if (argc == 2 && !strcmp(argv[1], PROBE_DESCRIBE))
    return place_tool_end(&tool, probe_describe());
  if (!parse(&options, argc, argv, &wrong))
    return place_tool_misused(&tool, "unknown option, or one with a missing, wrong or unfitting value:", wrong);
  char *text = fill(&log, &options, error) ? probe_write(&log, error) : NULL;
  if (!text)
    fprintf(stderr, "place-probe: %s\n", error);
  bool good = text && put(text, options.out);
  free(text);
  probe_log_free(&log);
  return place_tool_end(&tool, good ? PLACE_TOOL_DONE : PLACE_TOOL_FAILED);
}
