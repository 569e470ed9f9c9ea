"""Text that generated programs share: helpers, fills, comparisons, neighbours."""

from fuzzlib.indices import permutation_factor
from fuzzlib.types import CARRIERS, Compound

ALIGN_DOWN = "__builtin_align_down"
ALIGN_DOWN_SPELT_OUT = "(p, to) ((char *)(p) - ((__UINTPTR_TYPE__)(p) & ((to) - 1)))"

HEAD = f"#define exact_align_down{ALIGN_DOWN_SPELT_OUT}\n" + """#include <assert.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#define _Bool bool
#endif
static volatile int zero; // keeps what is read at run time from being a constant
static int failures;
static uint64_t digest;
static uint64_t hash(uint64_t i, uint64_t seed) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29, x *= 0x94d049bb133111ebu;
  return x ^ x >> 32;
}
static void *aligned(size_t bytes) {
  void *p = aligned_alloc(256, (bytes + 511) / 256 * 256);
  if (!p) abort();
  return memset(p, 0, (bytes + 511) / 256 * 256);
}
static void differs(const char *what, long at, double got, double want, int round) {
  if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 8)
    printf("%s[%ld] is %.17g, expected %.17g, round %d\\n", what, at, got, want, round);
}"""

# How many teams and threads carry out an iteration of a region that looks at them, and which, where that is told: as before with the same
# parameters, whose values repeat after PERIOD rounds, and as in the run that left its numbers in the folder FUZZ_SEEN.
WHO = """enum { PERIOD = 6 };
#pragma omp declare target
static inline uint64_t who(int team, int thread) {
  uint64_t teams = (uint64_t)omp_get_num_teams() << 16 | (uint64_t)omp_get_num_threads();
  return teams << 32 | (uint64_t)(team ? omp_get_team_num() : 0) << 16 | (uint64_t)(thread ? omp_get_thread_num() : 0);
}
#pragma omp end declare target
static void same_who(const char *what, const uint64_t *now, uint64_t *seen, size_t n, int round) {
  int known = 0;
  for (size_t i = 0; i < n; i++) known |= seen[i] != 0;
  for (size_t i = 0; i < n; i++)
    if (!known) seen[i] = now[i];
    else if (seen[i] != now[i]) differs(what, (long)i, (double)now[i], (double)seen[i], round);
}
static FILE *seen_file(const char *what, const char *how) {
  char path[4096];
  const char *folder = getenv("FUZZ_SEEN");
  if (!folder) return NULL;
  snprintf(path, sizeof path, "%s/%s.seen", folder, what);
  return fopen(path, how);
}
static void seen_before(const char *what, void *seen, size_t bytes) {
  FILE *file = seen_file(what, "rb");
  if (file && fread(seen, 1, bytes, file) != bytes) memset(seen, 0, bytes);
  if (file) fclose(file);
}
static void seen_now(const char *what, const void *seen, size_t bytes) {
  FILE *file = seen_file(what, "rb");
  if (!file && (file = seen_file(what, "wb"))) fwrite(seen, 1, bytes, file);
  if (file) fclose(file);
}"""

MINMAX = """static inline {c} min_{name}({c} a, {c} b) {{ return a < b ? a : b; }}
static inline {c} max_{name}({c} a, {c} b) {{ return a > b ? a : b; }}"""

FUNCTIONS = {
    "mix": "static inline uint32_t mix(uint32_t a, uint32_t b) { return (a ^ b << 3) + (b >> 1); }",
    "pick": """static uint32_t pick(uint32_t a, uint32_t b) {
  switch (a & 3) {
  case 0: return b + 1;
  case 1: return a > b ? a - b : b;
  case 2: return a * 3;
  default: return a ^ b;
  }
}""",
    "rounds_of": """__attribute__((noinline)) static uint32_t rounds_of(uint32_t a, uint32_t b) {
  uint32_t n = 0;
  while (a > 1 && n < 9) a = a & 1 ? a + (b & 2) : a / 2, n++;
  return n;
}""",
    "depth_of": """static uint32_t depth_of(uint32_t a, uint32_t b) { return (a & 7) == 0 || b == 0 ? a : depth_of(a & 6 ? (a - 1) & 7 : a / 8, b / 2) + 1; }""",
    # CUDA's fmodf has assembly, and is exact.
    "rest": """#include <math.h>
static uint32_t rest(uint32_t a, uint32_t b) { return (uint32_t)fmodf((float)(a & 4095), (float)((b & 63) + 1)); }""",
    "elsewhere": """#pragma omp declare target
{extern}uint32_t elsewhere(uint32_t a, uint32_t b);
#pragma omp end declare target""",
}
ELSEWHERE = """#include <stdint.h>
#ifdef __cplusplus
extern "C" uint32_t elsewhere(uint32_t a, uint32_t b);
#endif
#pragma omp declare target
uint32_t elsewhere(uint32_t a, uint32_t b);
uint32_t elsewhere(uint32_t a, uint32_t b) { return a * 5 + (b ^ 9); }
#pragma omp end declare target
"""

