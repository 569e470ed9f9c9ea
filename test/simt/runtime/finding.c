#include "finding.h"

#include "launch.h"
#include "placement.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FINDINGS = 256, RECENT = 64 };

// The image that holds sites and kernels is unloaded before the program ends: they are compared, not read, by then.
struct finding {
  const char *kind;
  const void *about, *kernel; // about: a site, or what a finding about a launch is about
  char *file;
  uint32_t line;
  _Atomic uint64_t times;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding findings[MAX_FINDINGS];
static size_t finding_count;
static _Atomic uint64_t times;

uint64_t simt_finding_count(void) { return times; }

void simt_fatal(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  flockfile(stderr);
  fputs("simt: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  funlockfile(stderr);
  va_end(arguments);
  fflush(NULL);
  _exit(SIMT_EXIT_STATUS);
}

// A line of the source may be many instructions, after unrolling: they are one place.
static bool is_same(const struct finding *finding, const char *kind, const struct simt_site *site, const void *about,
                    const struct simt_kernel *kernel) {
  if (finding->kind != kind || finding->kernel != kernel)
    return false;
  return finding->about == about ||
         (site && site->line && finding->line == site->line && strcmp(finding->file, site->file) == 0);
}

// Where each native thread has counted a site's findings lately: a race may be found millions of times.
static __thread struct {
  const char *kind;
  const struct simt_site *site;
  const struct simt_kernel *kernel;
  struct finding *finding;
} recent[RECENT];

static bool count_again(const char *kind, const struct simt_site *site, const struct simt_kernel *kernel) {
  size_t slot = (uintptr_t)site / sizeof *site % RECENT;
  if (!site || recent[slot].site != site || recent[slot].kind != kind || recent[slot].kernel != kernel)
    return false;
  recent[slot].finding->times++;
  times++;
  return true;
}

static void remember(const char *kind, const struct simt_site *site, const struct simt_kernel *kernel,
                     struct finding *finding) {
  size_t slot = (uintptr_t)site / sizeof *site % RECENT;
  recent[slot].kind = kind;
  recent[slot].site = site;
  recent[slot].kernel = kernel;
  recent[slot].finding = finding;
}

// True if this kind of finding about this has not been seen before.
static bool is_new(const char *kind, const struct simt_site *site, const void *about, const struct simt_kernel *kernel) {
  times++;
  for (size_t i = 0; i < finding_count; i++)
    if (is_same(&findings[i], kind, site, about, kernel)) {
      findings[i].times++;
      if (site)
        remember(kind, site, kernel, &findings[i]);
      return false;
    }
  if (finding_count == MAX_FINDINGS)
    return false;
  findings[finding_count++] = (struct finding){.kind = kind,
                                               .about = about,
                                               .kernel = kernel,
                                               .file = site ? strdup(site->file) : NULL,
                                               .line = site ? site->line : 0,
                                               .times = 1};
  return true;
}

static void print_site(const struct simt_site *site) {
  if (site && site->line)
    fprintf(stderr, "%s:%u: ", site->file, site->line);
}

static void print_kernel(const char *name) {
  int length;
  const char *version = simt_version_of(name, &length);
  fprintf(stderr, "  kernel %.*s, version %s", length, name, version);
}

static void print_where(void) {
  if (!simt_team)
    return;
  const struct simt_context *context = simt_self;
  print_kernel(simt_team->launch->kernel->name);
  fprintf(stderr, ", team %u, thread %u\n", context->team, context->thread);
}

void simt_finding(const char *kind, const struct simt_site *site, const char *format, ...) {
  const struct simt_kernel *kernel = simt_team ? simt_team->launch->kernel : NULL;
  if (count_again(kind, site, kernel))
    return;
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&lock);
  if (is_new(kind, site, site, kernel)) {
    flockfile(stderr);
    fprintf(stderr, "simt: %s: ", kind);
    print_site(site);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    print_where();
    funlockfile(stderr);
  }
  pthread_mutex_unlock(&lock);
  va_end(arguments);
}

void simt_finding_launch(const char *kind, const struct simt_launch_state *launch, const void *about, const char *format,
                         ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&lock);
  if (is_new(kind, NULL, about, launch->kernel)) {
    flockfile(stderr);
    fprintf(stderr, "simt: %s: ", kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    print_kernel(launch->kernel->name);
    fputc('\n', stderr);
    funlockfile(stderr);
  }
  pthread_mutex_unlock(&lock);
  va_end(arguments);
}

void simt_finding_host(const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&lock);
  times++;
  flockfile(stderr);
  fprintf(stderr, "simt: %s: ", kind);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  funlockfile(stderr);
  pthread_mutex_unlock(&lock);
  va_end(arguments);
}

void simt_finding_barrier(const struct simt_site *site, const struct simt_site *other) {
  simt_finding("barrier-divergence", site,
               "this barrier and the one at line %u of %s are reached by threads of the same team",
               other->line, other->function);
}

void simt_finding_barrier_exited(const struct simt_site *site, const struct simt_team *team) {
  simt_finding("barrier-divergence", site, "%u of the team's %u threads have ended and never reach this barrier",
               team->thread_count - team->alive, team->thread_count);
}

static const char *const waits_for[] = {"nothing", "another thread's progress", "a barrier", "a warp operation",
                                        "its log of accesses", "nothing"};

void simt_finding_deadlock(const struct simt_team *team) {
  flockfile(stderr);
  fprintf(stderr, "simt: barrier-divergence: the threads of a team wait for each other for ever\n");
  print_kernel(team->launch->kernel->name);
  fprintf(stderr, ", team %u\n", team->number);
  const struct simt_site *last = NULL;
  for (uint32_t i = 0; i < team->thread_count; i++) {
    const struct simt_thread *thread = &team->threads[i];
    if (thread->state == SIMT_EXITED || thread->site == last)
      continue;
    last = thread->site;
    fprintf(stderr, "  thread %u waits at %s", i, waits_for[thread->state]);
    if (thread->state == SIMT_AT_BARRIER)
      fprintf(stderr, " (number %u)", thread->barrier);
    if (last && last->line)
      fprintf(stderr, ", %s:%u", last->file, last->line);
    fputc('\n', stderr);
  }
  funlockfile(stderr);
  fflush(NULL);
  _exit(SIMT_EXIT_STATUS);
}

static void print_repeats(void) {
  for (size_t i = 0; i < finding_count; i++)
    if (findings[i].times > 1) {
      fprintf(stderr, "simt: %s: ", findings[i].kind);
      if (findings[i].line)
        fprintf(stderr, "%s:%u: ", findings[i].file ? findings[i].file : "?", findings[i].line);
      fprintf(stderr, "found %llu times\n", (unsigned long long)findings[i].times);
    }
}

// Runs after the program's own end: its exit status becomes ours if anything was found.
__attribute__((destructor)) static void fail_program(void) {
  if (!times)
    return;
  print_repeats();
  fprintf(stderr, "simt: %llu findings\n", (unsigned long long)times);
  fflush(NULL);
  _exit(SIMT_EXIT_STATUS);
}
