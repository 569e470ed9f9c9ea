/* What every benchmark shares: options, deterministic input, timing of launches, checksum, comparison with the host.
 *
 * A benchmark prints one line:
 *   conv1d n=16777216 taps=64 launches=20 median=0.412 best=0.401 ms checksum=0123456789abcdef error=1.1e-07 PASS
 * Times are wall-clock milliseconds of one launch, from before the target construct until it has completed. The checksum
 * covers every byte of the result: two runs agree bit by bit exactly if it is equal. `error` is the largest deviation from a
 * computation in double precision on the host, relative to the sum of the absolute values of the terms, over a sample
 * of the results. Exit status: 0 for PASS, 1 for FAIL, 2 for a wrong option.
 *
 * Thread-safety: one benchmark per process, used by its main thread. Errors: bench_* functions that fail print why and exit. */
#ifndef PLACE_BENCH_H
#define PLACE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench {
  const char *name;
  int argc;
  char **argv;
  unsigned char *taken; /* argv[i] was asked for by the benchmark */
  int size;             /* 0 small, 1 paper, 2 large */
  int launches, launched;
  double started;  /* seconds */
  double *seconds; /* [launches] */
  char facts[256]; /* "n=16777216 taps=64", for the output line */
};

/* Reads the common options: small, paper (default) or large, also as --size WORD; --launches N, also as --reps N. */
struct bench bench_open(const char *name, int argc, char **argv);

/* The value for the chosen size; `what` names it in the output, and --what N overrides it. */
long bench_size(struct bench *b, const char *what, long small, long paper, long large);

/* Value of --what N, else `otherwise`; named in the output. */
long bench_option(struct bench *b, const char *what, long otherwise);

/* Whether the word `what` is among the arguments; named in the output if so. */
int bench_flag(struct bench *b, const char *what);

/* Which of the words (the list ends with NULL) is among the arguments, else the first; named in the output. */
int bench_choice(struct bench *b, const char *const *words);

/* To be called once all options were asked for: refuses the arguments that nobody asked for. */
void bench_ready(struct bench *b);

/* while (bench_next(&b)) { target region }: true as often as launches were asked for; times each of them. Enters the gate
 * before the first launch and leaves it after the last. */
int bench_next(struct bench *b);

/* The gate: with BENCH_GATE=FILE in the environment, benchmarks that run at the same time launch one after another; reading
 * input and checking results may overlap. Entering twice, or leaving without having entered, does nothing. */
void bench_gate_enter(void);
void bench_gate_leave(void);

/* Memory aligned to 256 bytes, zeroed, until bench_close; exits if there is none. */
void *bench_alloc(size_t count, size_t element_bytes);

/* Deterministic pseudo-random numbers: floats and doubles in [0, 1), integers in [0, limit). */
void bench_fill_float(float *out, size_t count, uint64_t seed);
void bench_fill_double(double *out, size_t count, uint64_t seed);
void bench_fill_int(int *out, size_t count, int limit, uint64_t seed);

/* bench_alloc's memory so filled. */
float *bench_floats(size_t count, uint64_t seed);
double *bench_doubles(size_t count, uint64_t seed);
int *bench_ints(size_t count, int limit, uint64_t seed);

/* The numbers 0 .. count - 1: in order if seed is 0, else shuffled. */
int *bench_order(size_t count, uint64_t seed);

/* How many of `count` results to compare with the host, and which: bench_sample(i) for i < bench_samples(count). */
size_t bench_samples(size_t count);
size_t bench_sample(size_t i, size_t count);

/* Checksum of a memory area (FNV-1a, 64 bits, over 64-bit words and the rest byte by byte), or of several: the one so far, the
 * next area. */
uint64_t bench_checksum(const void *bytes, size_t length);
uint64_t bench_checksum_on(uint64_t sum, const void *bytes, size_t length);

/* The larger of `worst` and |got - expected| / scale; NaN in either is taken for an infinite error. */
double bench_worse(double worst, double got, double expected, double scale);

/* Prints the line and frees all memory of bench_alloc. Returns main's exit status: PASS if error <= bound. */
int bench_close(struct bench *b, uint64_t checksum, double error, double bound);

#ifdef __cplusplus
}
#endif

#endif