# Reductions of the program's own: the least value, and where it was first; of a larger structure, which is chosen by its address
# (without padding: a version in whose teams it lies in shared memory reads that, which nobody has written, when it copies it).
OWN_REDUCTIONS = {
    "least": """struct located { int64_t value, at; };
#pragma omp declare target
static struct located located(int64_t value, int64_t at) {
  struct located made;
  made.value = value, made.at = at;
  return made;
}
static struct located least(struct located a, struct located b) {
  return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
#pragma omp end declare target
#pragma omp declare reduction(least : struct located : omp_out = least(omp_out, omp_in)) initializer(omp_priv = located(1000, -1))
""",
    "lesser": """struct spot { int64_t value, at; int32_t twice; uint16_t odd; int8_t low[2]; };
#pragma omp declare target
static struct spot spot(int64_t value, int64_t at) {
  struct spot made;
  made.value = value, made.at = at, made.twice = (int32_t)(value & 0xffff) * 2, made.odd = (uint16_t)(at & 1);
  made.low[0] = (int8_t)(value & 63), made.low[1] = (int8_t)(at & 31);
  return made;
}
static const struct spot *lesser(const struct spot *a, const struct spot *b) {
  return b->value < a->value || (b->value == a->value && b->at < a->at) ? b : a;
}
#pragma omp end declare target
#pragma omp declare reduction(lesser : struct spot : omp_out = *lesser(&omp_out, &omp_in)) initializer(omp_priv = spot(1000, -1))
""",
}

# Other regions of the same file. Each is launched in the first round, most behind a condition that never holds.
NEIGHBOURS = {
    "print": """  for (int never = zero; never; never = 0) {
#pragma omp target teams distribute parallel for map(to : cells)
    for (int i = 0; i < 64; i++)
      if (cells[i] > 1000) printf("%d\\n", cells[i]);
  }""",
    "assert": """#pragma omp target teams distribute parallel for map(to : cells)
  for (int i = 0; i < 64; i++) assert(cells[i] >= 0);""",
    "external": """#pragma omp target teams distribute parallel for map(tofrom : cells)
  for (int i = 0; i < 64; i++) cells[i] = (int)(elsewhere((uint32_t)cells[i], 3) & 63);""",
    "generic": """#pragma omp target teams distribute map(tofrom : cells)
  for (int i = 0; i < 8; i++) {
    int shared = cells[i] * 2;
#pragma omp parallel for
    for (int j = 0; j < 8; j++) cells[i * 8 + j] = shared + j;
  }""",
    "serial": """#pragma omp target map(tofrom : cells)
  for (int i = 1; i < 64; i++) cells[i] = (cells[i] + cells[i - 1]) & 63;""",
    "query": """  int widest = 0;
#pragma omp target teams distribute parallel for map(tofrom : widest) reduction(max : widest)
  for (int i = 0; i < 64; i++) widest = widest > omp_get_num_threads() ? widest : omp_get_num_threads();
  if (widest < 1) differs("query", 0, widest, 1, 0);""",
    "teams": """  int teams = 0;
#pragma omp target teams num_teams(3) map(from : teams)
  if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  if (teams < 1 || teams > 3) differs("teams", 0, teams, 3, 0);""",
    "host": """  int where = 7;
#pragma omp target map(from : where)
  where = omp_is_initial_device();
  if (where != 0) differs("host", 0, where, 0, 0);""",
    "threads": """#pragma omp target teams distribute parallel for num_threads(40) map(tofrom : cells)
  for (int i = 0; i < 64; i++) cells[i] ^= omp_get_thread_num() < 40 ? 1 : 64;""",
    "nested": """#pragma omp target teams distribute parallel for map(tofrom : cells)
  for (int i = 0; i < 8; i++) {
#pragma omp parallel for
    for (int j = 0; j < 8; j++) cells[i * 8 + j] += j;
  }""",
    "atomic": """  int count = 0;
#pragma omp target teams distribute parallel for map(tofrom : count) map(to : cells)
  for (int i = 0; i < 64; i++)
    if (cells[i] >= 0) {
#pragma omp atomic
      count++;
    }
  if (count != 64) differs("atomic", 0, count, 64, 0);""",
}


def typed_helpers(elem):
    """fill_T, same_T (compares, prints, adds to the digest) of an element type."""
    if isinstance(elem, Compound):
        parts = elem.fields
    else:
        parts = (("", elem),)
    fills, compares = [], []
    for number, (accessor, scalar) in enumerate(parts):
        value = f"hash(i * {len(parts)} + {number}, seed)"
        if scalar.real:
            value = f"({scalar.c})((int)({value} % 121) - 60)"
        else:
            value = f"({scalar.c})({value}{' & 1' if scalar.name == 'bool' else ''})"
        fills.append(f"p[i]{accessor} = {value};")
        integer = "(uint64_t)(int64_t)(double)" if scalar.real else "(uint64_t)"
        compares.append(f"    if (got[i]{accessor} != want[i]{accessor}) differs(what, i, (double)got[i]{accessor}, "
                        f"(double)want[i]{accessor}, round);\n"
                        f"    sum += hash((uint64_t)i * 8 + {number}, {integer}want[i]{accessor});")
    c, name = elem.c, elem.name
    return (f"static void fill_{name}({c} *p, long n, uint64_t seed) {{\n  for (long i = 0; i < n; i++) {{ {' '.join(fills)} }}\n}}\n"
            f"static void same_{name}(const char *what, const {c} *got, const {c} *want, long n, int round) {{\n  uint64_t sum = 0;\n"
            f"  for (long i = 0; i < n; i++) {{\n" + "\n".join(compares) + "\n  }\n"
            "  __atomic_fetch_add(&digest, sum, __ATOMIC_RELAXED);\n}")


def min_max():
    return "\n".join(MINMAX.format(c=c.c, name=c.name) for c in CARRIERS)


def permutation(length):
    """The body of a loop that fills a permutation of a power of two of elements."""
    return f"((uint64_t)i * {permutation_factor(length)} + seed) & {length - 1}"
