/* Loops that end early: several iterations are looked at together, and nothing is read that is not mapped. */
// RUN: %check_program %s %t
#include "check.h"

#include <string.h>

enum { MOST = 700, QUERIES = 300 };

static double sorted[MOST], wanted[QUERIES];
static int found[QUERIES];
static float steps[MOST], limits[QUERIES];
static float sums[QUERIES];
static unsigned char text[MOST], letters[QUERIES];
static struct pair { int key; short first, second; } pairs[MOST];
static int other[MOST];

static void fill(void) {
  for (int i = 0; i < MOST; i++) {
    sorted[i] = i * 0.5;
    steps[i] = (float)(i % 7) + 0.25f;
    text[i] = (unsigned char)(i * 31 % 251);
    pairs[i] = (struct pair){i * 13 % 701, (short)(i % 90), (short)i};
    other[i] = i * 13 % 701 - (i == 613);
  }
  for (int q = 0; q < QUERIES; q++) {
    wanted[q] = q * 1.3 - 5;
    limits[q] = (float)(q * 9);
    letters[q] = (unsigned char)(q % 256);
  }
}

/* The first that is large enough; -1: none. */
static int first_of(double x, int n) {
  for (int p = 0; p < n; p++)
    if (sorted[p] >= x) return p;
  return -1;
}

static void linear(int n, int queries) {
  memset(found, 7, sizeof found);
#pragma omp target teams distribute parallel for map(to : sorted[0 : n], wanted) map(tofrom : found)
  for (int q = 0; q < queries; q++) {
    int at = -1;
    for (int p = 0; p < n; p++)
      if (sorted[p] >= wanted[q]) {
        at = p;
        break;
      }
    found[q] = at;
  }
  for (int q = 0; q < queries; q++)
    expect_long("linear", found[q], first_of(wanted[q], n));
}

/* The bound is beyond what is mapped; something is found before. */
static void bounded(int mapped, long bound) {
#pragma omp target teams distribute parallel for map(to : sorted[0 : mapped]) map(tofrom : found)
  for (int q = 0; q < QUERIES; q++) {
    int at = -1;
    double x = sorted[q % mapped];
    for (long p = 0; p < bound; p++)
      if (sorted[p] >= x) {
        at = (int)p;
        break;
      }
    found[q] = at;
  }
  for (int q = 0; q < QUERIES; q++)
    expect_long("bounded", found[q], q % mapped);
}

/* A value goes along: how much was added until it was too much, in the order of the loop. */
static void carried(int n) {
#pragma omp target teams distribute parallel for map(to : steps[0 : n], limits) map(from : sums, found)
  for (int q = 0; q < QUERIES; q++) {
    float sum = 0;
    int p = 0;
    for (; p < n; p++) {
      if (sum > limits[q])
        break;
      sum += steps[p];
    }
    sums[q] = sum, found[q] = p;
  }
  for (int q = 0; q < QUERIES; q++) {
    float sum = 0;
    int p = 0;
    for (; p < n && !(sum > limits[q]); p++)
      sum += steps[p];
    expect_bytes("carried", &sums[q], &sum, sizeof sum);
    expect_long("steps", found[q], p);
  }
}

/* Bytes, from the second on; two ways out. */
static void bytes(unsigned n) {
#pragma omp target teams distribute parallel for map(to : text[0 : n], letters) map(from : found)
  for (int q = 0; q < QUERIES; q++) {
    int at = -1;
    for (unsigned p = 1; p < n; p++) {
      if (text[p] == letters[q]) {
        at = (int)p;
        break;
      }
      if (text[p] == 250) {
        at = -2;
        break;
      }
    }
    found[q] = at;
  }
  for (int q = 0; q < QUERIES; q++) {
    int at = -1;
    for (unsigned p = 1; p < n && at == -1; p++)
      at = text[p] == letters[q] ? (int)p : text[p] == 250 ? -2 : -1;
    expect_long("bytes", found[q], at);
  }
}

/* Structures, and two arrays next to each other: where they differ. */
static void differ(int n, int queries) {
#pragma omp target teams distribute parallel for map(to : pairs[0 : n], other[0 : n]) map(from : found)
  for (int q = 0; q < queries; q++) {
    int p = 0;
    while (p < n && pairs[p].key == other[p] && pairs[p].second != 2 * q)
      p++;
    found[q] = p;
  }
  for (int q = 0; q < queries; q++) {
    int p = 0;
    while (p < n && pairs[p].key == other[p] && pairs[p].second != 2 * q)
      p++;
    expect_long("differ", found[q], p);
  }
}

int main(void) {
  fill();
  const int sizes[] = {MOST, 64, 17, 16, 9, 8, 7, 1, 0};
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      linear(sizes[i], QUERIES - 3 * round);
      carried(sizes[i]);
      bytes((unsigned)sizes[i]);
      differ(sizes[i], QUERIES);
      if (sizes[i])
        bounded(sizes[i], sizes[i]), bounded(sizes[i], 1L << 40), bounded(sizes[i], 1L << 61);
    }
  linear(100, 0);
  return check_done("searches");
}
