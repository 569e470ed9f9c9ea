/* Values of less than 32 bits that do not change and stand in an index: a comparison (i1), a character (i8), a short (i16). */
// RUN: %check_program %s %t
#include "check.h"

enum { H = 65, W = 70, N = H * W + 300 };
static int a[N], out[H * W], want[H * W];

static void compared(int h, int w, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : out)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = a[x * h + y + (m > 10)];
}

static void halved(int h, int w, unsigned short us) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : out)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = a[x * h + y + us / 3];
}

static void rounded(int h, int w, unsigned short us) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : out)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = a[x * h + y + (unsigned char)(us * 0.5f)];
}

static void below(int h, int w, signed char c) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a) map(tofrom : out)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      out[y * w + x] = a[x * h + y - c];
}

static void expect(const char *what, int offset) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      want[y * W + x] = a[x * H + y + offset];
  expect_bytes(what, out, want, sizeof out);
  memset(out, 0, sizeof out);
}

int main(void) {
  for (int r = 0; r < rounds(); r++) {
    unsigned short us = (unsigned short)(200 + r % 250);
    for (int i = 0; i < N; i++)
      a[i] = value(i, r);
    compared(H, W, r);
    expect("a comparison", r > 10);
    halved(H, W, us);
    expect("a short", us / 3);
    rounded(H, W, us);
    expect("a character", (unsigned char)(us * 0.5f));
    below(H, W, (signed char)-(r % 100));
    expect("a negative character", r % 100);
  }
  return check_done("narrow_symbols");
}
