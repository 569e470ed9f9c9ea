/* The typed model of a machine's memories, as read from an MSL file (grammar: docs/msl.md).
 *
 * Units      Names carry them: _bytes, _clk, _ns, _hz, _gbps (1e9 bytes per second). Where the file chooses the unit
 *            (clk or ns, bytes or elements) the value carries it and a function converts. K, M, G, T are powers of 1024.
 *            A clock (clk) is one period of place_machine.clock_hz. A rate is per SM unless its name says per die.
 * Unknowns   Every value that a file may leave open has a state. Its number is meaningful only when the state is
 *            MSL_GIVEN. Functions that return a double give NaN for what is not known; those that state a default use it.
 *            `unsure` marks a number written with ~: measured, but two runs disagreed, or taken from elsewhere.
 * Ownership  msl_read returns one heap object that owns everything reachable from it, strings included; msl_free
 *            releases all. Nothing is borrowed from the text that was read. char * results are the caller's, for free().
 * Threads    A machine is never changed once msl_read has returned it: any number of threads may use it. No function
 *            has state of its own. The reader and the printer do not depend on the locale.
 * Errors     A function that can fail returns NULL (or false); msl_read says why in the caller's struct
 *            msl_diagnostics, several errors per run. Nothing here prints, exits or aborts.
 */
#ifndef PLACE_MACHINE_H
#define PLACE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum msl_state {
  MSL_ABSENT,  /* an extension field that the file does not have */
  MSL_GIVEN,   /* a value */
  MSL_UNKNOWN, /* ?  */
  MSL_NA,      /* na: not applicable */
  MSL_OM       /* om: omitted, to be inferred from other entries */
};

struct msl_count { /* a number of things, or of bytes where the field's name says so */
  enum msl_state state;
  bool unsure;
  uint64_t value;
};

struct msl_real {
  enum msl_state state;
  bool unsure;
  double value;
};

enum msl_time_unit { MSL_CLK, MSL_NS, MSL_US, MSL_MS, MSL_SEC };

struct msl_time { /* as written; msl_time_clk and msl_time_ns convert */
  enum msl_state state;
  bool unsure;
  enum msl_time_unit unit;
  double value;
};

struct msl_choice { /* one of an enumeration named beside the field */
  enum msl_state state;
  unsigned value;
};

enum msl_size_unit { MSL_BYTES, MSL_ELEMENTS };

struct msl_extent { /* 1 to 3 dimensions; all in one unit */
  enum msl_state state;
  bool unsure;
  enum msl_size_unit unit;
  unsigned dims;
  uint64_t dim[3];
};

/* Measured cost of one warp access against x. Points are in ascending order of x; between two points the cost is
 * interpolated linearly, outside them it is that of the nearest point. */
struct msl_point {
  double x;
  double cost_ns;
  bool unsure;
};

struct msl_curve {
  enum msl_state state;
  unsigned count;
  const struct msl_point *points;
};

struct msl_levels { /* other memories of the machine, nearest first; filled by inference when state is MSL_OM */
  enum msl_state state;
  unsigned count;
  const unsigned *memory; /* indices into place_machine.memories */
};

/* ---- memories ---------------------------------------------------------------------------------------------------- */

enum msl_access { MSL_READ = 1, MSL_WRITE = 2 };                    /* rw: a bit set */
enum msl_share_scope { MSL_CORE, MSL_SM, MSL_TPC, MSL_DIE };        /* who shares one piece of the memory */
enum msl_thread_scope { MSL_WARP, MSL_BLOCK, MSL_GRID };            /* whose accesses a serial condition compares */
enum msl_kernel_kind { MSL_MEMORY_BOUND, MSL_COMPUTE_BOUND };       /* which concurrency factor */

struct msl_condition; /* a compiled serial condition */

/* Conventional names, which cost models look up:
 *   globalMem            device memory by plain loads; its caches L1 (per SM) and L2
 *   readOnly             the cache behind ld.global.nc (a cache, swmng N: the array itself stays in globalMem); that a
 *                        machine has it says that this placement exists
 *   constantMem          its caches cL1 and then cL1_5, or cL2 where a machine has the older two-level hierarchy
 *   sharedMem            shared memory
 *   textureMem           its caches tL1, tL2
 * The levels that an access to a memory meets are its `upper` list from the end to the start, then the memory itself;
 * for a cache such as readOnly, the cache and then its `lower` list. */
