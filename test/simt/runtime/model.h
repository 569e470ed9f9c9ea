// The machine whose transactions are counted, and the hierarchy of caches that its MSL file describes.
//
// The machine is the one that place's runtime takes: the file PLACE_MACHINE, else the H200's. The levels that an access
// to a space meets are derived as include/place/machine.h says: the `upper` list of the space's memory from its end to its
// start, then the memory itself; for a memory that is a cache (readOnly), the cache and then its `lower` list.
// A line is `line`, else blockSize, else 128 bytes; what a miss brings in is `sector`, else blockSize, else 32 bytes, and
// at most a line. A cache whose size the file does not give is not simulated.
// Units: bytes. Ownership: the model is made once and lives as long as the program. Thread-safety: load by the launching
// thread; the model does not change after it. Errors: a file that cannot be used ends the program.
#ifndef SIMT_MODEL_H
#define SIMT_MODEL_H

#include "place/machine.h"
#include "place/space.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIMT_MAX_LEVELS = 8 };
// place's spaces (place/space.def), and the stacks of threads.
enum simt_count_space { SIMT_COUNT_GLOBAL = PLACE_GLOBAL, SIMT_COUNT_READONLY = PLACE_READONLY, SIMT_COUNT_CONSTANT = PLACE_CONSTANT,
                        SIMT_COUNT_SHARED = PLACE_SHARED, SIMT_COUNT_LOCAL = PLACE_SPACE_COUNT, SIMT_COUNT_SPACES };

struct simt_level {
  const struct place_memory *memory;
  unsigned index;                  // into the machine's memories
  bool cache;                      // false: the memory itself, where every access ends
  bool near;                       // a piece for less than the whole die: stores and atomics go past it
  uint64_t line_bytes, fill_bytes; // powers of two
  uint64_t lines;                  // of one piece; 0: not known
};

struct simt_chain {
  const struct place_memory *memory; // whose serial condition says what a transaction is; null: the machine has none
  unsigned count;                    // of levels, nearest first
  struct simt_level level[SIMT_MAX_LEVELS];
};

struct simt_model {
  const struct place_machine *machine;
  unsigned sms, sms_per_tpc;
  struct simt_chain chain[SIMT_COUNT_SPACES];
};

const struct simt_model *simt_model_load(void);
const char *simt_count_space_name(enum simt_count_space space);

#endif
