/* What the end-to-end programs share: rounds, comparison with the host, checksum of everything that was compared.
 *
 * Values are small integers, also in float and double arrays, so that host and device agree bit by bit however the
 * arithmetic is arranged. Every program launches its regions `rounds()` times, so that the runtime profiles, tries and
 * settles while results are compared in each round. It prints `PASS name checksum`, or what differs and `FAIL name`. */
#ifndef PLACE_TEST_CHECK_H
#define PLACE_TEST_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t check_sum = 0xcbf29ce484222325u;
static int check_failures;

/* Launches of each region: PLACE_TEST_ROUNDS, or 64: enough for the runtime to have tried every plan. */
static inline int rounds(void) {
  const char *text = getenv("PLACE_TEST_ROUNDS");
  int n = text ? atoi(text) : 64;
  return n > 0 ? n : 1;
}

/* A small integer that depends on i and on the seed. */
static inline int value(long i, int seed) { return (int)((i * 31 + seed * 17 + (i >> 5)) % 97); }

/* Compares a result with what the host computed; both are plain bytes without padding. */
static inline void expect_bytes(const char *what, const void *got, const void *expected, size_t length) {
  const unsigned char *g = (const unsigned char *)got, *e = (const unsigned char *)expected;
  for (size_t i = 0; i < length; i++)
    check_sum = (check_sum ^ g[i]) * 0x100000001b3u;
  if (length == 0 || memcmp(g, e, length) == 0)
    return;
  size_t at = 0;
  while (g[at] == e[at])
    at++;
  if (check_failures++ < 10)
    printf("%s: byte %zu of %zu is %d, expected %d\n", what, at, length, g[at], e[at]);
}

static inline void expect_long(const char *what, long got, long expected) { expect_bytes(what, &got, &expected, sizeof got); }

static inline int check_done(const char *name) {
  printf("%s %s %016llx\n", check_failures ? "FAIL" : "PASS", name, (unsigned long long)check_sum);
  return check_failures ? 1 : 0;
}

#endif
