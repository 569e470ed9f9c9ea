/* A driver that has run three kernels, of which the last has not ended, and hands over the first at once. FAKE_FLUSH=hang: it
 * never gives out the others. FAKE_NO_LOCKS: a file system without locks. */
#include "cupti.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What kernel_times.c is built to call in the place of flock. */
int fake_flock(int file, int operation);
int fake_flock(int file, int operation) {
  if (!getenv("FAKE_NO_LOCKS")) return (int)syscall(SYS_flock, file, operation);
  errno = ENOLCK;
  return -1;
}

static complete_buffer complete;
static request_buffer request;
static const FakeKernel kernels[] = {
  {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 2000, 2700, "second"},
  {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 1000, 1500, "first kernel"},
  {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 3000, 0, "endless"},
};

static void deliver(int from, int to) {
  uint8_t *buffer;
  size_t bytes, most, used = (size_t)(to - from) * sizeof *kernels;
  request(&buffer, &bytes, &most);
  if (!buffer || bytes < used) abort();
  memcpy(buffer, kernels + from, used);
  complete(NULL, 0, buffer, bytes, used);
}

CUptiResult cuptiActivityRegisterCallbacks(request_buffer r, complete_buffer c) {
  request = r;
  complete = c;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(int kind) {
  (void)kind;
  deliver(0, 1);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flags) {
  const char *how = getenv("FAKE_FLUSH");
  (void)flags;
  if (how && !strcmp(how, "hang"))
    for (;;) pause();
  deliver(1, 3);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t bytes, CUpti_Activity **record) {
  FakeKernel *next = *record ? (FakeKernel *)*record + 1 : (FakeKernel *)buffer;
  if ((uint8_t *)(next + 1) > buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)next;
  return CUPTI_SUCCESS;
}

static CUpti_CallbackFunc called;
static uint32_t enabled;

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *data) {
  (void)data;
  *subscriber = &called;
  called = callback;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
  (void)subscriber;
  (void)domain;
  enabled = enable;
  return CUPTI_SUCCESS;
}

static void call(CUpti_ApiCallbackSite site, const char *name) {
  const CUpti_CallbackData data = {site, name};
  if (enabled) called(NULL, CUPTI_CB_DOMAIN_DRIVER_API, 1, &data);
}

void fake_launches(void) {
  static const char *const names[] = {"cuMemAlloc_v2", "cuLaunchKernel", "cuLaunchKernel"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    call(CUPTI_API_ENTER, names[i]);
    call(CUPTI_API_EXIT, names[i]);
  }
}
