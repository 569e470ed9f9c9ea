/* A program whose versions and region table are written by hand, for libomptarget's x86-64 device: the runtime can be tested
 * without the plugin. handmade.py compiles it twice: once to learn the kernels' names, once with the table.
 *
 * filter() is the region; the other two stand for its clones and are never called. Each notes in o[n] which of them ran:
 * 0 the original, 1 the baseline, 2 the one with w in constant memory. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place/abi.h"

#define KEPT __attribute__((used, visibility("protected")))
#pragma omp begin declare target device_type(nohost)
KEPT unsigned char place_const[PLACE_CONST_BYTES] __attribute__((aligned(256)));
KEPT uint64_t place_timer[PLACE_TIMER_BYTES / sizeof(uint64_t)];
#ifdef TABLE
KEPT const char place_table_0123456789abcdef[] =
#include TABLE
  ;
#endif
#pragma omp end declare target

enum { TAPS = 8 };

/* First uses in this order make the kernels' arguments: n, o, a, w, then the words. */
#define BODY(words, taps, mark)                                                                  \
  _Pragma("omp target teams distribute parallel for") for (int i = 0; i < n; i++) {              \
    o[i] = a[i] + (w == 0);                                                                      \
    uint64_t all = words;                                                                        \
    float s = 0;                                                                                 \
    for (int j = 0; j < TAPS; j++) s += a[i + j] * (taps)[j];                                    \
    o[i] = s;                                                                                    \
    if (i == n - 1) o[n] = mark + (all == 12345);                                                \
  }
#define WORDS uint64_t timer, uint64_t shared, uint64_t select, uint64_t lo, uint64_t bias

static void filter(int n, float *o, float *a, float *w) { BODY(0, w, 0) }
void version_base(int n, float *o, float *a, float *w, WORDS) { BODY(timer + shared + select + lo + bias, w, 1) }
void version_constant(int n, float *o, float *a, float *w, WORDS) {
  BODY(timer + shared + select + lo + bias, (float *)(place_const + bias), 2)
}

/* A region without a table: not in it, and so unknown to the runtime. */
static void unknown(float *w) {
#pragma omp target map(w[0:TAPS])
  w[2] += 5;
}

static float *a, *w, *o;
static int n = 100, wrong;

static void launch(const char *what, const float *truth) {
  filter(n, o, a, w);
#pragma omp target update from(o[0:n + 1])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < TAPS; j++) s += a[i + j] * truth[j];
    wrong += o[i] != s;
  }
  static const char *const names[] = {"original", "base", "constant"};
  printf("%s: %s\n", what, n ? names[(int)o[n]] : "nothing");
}

static void changes(void) {
  float truth[TAPS];
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  memcpy(truth, w, sizeof truth);
#pragma omp target data map(to : a[0:n + TAPS], w[0:TAPS]) map(alloc : o[0:n + 1])
  {
    int host = omp_get_initial_device(), device = on_host ? host : omp_get_default_device();
    launch("first", truth);
    launch("second", truth);
    w[0] = truth[0] = 10;
#pragma omp target update to(w[0:TAPS])
    launch("update", truth);
    w[1] = 77; /* a device does not see it */
    if (on_host) truth[1] = 77;
    launch("host", truth);
    unknown(w);
    truth[2] += 5;
    launch("kernel", truth);
#pragma omp target data use_device_ptr(w)
    {
      truth[3] = 33;
      omp_target_memcpy(w, &truth[3], sizeof(float), 3 * sizeof(float), 0, device, host);
    }
    launch("escaped", truth);
  }
}

int main(int argc, char **argv) {
  if (argc > 2) n = atoi(argv[2]);
  a = malloc(sizeof(float) * (n + TAPS));
  o = malloc(sizeof(float) * (n + 1));
  w = malloc(sizeof(float) * TAPS);
  for (int i = 0; i < n + TAPS; i++) a[i] = i % 13;
  for (int j = 0; j < TAPS; j++) w[j] = j;
  if (argc > 3) version_base(0, o, a, w, 1, 2, 3, 4, 5), version_constant(0, o, a, w, 1, 2, 3, 4, 5);
  changes();
  printf("%s\n", wrong ? "WRONG" : "right");
  return wrong != 0;
}
