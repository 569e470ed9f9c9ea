/* As much of CUPTI's interface as kernel_times.c uses, for a test without a GPU: cupti.c beside it. */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <stddef.h>
#include <stdint.h>

#define CUPTIAPI
typedef void *CUcontext;
typedef enum { CUPTI_SUCCESS = 0, CUPTI_ERROR_MAX_LIMIT_REACHED = 12 } CUptiResult;
enum { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED = 1 };
typedef struct {
  int kind;
} CUpti_Activity;
typedef struct {
  int kind;
  uint64_t start, end;
  const char *name;
} FakeKernel;

typedef void (*request_buffer)(uint8_t **, size_t *, size_t *);
typedef void (*complete_buffer)(CUcontext, uint32_t, uint8_t *, size_t, size_t);
CUptiResult cuptiActivityRegisterCallbacks(request_buffer request, complete_buffer complete);
CUptiResult cuptiActivityEnable(int kind);
CUptiResult cuptiActivityFlushAll(uint32_t flags);
CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t bytes, CUpti_Activity **record);

typedef void *CUpti_SubscriberHandle;
typedef enum { CUPTI_CB_DOMAIN_DRIVER_API = 1 } CUpti_CallbackDomain;
typedef uint32_t CUpti_CallbackId;
typedef enum { CUPTI_API_ENTER, CUPTI_API_EXIT } CUpti_ApiCallbackSite;
typedef struct {
  CUpti_ApiCallbackSite callbackSite;
  const char *functionName;
} CUpti_CallbackData;
typedef void (*CUpti_CallbackFunc)(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *);
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *data);
CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain);

/* The driver's calls of a program that launches two kernels. */
void fake_launches(void);

#endif