struct place_memory {
  /* paper 000, Figure 2, in its order */
  const char *name;
  unsigned id;
  struct msl_choice software_managed; /* 1 or 0: an array can be put there */
  struct msl_choice access;           /* enum msl_access bits, by a kernel */
  struct msl_count dim;               /* arrays of this dimensionality only; na: all */
  struct msl_extent size;             /* of one piece: per SM where shared by an SM; msl_capacity_bytes */
  struct msl_extent block_size;       /* unit of transfer that serial conditions call blockSize */
  struct msl_count banks;
  struct msl_time read_latency;
  struct msl_time write_latency; /* here and below, one number in the file fills both of a pair */
  struct msl_levels upper;       /* nearer to the cores */
  struct msl_levels lower;       /* farther from the cores */
  struct msl_choice share_scope; /* enum msl_share_scope */
  /* inverse of the mean number of transactions served concurrently */
  struct msl_real concurrency_memory_bound;
  struct msl_real concurrency_compute_bound;
  struct msl_choice serial_scope;          /* enum msl_thread_scope; state is that of the whole condition */
  const struct msl_condition *serial;      /* NULL unless serial_scope.state is MSL_GIVEN */

  /* extensions */
  const char *path_name;                   /* "" if the file names none; `path` is then inferred from the name */
  unsigned path;                           /* index into place_machine.path_names: what shares a transfer path */
  struct msl_count line_bytes;             /* tag granularity */
  struct msl_count sector_bytes;           /* fill granularity */
  struct msl_count word_bytes;             /* what serial conditions call a word; 4 where not given */
  struct msl_count usable_bytes;           /* what a program's arrays can have of `size` */
  struct msl_real read_bytes_per_clk;      /* throughput, per SM */
  struct msl_real write_bytes_per_clk;
  struct msl_real read_gbps_per_die;       /* bandwidth, the whole die; copies count read plus write */
  struct msl_real write_gbps_per_die;
  struct msl_time transaction_time;        /* per SM, one transaction after another, saturated */
  struct msl_time fill_time;               /* fixed cost of putting an array there before a launch */
  struct msl_curve working_set;            /* x: bytes walked by warp-uniform loads; cost per warp access per SM */
  struct msl_curve distinct;               /* x: distinct addresses in a warp, no bank conflicts */
  struct msl_curve transactions;           /* x: what msl_transactions returns for the warp access */
  /* x: bytes walked; cost per warp load per SM, all lanes at one address, by the bytes of a lane's load */
  struct msl_curve working_set_4, working_set_8, working_set_16;
  struct msl_curve uniform_set_4, uniform_set_8; /* the same through the uniform datapath, where the compiler uses it */
  struct msl_curve look_up;                      /* x: bytes of a table in which each lane reads a random word */
  struct msl_curve staging;                      /* x: bytes that a team of 128 threads copies here from global memory */
};

/* ---- the machine ------------------------------------------------------------------------------------------------- */

struct place_machine {
  const char *name; /* "" if the file has no title */

  /* processor entry, paper 000 */
  struct msl_count tpcs_per_die;
  struct msl_count sms_per_tpc;
  struct msl_count cores_per_sm;

  /* processor entry, extensions */
  struct msl_count arch;     /* 90 for sm_90 */
  struct msl_real clock_hz;  /* of the SMs; what one clk is */
  struct msl_count threads_per_warp;
  struct msl_count threads_per_team;
  struct msl_count threads_per_sm;
  struct msl_count warps_per_sm;
  struct msl_count teams_per_sm;
  struct msl_count registers_per_sm; /* 32-bit registers */
  struct msl_count registers_per_team;
  struct msl_count registers_per_thread;
  struct msl_count shared_bytes_per_sm;   /* all teams together, what the system reserves for each included */
  struct msl_count shared_bytes_per_team; /* as the offloading runtime allows it */
  struct msl_count register_unit;         /* registers are given to a warp in multiples of it */
  struct msl_count shared_unit_bytes;     /* shared memory is given to a team in multiples of it */
  struct msl_count shared_reserved_bytes; /* taken by the system for each team */
  struct msl_time launch_time;            /* an empty kernel */
  struct msl_time region_time;            /* a synchronous empty target region, wall clock */

  /* derived by the reader */
  unsigned sm_count;  /* of the die; 0 if not known */
  unsigned warp_size; /* 32 where the file does not say */

  unsigned memory_count;
  struct place_memory *memories; /* in the file's order */

