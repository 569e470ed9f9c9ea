/* Kernel times of any CUDA program, from the driver's activity records (CUPTI): device time from a kernel's start to its end,
 * without what a launch costs. Loaded by the driver itself:
 *
 *   CUDA_INJECTION64_PATH=libkernel_times.so KERNEL_TIMES=FILE [KERNEL_TIMES_SECONDS=S] [KERNEL_TIMES_LOCK=FILE] program
 *
 * FILE gets one line for each kernel, "NANOSECONDS NAME", in the order in which they started. Kernels still run as the program
 * launches them, concurrently if it asks for that. With KERNEL_TIMES_SECONDS, a program that still runs S seconds (a decimal
 * number) after it has called the driver first is ended with status 124, as timeout(1) ends it: FILE then has the kernels that
 * had ended. Nothing of the program's own runs any more but its action for SIGABRT, in which libraries may report: what it has in
 * output buffers is lost.
 *
 * With KERNEL_TIMES_LOCK, a program's first kernel waits for that file's lock (flock), which is the program's until it ends: programs
 * started side by side prepare their data together and have the GPU one after another. The limit counts from the lock on.
 *
 *   gcc -O2 -shared -fPIC -DKERNEL_RECORD=CUpti_ActivityKernelN kernel_times.c -lcupti -o libkernel_times.so
 *
 * KERNEL_RECORD is the newest record type that the toolkit's cupti_activity.h knows.
 *
 * Thread-safety: CUPTI calls back from threads of its own, one buffer at a time under a lock here. FILE is written once, by the
 * program's exit or by the thread that waits for the time limit. Errors: a call that fails leaves FILE empty or missing, which the
 * reader takes for "no times"; nothing is printed. */
#define _GNU_SOURCE
#include <cupti.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8, STATUS_TIMEOUT = 124, FLUSH_SECONDS = 3 };

struct kernel {
  uint64_t start_ns, end_ns;
  char *name;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernel *kernels;
static size_t count, capacity;

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records) {
  *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
  *bytes = *buffer ? BUFFER_BYTES : 0;
  *most_records = 0; /* as many as fit */
}

static void keep(const KERNEL_RECORD *record) {
  if (record->end <= record->start) return; /* flushed while it ran */
  if (count == capacity) {
    size_t more = capacity ? 2 * capacity : 1024;
    struct kernel *grown = realloc(kernels, more * sizeof *grown);
    if (!grown) return;
    kernels = grown;
    capacity = more;
  }
  char *name = strdup(record->name ? record->name : "?");
  if (name) kernels[count++] = (struct kernel){record->start, record->end, name};
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t used) {
  CUpti_Activity *record = NULL;
  (void)context;
  (void)stream;
  (void)bytes;
  pthread_mutex_lock(&lock);
  while (used && cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) keep((const KERNEL_RECORD *)record);
  pthread_mutex_unlock(&lock);
  free(buffer);
}

static int by_start(const void *left, const void *right) {
  uint64_t l = ((const struct kernel *)left)->start_ns, r = ((const struct kernel *)right)->start_ns;
  return (l > r) - (l < r);
}

static void *flush(void *unused) {
  (void)unused;
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  return NULL;
}

/* Once, by whoever comes first. */
static void write_times(void) {
  static bool written;
  const char *path = getenv("KERNEL_TIMES");
  pthread_mutex_lock(&lock);
  qsort(kernels, count, sizeof *kernels, by_start);
  FILE *file = path && !written ? fopen(path, "w") : NULL;
  written = true;
  for (size_t i = 0; file && i < count; i++)
    fprintf(file, "%llu %s\n", (unsigned long long)(kernels[i].end_ns - kernels[i].start_ns), kernels[i].name);
  if (file) fclose(file);
  pthread_mutex_unlock(&lock);
}

static atomic_bool exiting, timed_out;

static void at_exit(void) {
  atomic_store(&exiting, true);
  while (atomic_load(&timed_out)) pause(); /* the process is being ended */
  flush(NULL);
  write_times();
}

/* The signal that the action ends with stays pending. */
static void act_as_aborted(void) {
  struct sigaction action;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (!sigaction(SIGABRT, NULL, &action) && !(action.sa_flags & SA_SIGINFO) && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
    action.sa_handler(SIGABRT);
}

/* The driver may keep its locks for as long as a kernel runs, and kernels that never end are what the limit is for: what is not
 * there in time stays out. _exit, since the program's threads still run in what exit handlers would take down. */
static void end_program(void) {
  pthread_t flusher;
  struct timespec until;
  if (!pthread_create(&flusher, NULL, flush, NULL)) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FLUSH_SECONDS;
    pthread_timedjoin_np(flusher, NULL, &until);
  }
  write_times();
  act_as_aborted();
  _exit(STATUS_TIMEOUT);
}

static struct timespec deadline; /* of CLOCK_MONOTONIC */

static void *wait_for_limit(void *unused) {
  (void)unused;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL)) {}
  if (atomic_load(&exiting)) sleep(FLUSH_SECONDS); /* it ends by itself, or hangs in doing so */
  atomic_store(&timed_out, true);
  end_program();
  return NULL;
}

/* The thread takes none of the program's signals. */
static void start_limit(const char *seconds) {
  enum { MOST_SECONDS = 1000000 };
  char *end;
  double limit = seconds ? strtod(seconds, &end) : 0;
  if (!seconds || *end || !(limit > 0 && limit <= MOST_SECONDS)) return;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += (time_t)limit;
  deadline.tv_nsec += (long)((limit - (double)(time_t)limit) * 1e9);
  if (deadline.tv_nsec >= 1000000000) deadline.tv_sec++, deadline.tv_nsec -= 1000000000;

  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (!pthread_create(&thread, NULL, wait_for_limit, NULL)) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- programs side by side ---- */

static CUpti_SubscriberHandle subscriber;

/* Before the first kernel. The file stays open, and with it the lock, until the process ends. Where no lock is to be had, as on some
 * file systems, the program does without. */
static void take_lock(void) {
  int file = open(getenv("KERNEL_TIMES_LOCK"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (file >= 0 && flock(file, LOCK_EX) && errno == EINTR) {}
  start_limit(getenv("KERNEL_TIMES_SECONDS"));
}

static void CUPTIAPI called(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const CUpti_CallbackData *call = data;
  (void)unused;
  (void)id;
  if (call->callbackSite != CUPTI_API_ENTER || strncmp(call->functionName, "cuLaunch", strlen("cuLaunch"))) return;
  pthread_once(&once, take_lock);
  cuptiEnableDomain(0, subscriber, domain);
}

static bool wait_at_first_kernel(void) {
  return getenv("KERNEL_TIMES_LOCK") && cuptiSubscribe(&subscriber, called, NULL) == CUPTI_SUCCESS &&
         cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS;
}

/* The driver's entry point, at cuInit. Not 0: the program runs on without times. */
int InitializeInjection(void);
__attribute__((visibility("default"))) int InitializeInjection(void) {
  if (!getenv("KERNEL_TIMES")) return 1;
  if (!wait_at_first_kernel()) start_limit(getenv("KERNEL_TIMES_SECONDS"));
  if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
    return 1;
  atexit(at_exit);
  return 1;
}
