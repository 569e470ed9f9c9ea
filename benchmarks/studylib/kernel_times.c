/* Kernel times of any CUDA program, from the driver's activity records (CUPTI): device time from a kernel's start to its end,
 * without what a launch costs. Loaded by the driver itself:
 *
 *   CUDA_INJECTION64_PATH=libkernel_times.so KERNEL_TIMES=FILE program
 *
 * FILE gets one line for each kernel, "NANOSECONDS NAME", in the order in which they started. Kernels still run as the program
 * launches them, concurrently if it asks for that.
 *
 *   gcc -O2 -shared -fPIC -DKERNEL_RECORD=CUpti_ActivityKernelN kernel_times.c -lcupti -o libkernel_times.so
 *
 * KERNEL_RECORD is the newest record type that the toolkit's cupti_activity.h knows.
 *
 * Thread-safety: CUPTI calls back from threads of its own, one buffer at a time under a lock here. Errors: a call that fails
 * leaves FILE empty or missing, which the reader takes for "no times"; nothing is printed. */
#include <cupti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8 };

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

static void write_times(void) {
  const char *path = getenv("KERNEL_TIMES");
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  pthread_mutex_lock(&lock);
  qsort(kernels, count, sizeof *kernels, by_start);
  FILE *file = path ? fopen(path, "w") : NULL;
  for (size_t i = 0; file && i < count; i++)
    fprintf(file, "%llu %s\n", (unsigned long long)(kernels[i].end_ns - kernels[i].start_ns), kernels[i].name);
  if (file) fclose(file);
  pthread_mutex_unlock(&lock);
}

/* The driver's entry point, at cuInit. Not 0: the program runs on without times. */
int InitializeInjection(void);
__attribute__((visibility("default"))) int InitializeInjection(void) {
  if (!getenv("KERNEL_TIMES")) return 1;
  if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
    return 1;
  atexit(write_times);
  return 1;
}
