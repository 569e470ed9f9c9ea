/* Search for the key with a given MD5 digest (RFC 1321), all keys of a number of lower-case letters (SHOC's md5hash).
 *   md5hash [small|paper|large] [--letters N] [--launches N]
 * The table of sines and the digest are read by all threads alike; only the thread that finds the key writes. */
#include "common/bench.h"

#include <math.h>
#include <string.h>

enum { LETTERS = 26, ROUNDS = 64, SECRET_PER_CENT = 71 };

struct digest {
  unsigned word[4];
};

/* Digest of a message of up to 55 bytes that is padded to one block already. */
static inline struct digest md5(const unsigned *block, const unsigned *sine, const unsigned char *shift) {
  struct digest d = {{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u}};
  unsigned a = d.word[0], b = d.word[1], c = d.word[2], e = d.word[3];
  for (int i = 0; i < ROUNDS; i++) {
    unsigned mixed, from, kept = e;
    switch (i / 16) {
    case 0: mixed = (b & c) | (~b & e), from = i; break;
    case 1: mixed = (e & b) | (~e & c), from = (5 * i + 1) % 16; break;
    case 2: mixed = b ^ c ^ e, from = (3 * i + 5) % 16; break;
    default: mixed = c ^ (b | ~e), from = 7 * i % 16;
    }
    unsigned sum = a + mixed + sine[i] + block[from], by = shift[i / 16 * 4 + i % 4];
    e = c;
    c = b;
    b += sum << by | sum >> (32 - by);
    a = kept;
  }
  d.word[0] += a;
  d.word[1] += b;
  d.word[2] += c;
  d.word[3] += e;
  return d;
}

/* The block of key number `index`: its letters, the mark behind them, the length in bits. */
static inline void make_block(long index, int letters, unsigned *block) {
  for (int i = 0; i < 16; i++)
    block[i] = 0;
  for (int i = 0; i < letters; i++, index /= LETTERS)
    block[i / 4] |= (unsigned)('a' + index % LETTERS) << i % 4 * 8;
  block[letters / 4] |= 0x80u << letters % 4 * 8;
  block[14] = letters * 8;
}

static void search(const unsigned *sine, const unsigned char *shift, const unsigned *wanted, long keys, int letters,
                   long *found) {
#pragma omp target teams distribute parallel for
  for (long i = 0; i < keys; i++) {
    unsigned block[16];
    make_block(i, letters, block);
    struct digest d = md5(block, sine, shift);
    if (d.word[0] == wanted[0] && d.word[1] == wanted[1] && d.word[2] == wanted[2] && d.word[3] == wanted[3])
      found[0] = i;
  }
}

/* The RFC's own example: the digest of "abc". */
static int md5_is_right(const unsigned *sine, const unsigned char *shift) {
  static const struct digest abc = {{0x98500190u, 0xb04fd23cu, 0x7d3f96d6u, 0x727fe128u}};
  unsigned block[16] = {0x80636261u, [14] = 24};
  struct digest d = md5(block, sine, shift);
  return memcmp(&d, &abc, sizeof d) == 0;
}

int main(int argc, char **argv) {
  static const unsigned char shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
  struct bench b = bench_open("md5hash", argc, argv);
  int letters = (int)bench_size(&b, "letters", 2, 5, 6);
  bench_ready(&b);
  unsigned *sine = bench_alloc(ROUNDS, sizeof *sine), *wanted = bench_alloc(4, sizeof *wanted), block[16];
  unsigned char *shift = bench_alloc(sizeof shifts, 1);
  long keys = 1, *found = bench_alloc(1, sizeof *found);
  for (int i = 0; i < letters; i++)
    keys *= LETTERS;
  for (int i = 0; i < ROUNDS; i++)
    sine[i] = (unsigned)(fabs(sin(i + 1)) * 4294967296.0);
  memcpy(shift, shifts, sizeof shifts);
  long secret = keys * SECRET_PER_CENT / 100;
  make_block(secret, letters, block);
  struct digest d = md5(block, sine, shift);
  memcpy(wanted, d.word, sizeof d.word);
  found[0] = -1;

#pragma omp target data map(to : sine[0 : ROUNDS], shift[0 : 16], wanted[0 : 4]) map(tofrom : found[0 : 1])
  while (bench_next(&b))
    search(sine, shift, wanted, keys, letters, found);

  return bench_close(&b, bench_checksum(found, sizeof *found), found[0] != secret || !md5_is_right(sine, shift), 0);
}
