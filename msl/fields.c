/* One table of all fields: the parser, the printer and diff go by it. */
#include <string.h>

#include "internal.h"

#define MEMORY(member) offsetof(struct place_memory, member)
#define MACHINE(member) offsetof(struct place_machine, member)

#define MOST_BYTES 1152921504606846976.0      /* 2^60 */
#define MOST_TIME 1e12

const struct msl_field msl_memory_fields[] = {
    {"name", "", MSL_KIND_NAME, MEMORY(name), 0, 0, 0},
    {"id", "", MSL_KIND_ID, MEMORY(id), 0, 0, 1e6},
    {"swmng", "", MSL_KIND_YES_NO, MEMORY(software_managed), 0, 0, 0},
    {"rw", "", MSL_KIND_ACCESS, MEMORY(access), 0, 0, 0},
    {"dim", "", MSL_KIND_COUNT, MEMORY(dim), 0, 1, 3},
    {"size", "", MSL_KIND_EXTENT, MEMORY(size), 0, 1, MOST_BYTES},
    {"blockSize", "", MSL_KIND_EXTENT, MEMORY(block_size), 0, 1, MOST_BYTES},
    {"banks", "", MSL_KIND_COUNT, MEMORY(banks), 0, 1, 65536},
    {"latency", "", MSL_KIND_TIME, MEMORY(read_latency), MEMORY(write_latency), 0, MOST_TIME},
    {"upperLevels", "", MSL_KIND_LEVELS, MEMORY(upper), 0, 0, 0},
    {"lowerLevels", "", MSL_KIND_LEVELS, MEMORY(lower), 0, 0, 0},
    {"shareScope", "", MSL_KIND_SHARE_SCOPE, MEMORY(share_scope), 0, 0, 0},
    {"concurrencyFactor", "", MSL_KIND_FACTOR, MEMORY(concurrency_memory_bound), MEMORY(concurrency_compute_bound), 0,
     1},
    {"serialCondition", "", MSL_KIND_CONDITION, MEMORY(serial_scope), 0, 0, 0},
    {"path", "", MSL_KIND_PATH, MEMORY(path_name), 0, 0, 0},
    {"line", "", MSL_KIND_BYTES, MEMORY(line_bytes), 0, 1, 1048576},
    {"sector", "", MSL_KIND_BYTES, MEMORY(sector_bytes), 0, 1, 1048576},
    {"word", "", MSL_KIND_BYTES, MEMORY(word_bytes), 0, 1, 1024},
    {"usable", "", MSL_KIND_BYTES, MEMORY(usable_bytes), 0, 1, MOST_BYTES},
    {"throughput", "", MSL_KIND_PER_CLK, MEMORY(read_bytes_per_clk), MEMORY(write_bytes_per_clk), 0, 1e6},
    {"bandwidth", "", MSL_KIND_PER_SECOND, MEMORY(read_gbps_per_die), MEMORY(write_gbps_per_die), 0, 1e9},
    {"transactionTime", "", MSL_KIND_TIME, MEMORY(transaction_time), 0, 0, MOST_TIME},
    {"fill", "", MSL_KIND_TIME, MEMORY(fill_time), 0, 0, MOST_TIME},
    {"workingSet", "", MSL_KIND_CURVE_BYTES, MEMORY(working_set), 0, 0, MOST_TIME},
    {"distinct", "", MSL_KIND_CURVE_COUNT, MEMORY(distinct), 0, 0, MOST_TIME},
    {"transactions", "", MSL_KIND_CURVE_COUNT, MEMORY(transactions), 0, 0, MOST_TIME},
    {"workingSet4", "", MSL_KIND_CURVE_BYTES, MEMORY(working_set_4), 0, 0, MOST_TIME},
    {"workingSet8", "", MSL_KIND_CURVE_BYTES, MEMORY(working_set_8), 0, 0, MOST_TIME},
    {"workingSet16", "", MSL_KIND_CURVE_BYTES, MEMORY(working_set_16), 0, 0, MOST_TIME},
    {"uniformSet4", "", MSL_KIND_CURVE_BYTES, MEMORY(uniform_set_4), 0, 0, MOST_TIME},
    {"uniformSet8", "", MSL_KIND_CURVE_BYTES, MEMORY(uniform_set_8), 0, 0, MOST_TIME},
    {"lookUp", "", MSL_KIND_CURVE_BYTES, MEMORY(look_up), 0, 0, MOST_TIME},
    {"staging", "", MSL_KIND_CURVE_BYTES, MEMORY(staging), 0, 0, MOST_TIME},
};
const unsigned msl_memory_field_count = sizeof msl_memory_fields / sizeof msl_memory_fields[0];
_Static_assert(sizeof msl_memory_fields / sizeof msl_memory_fields[0] <= MSL_MAX_FIELDS, "raise MSL_MAX_FIELDS");

