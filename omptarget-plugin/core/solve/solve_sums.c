/* Totals of bytes: those of one array more are two sorted lists, merged. */
#include "solve_sums.h"

void sums_start(struct sums *sums) {
  sums->arrays = 0;
  sums->total[0] = 0;
  sums->end[0] = 1;
}

static unsigned begin_of(const struct sums *sums, unsigned arrays) {
  return arrays ? sums->end[arrays - 1] : 0;
}

/* The totals without the array and with it, each once; returns how many. */
static unsigned merge(const uint64_t *total, unsigned count, uint64_t bytes, uint64_t *to) {
  unsigned without = 0, with = 0, made = 0;
  while (with < count) {
    bool next_without = without < count && total[without] <= total[with] + bytes;
    uint64_t next = next_without ? total[without++] : total[with++] + bytes;
    if (!made || to[made - 1] != next) to[made++] = next;
  }
  return made;
}

void sums_add(struct sums *sums, uint64_t bytes, bool in, bool out) {
  unsigned from = begin_of(sums, sums->arrays), end = sums->end[sums->arrays], made = end - from;
  if (in && out) made = merge(&sums->total[from], end - from, bytes, &sums->total[end]);
  else
    for (unsigned i = 0; i < made; i++) sums->total[end + i] = sums->total[from + i] + (in ? bytes : 0);
  sums->end[++sums->arrays] = end + made;
}

bool sums_reach(const struct sums *sums, unsigned arrays, uint64_t least, uint64_t most) {
  unsigned low = begin_of(sums, arrays), high = sums->end[arrays], end = high;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (sums->total[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low < end && sums->total[low] <= most;
}
