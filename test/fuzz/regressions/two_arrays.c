// Reductions into two arrays of 16 elements, a loop for each: openmp-opt, where the CPU runner had it optimise lowered code, left out a part
// of element 12 (seed 450069).
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 200, CELLS = 16 };

static float in[CELLS * ROWS];

int main(void) {
  int bad = 0, more = 5;
  for (int i = 0; i < CELLS * ROWS; i++) in[i] = (float)((i * 7) % 23);
  for (int round = 0; round < 12; round++) {
    uint32_t sum[CELLS], least[CELLS];
    for (int c = 0; c < CELLS; c++) sum[c] = 3, least[c] = 1000;
#pragma omp target teams distribute parallel for reduction(+ : sum[0 : CELLS]) reduction(min : least[0 : CELLS]) map(to : in)
    for (int j = ROWS - 1; j >= 0; j--) {
      for (int c = 0; c < CELLS; c++) sum[c] += (uint32_t)(int)in[CELLS * j + c] + (uint32_t)more;
      for (unsigned c = 0; c < CELLS; c++) {
        uint32_t value = (uint32_t)(int)in[CELLS * j + c];
        least[c] = least[c] < value ? least[c] : value;
      }
    }
    for (int c = 0; c < CELLS; c++) {
      uint32_t want = 3, smallest = 1000;
      for (int j = 0; j < ROWS; j++) {
        uint32_t value = (uint32_t)(int)in[CELLS * j + c];
        want += value + (uint32_t)more;
        smallest = smallest < value ? smallest : value;
      }
      if (sum[c] == want && least[c] == smallest) continue;
      printf("element %d: %u, expected %u; %u, expected %u\n", c, sum[c], want, least[c], smallest);
      bad++;
    }
  }
  printf("%s two_arrays\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