const struct msl_field msl_processor_fields[] = {
    {"die", "tpc", MSL_KIND_COUNT, MACHINE(tpcs_per_die), 0, 1, 1024},
    {"tpc", "sm", MSL_KIND_COUNT, MACHINE(sms_per_tpc), 0, 1, 1024},
    {"sm", "core", MSL_KIND_COUNT, MACHINE(cores_per_sm), 0, 1, 1024},
    {"arch", "", MSL_KIND_ARCH, MACHINE(arch), 0, 10, 999},
    {"clock", "", MSL_KIND_HERTZ, MACHINE(clock_hz), 0, 1e6, 1e11},
    {"warp", "thread", MSL_KIND_COUNT, MACHINE(threads_per_warp), 0, 1, 1024},
    {"block", "thread", MSL_KIND_COUNT, MACHINE(threads_per_team), 0, 1, 1048576},
    {"sm", "thread", MSL_KIND_COUNT, MACHINE(threads_per_sm), 0, 1, 1048576},
    {"sm", "warp", MSL_KIND_COUNT, MACHINE(warps_per_sm), 0, 1, 65536},
    {"sm", "block", MSL_KIND_COUNT, MACHINE(teams_per_sm), 0, 1, 65536},
    {"sm", "register", MSL_KIND_COUNT, MACHINE(registers_per_sm), 0, 1, 16777216},
    {"block", "register", MSL_KIND_COUNT, MACHINE(registers_per_team), 0, 1, 16777216},
    {"thread", "register", MSL_KIND_COUNT, MACHINE(registers_per_thread), 0, 1, 65536},
    {"sm", "shared", MSL_KIND_BYTES, MACHINE(shared_bytes_per_sm), 0, 1, 1073741824},
    {"block", "shared", MSL_KIND_BYTES, MACHINE(shared_bytes_per_team), 0, 1, 1073741824},
    {"registerUnit", "", MSL_KIND_COUNT, MACHINE(register_unit), 0, 1, 65536},
    {"sharedUnit", "", MSL_KIND_BYTES, MACHINE(shared_unit_bytes), 0, 1, 1048576},
    {"sharedReserved", "", MSL_KIND_BYTES, MACHINE(shared_reserved_bytes), 0, 1, 1048576},
    {"launch", "", MSL_KIND_TIME, MACHINE(launch_time), 0, 0, MOST_TIME},
    {"region", "", MSL_KIND_TIME, MACHINE(region_time), 0, 0, MOST_TIME},
};
const unsigned msl_processor_field_count = sizeof msl_processor_fields / sizeof msl_processor_fields[0];
_Static_assert(sizeof msl_processor_fields / sizeof msl_processor_fields[0] <= MSL_MAX_FIELDS, "raise MSL_MAX_FIELDS");

const char *const msl_share_scope_names[4] = {"core", "sm", "tpc", "die"};
const char *const msl_thread_scope_names[3] = {"warp", "block", "grid"};
const char *const msl_time_unit_names[5] = {"clk", "ns", "us", "ms", "sec"};
const char *const msl_operand_names[] = {"",         "banks",  "blockSize", "line",  "sector", "address1",
                                         "address2", "index1", "index2",    "word1", "word2"};

bool msl_is_keyword(const char *word) {
  static const char *const others[] = {"na",   "om",    "core", "sm",     "tpc",  "die",
                                       "warp", "block", "grid", "thread", "floor"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (!strcmp(word, others[i]))
      return true;
  for (unsigned op = MSL_OP_BANKS; op <= MSL_OP_WORD2; op++)
    if (!strcmp(word, msl_operand_names[op]))
      return true;
  for (unsigned i = 0; i < 5; i++)
    if (!strcmp(word, msl_time_unit_names[i]))
      return true;
  return false;
}

enum msl_state msl_field_state(const struct msl_field *field, const void *entry) {
  const void *value = msl_at(entry, field->offset);
  switch (field->kind) {
  case MSL_KIND_NAME:
  case MSL_KIND_ID: return MSL_GIVEN;
  case MSL_KIND_PATH: return **(const char *const *)value ? MSL_GIVEN : MSL_ABSENT;
  case MSL_KIND_YES_NO:
  case MSL_KIND_ACCESS:
  case MSL_KIND_SHARE_SCOPE:
  case MSL_KIND_CONDITION: return ((const struct msl_choice *)value)->state;
  case MSL_KIND_COUNT:
  case MSL_KIND_ARCH:
  case MSL_KIND_BYTES: return ((const struct msl_count *)value)->state;
  case MSL_KIND_EXTENT: return ((const struct msl_extent *)value)->state;
  case MSL_KIND_TIME: return ((const struct msl_time *)value)->state;
  case MSL_KIND_LEVELS: return ((const struct msl_levels *)value)->state;
  case MSL_KIND_FACTOR:
  case MSL_KIND_PER_CLK:
  case MSL_KIND_PER_SECOND:
  case MSL_KIND_HERTZ: return ((const struct msl_real *)value)->state;
  case MSL_KIND_CURVE_BYTES:
  case MSL_KIND_CURVE_COUNT: return ((const struct msl_curve *)value)->state;
  }
  return MSL_ABSENT;
}