  /* Transfer paths work in parallel, what shares one adds up: T = max over paths of sum N_ij * T_j * alpha_j. Where a
   * memory names no path: constantMem and cL* have "constant", textureMem, tL* and readOnly "texture", others "global"
   * (paper 000, 3.1.2). */
  unsigned path_count;
  const char **path_names;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define MSL_MAX_DIAGNOSTICS 32
#define MSL_MESSAGE_BYTES 160
#define MSL_EXCERPT_BYTES 160

struct msl_diagnostic {
  unsigned line;                      /* from 1; 0: about the file as a whole */
  unsigned column;                    /* from 1, in characters */
  unsigned caret;                     /* column within excerpt, from 1: differs for lines too long to show whole */
  char message[MSL_MESSAGE_BYTES];    /* NUL-terminated, no newline */
  char excerpt[MSL_EXCERPT_BYTES];    /* the line itself, tabs and control characters as spaces */
};

struct msl_diagnostics { /* the caller's; needs no release. Zero it before the first use. */
  unsigned count;        /* errors found; entries beyond MSL_MAX_DIAGNOSTICS are counted but not kept */
  char file[MSL_EXCERPT_BYTES];
  struct msl_diagnostic items[MSL_MAX_DIAGNOSTICS];
};

/* Parses, checks and resolves len bytes of MSL. `file` is used in diagnostics only. NULL if there is any error;
 * `diagnostics` (may be NULL) is overwritten. */
struct place_machine *msl_read(const char *text, size_t len, const char *file, struct msl_diagnostics *diagnostics);
struct place_machine *msl_read_file(const char *path, struct msl_diagnostics *diagnostics);
void msl_free(struct place_machine *machine); /* NULL is fine */

/* "FILE:LINE:COLUMN: error: MESSAGE", the line, a caret; for each error. NULL when out of memory. */
char *msl_diagnostics_text(const struct msl_diagnostics *diagnostics);

/* ---- writing: each returns a NUL-terminated text for the caller to free, NULL when out of memory ----------------- */

char *msl_print(const struct place_machine *machine); /* canonical; reading it gives the same machine */
char *msl_draw_text(const struct place_machine *machine);
char *msl_draw_svg(const struct place_machine *machine);

/* One line per field that differs: "MEMORY.FIELD: A | B". *differences (may be NULL) is their number; 0 gives "". */
char *msl_diff(const struct place_machine *a, const struct place_machine *b, unsigned *differences);

/* ---- looking up -------------------------------------------------------------------------------------------------- */

const struct place_memory *msl_memory_by_name(const struct place_machine *machine, const char *name); /* NULL: none */
const struct place_memory *msl_memory_by_id(const struct place_machine *machine, unsigned id);

double msl_time_ns(const struct place_machine *machine, const struct msl_time *time);  /* NaN if unknown */
double msl_time_clk(const struct place_machine *machine, const struct msl_time *time); /* NaN if unknown */
double msl_read_latency_clk(const struct place_machine *machine, const struct place_memory *memory);
double msl_write_latency_clk(const struct place_machine *machine, const struct place_memory *memory);

/* Bytes of an extent, all dimensions multiplied; 0 if unknown or beyond 64 bits. element_bytes is used for extents in
 * elements. */
uint64_t msl_extent_bytes(const struct msl_extent *extent, unsigned element_bytes);
/* What arrays can have: usable_bytes if given, else size (elements taken as 4 bytes); 0 if unknown. */
uint64_t msl_capacity_bytes(const struct place_memory *memory);

/* The paper's alpha. Where the file does not give it, the paper's defaults: 1 for constantMem and its caches, 0.2. */
double msl_concurrency(const struct place_memory *memory, enum msl_kernel_kind kind);

/* Cost at x; NaN when the curve is not given. */
double msl_curve_at_ns(const struct msl_curve *curve, double x);

/* Teams of this shape that one SM holds at a time: the least of what threads, warps, team slots, registers and shared
 * memory allow; limits that the machine does not give are not applied. 0: not even one fits. */
unsigned msl_teams_per_sm(const struct place_machine *machine, unsigned threads_per_team,
                          unsigned registers_per_thread, uint64_t shared_bytes_per_team);

/* ---- serial conditions ------------------------------------------------------------------------------------------- */

#define MSL_MAX_LANES 1024

/* Number of serialised transactions of one access by `lanes` threads (a warp: 32; at most MSL_MAX_LANES; inactive lanes
 * are left out by the caller). Two lanes are serialised when the condition holds for them in either order. A
 * transaction serves the first lane still waiting and then, in lane order, each waiting lane that is serialised with
 * none already in it. 0 for no lanes, or too many; 1 when the memory has no condition. Allocates nothing. */
unsigned msl_transactions(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes);

/* The same where the condition uses index1 and index2: element number (address - base) / element_bytes.
 * msl_transactions is this with base 0 and 4-byte elements. */
unsigned msl_transactions_of_array(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes,
                                   uint64_t base_address, unsigned element_bytes);

/* Distinct values of address / block_bytes among the lanes (block_bytes 1: distinct addresses); lanes as above. */
unsigned msl_distinct_blocks(const uint64_t *byte_addresses, unsigned lanes, uint64_t block_bytes);

/* If msl_transactions of the memory is msl_distinct_blocks of some power of two, that; else 0. */
uint64_t msl_serial_block_bytes(const struct place_memory *memory);

#ifdef __cplusplus
}
#endif
#endif
