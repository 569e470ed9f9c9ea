/* The device: whether there is one, and what libomptarget says about it. */
#include <ctype.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "probe.h"

int __tgt_print_device_info(int64_t device); /* of libomptarget: prints what the driver says to stdout */

/* "  Device Name    NVIDIA H200 " -> fact device-name NVIDIA H200 */
static bool add_fact(struct probe_log *log, const char *line) {
  char key[PROBE_NAME_BYTES];
  size_t length = 0;
  line += strspn(line, " \t-");
  const char *gap = strstr(line, "  ");
  if (!gap)
    return true;
  const char *value = gap + strspn(gap, " ");
  for (; line < gap && length + 1 < sizeof key; line++)
    key[length++] = *line == ' ' ? '-' : (char)tolower((unsigned char)*line);
  key[length] = 0;
  size_t end = strcspn(value, "\r\n");
  while (end && value[end - 1] == ' ')
    end--;
  return !length || !end || probe_log_find(log, key) || probe_log_fact(log, key, "%.*s", (int)end, value);
}

/* The description goes to stdout, and out of libomptarget's buffer only when a process ends: so a child, this program with
 * the one argument PROBE_DESCRIBE, prints it into a pipe. */
static pid_t start_child(int out[2]) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0 || pipe(out) != 0)
    return -1;
  self[length] = 0;
  pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    close(out[0]);
    close(out[1]);
    execl(self, self, PROBE_DESCRIBE, (char *)NULL);
    _exit(127);
  }
  close(out[1]);
  return child;
}

int probe_describe(void) {
  if (omp_get_num_devices() < 1) {
    fprintf(stderr, "place-probe: libomptarget sees no device: no GPU, no driver, or none of a kind that this place-probe has code for\n");
    return 1;
  }
  __tgt_print_device_info(omp_get_default_device());
  return 0;
}

static bool device_facts(struct probe_run *run) {
  char line[256];
  int out[2];
  pid_t child = start_child(out);
  FILE *file = child > 0 ? fdopen(out[0], "r") : NULL;
  if (!file)
    return probe_fail(run, "the child process that describes the device did not start");
  bool good = true;
  while (fgets(line, sizeof line, file))
    good = good && add_fact(run->log, line);
  fclose(file);
  waitpid(child, NULL, 0);
  return good || probe_fail(run, "out of memory");
}

static bool run_facts(struct probe_run *run) {
  char date[32];
  time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  return (probe_log_fact(run->log, "date", "%s", date) && probe_log_fact(run->log, "sms", "%u", run->sms)) ||
         probe_fail(run, "out of memory");
}

static bool no_device(struct probe_run *run) {
  snprintf(run->error, sizeof run->error,
           "no GPU that libomptarget can use: is its driver there (nvidia-smi), and is it one of %s, which this program has "
           "code for?",
           probe_arches());
  return false;
}

bool probe_open(struct probe_run *run) {
  uint32_t found[2] = {0, 0};
  if (!device_facts(run)) /* before this process has threads of the driver's */
    return false;
  if (omp_get_num_devices() < 1)
    return no_device(run);
  run->device = omp_get_default_device();
  run->host = omp_get_initial_device();
  run->on_device = probe_allocate(run, PROBE_MOST_TEAMS * sizeof *run->on_device);
  run->records = calloc(PROBE_MOST_TEAMS, sizeof *run->records);
  run->counter = probe_allocate(run, sizeof *run->counter);
  if (!run->on_device || !run->counter || !run->records)
    return probe_fail(run, "out of memory");
  PROBE_KERNEL(1, 32, map(from : found)) {
    if (probe_thread() == 0) {
      found[0] = probe_sm_count();
      found[1] = probe_warp_size();
    }
  }
  run->sms = found[0];
  if (!run->sms)
    return probe_fail(run, "a first kernel did not run");
  run->started_s = run->started_s > 0 ? run->started_s : probe_seconds();
  return run_facts(run) && probe_log_fact(run->log, "warp", "%u", found[1]);
}

void probe_close(struct probe_run *run) {
  if (run->on_device)
    probe_release(run, run->on_device);
  if (run->counter)
    probe_release(run, run->counter);
  free(run->records);
  run->counter = NULL;
  run->on_device = NULL;
  run->records = NULL;
}
