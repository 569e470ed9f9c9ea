/* A machine's numbers as models use them: nanoseconds, bytes per nanosecond, one SM, with defaults where the file is silent.
 * Internal. */
#ifndef PLACE_CORE_RATES_H
#define PLACE_CORE_RATES_H

#include "traits.h"

enum { RATES_DEFAULT_SMS = 64 };
#define RATES_CACHE_SPEEDUP 1.5 /* bandwidth of a cache over the memory behind it, where the file gives only that */

double rates_sm_count(const struct place_machine *machine);
double rates_clock_ns(const struct place_machine *machine); /* 1 where the clock is not known */

/* Bytes per ns that one SM gets from a memory; 0 if the file does not say. */
double rates_bytes_per_ns(const struct place_machine *machine, const struct place_memory *memory);

double rates_latency_ns(const struct place_machine *machine, const struct place_memory *memory); /* 0 if not known */

/* Time of one warp access that needs `transactions` of level j of the chain, the first that the file gives: `transactions`
 * curve (beyond its last point, a clock for each further transaction); transaction time; bytes a clock; bandwidth of the
 * die; for a cache whose backing memory has a bandwidth, RATES_CACHE_SPEEDUP times that; latency times concurrency factor. */
double rates_level_ns(const struct place_machine *machine, const struct chain *chain, unsigned j, double transactions);

/* The transfer path of a space's memory, below `paths`. */
unsigned rates_path_count(const struct place_machine *machine, unsigned most);
unsigned rates_path_of(const struct place_machine *machine, enum place_space space, unsigned paths);
const char *rates_path_name(const struct place_machine *machine, unsigned path);

#endif
