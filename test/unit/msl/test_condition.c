/* Serial conditions against brute force: a C function for each condition, every pair compared, transactions formed by
 * the definition in machine.h, and for few lanes the least number of transactions that any order could reach. */
#include "../../../msl/internal.h"
#include "support.h"

enum { WORD = 4, BANKS = 32, BLOCK = 128, ELEMENT = 8, BASE = 4096 };

struct thread { int64_t address, index, word; };
typedef bool serialised(const struct thread *one, const struct thread *two);

static bool other_block(const struct thread *a, const struct thread *b) { return a->address / BLOCK != b->address / BLOCK; }
static bool other_address(const struct thread *a, const struct thread *b) { return a->address != b->address; }
static bool other_sector(const struct thread *a, const struct thread *b) { return a->address / 32 != b->address / 32; }
static bool other_three(const struct thread *a, const struct thread *b) { return a->address / 96 != b->address / 96; }
static bool other_index_block(const struct thread *a, const struct thread *b) { return a->index / 16 != b->index / 16; }
static bool bank_conflict(const struct thread *a, const struct thread *b) {
  return a->word != b->word && a->word % BANKS == b->word % BANKS;
}
static bool wide_bank_conflict(const struct thread *a, const struct thread *b) {
  return a->address / 8 != b->address / 8 && a->address / 8 % 17 == b->address / 8 % 17;
}
static bool hashed(const struct thread *a, const struct thread *b) {
  return (a->address / 32 + a->address / 1024) % 16 != (b->address / 32 + b->address / 1024) % 16;
}
static bool far(const struct thread *a, const struct thread *b) { return a->address - b->address > 256; }
static bool near_or_same(const struct thread *a, const struct thread *b) {
  return (a->word < b->word && b->word - a->word < 4) || a->index == b->index;
}
static bool not_same_or_odd(const struct thread *a, const struct thread *b) {
  return !(a->word == b->word) && (a->word % 2 != 0 || b->word % 2 == 1);
}
static bool conflict_of_others(const struct thread *a, const struct thread *b) {
  return a->word != b->word && a->address / 256 % 4 == b->address / 256 % 4;
}
static bool hashed_conflict(const struct thread *a, const struct thread *b) {
  return a->address / 32 != b->address / 32 && (a->address / 32 + a->address / 1024) % 16 == (b->address / 32 + b->address / 1024) % 16;
}
static bool index_conflict(const struct thread *a, const struct thread *b) {
  return a->index != b->index && a->index / 4 % 8 == b->index / 4 % 8;
}
static bool many_banks(const struct thread *a, const struct thread *b) {
  return a->word != b->word && a->word % 5000 == b->word % 5000;
}
static bool same_eighth(const struct thread *a, const struct thread *b) {
  return a->word != b->word && a->address / 512 == b->address / 512;
}
static bool always(const struct thread *a, const struct thread *b) { return a->word >= 0 && b->word >= 0; }

static const struct {
  const char *text, *extensions;
  serialised *holds;
  enum msl_shape shape;
} conditions[] = {
    {"warp{⌊address1/blockSize⌋ != ⌊address2/blockSize⌋}", "", other_block, MSL_SHAPE_DISTINCT},
    {"warp{address1/blockSize != address2/blockSize}", "", other_block, MSL_SHAPE_DISTINCT},
    {"warp{floor(address2/128B) ≠ floor(address1/128)}", "", other_block, MSL_SHAPE_DISTINCT},
    {"warp{address1 != address2}", "", other_address, MSL_SHAPE_DISTINCT},
    {"warp{address1/sector != address2/sector}", "line = 128B sector = 32B", other_sector, MSL_SHAPE_DISTINCT},
    {"warp{address1/sector/(line/line) != address2/sector/(line/line)}", "line = 128B sector = 32B", other_sector,
     MSL_SHAPE_DISTINCT},
    {"warp{address1/32/3 != address2/32/3}", "", other_three, MSL_SHAPE_DISTINCT},
    {"grid{index1/16 != index2/16}", "", other_index_block, MSL_SHAPE_DISTINCT},
    {"block{word1!=word2 && word1%banks ==word2%banks}", "", bank_conflict, MSL_SHAPE_CONFLICT},
    {"block{word2%banks == word1%banks && word1 != word2}", "", bank_conflict, MSL_SHAPE_CONFLICT},
    {"block{word1 != word2 && word1%17 == word2%17}", "word = 8B", wide_bank_conflict, MSL_SHAPE_CONFLICT},
    {"warp{(address1/32 + address1/1K) % 16 != (address2/32 + address2/1K) % 16}", "", hashed, MSL_SHAPE_DISTINCT},
    {"warp{word1 != word2 && address1/256%4 == address2/256%4}", "", conflict_of_others, MSL_SHAPE_CONFLICT},
    {"warp{address1/32 != address2/32 && (address1/32 + address1/1K)%16 == (address2/32 + address2/1K)%16}", "",
     hashed_conflict, MSL_SHAPE_CONFLICT},
    {"warp{index1 != index2 && index1/4%8 == index2/4%8}", "", index_conflict, MSL_SHAPE_CONFLICT},
    {"warp{word1 != word2 && word1%5000 == word2%5000}", "", many_banks, MSL_SHAPE_CONFLICT},
    {"warp{word1 != word2 && address1/512 == address2/512}", "", same_eighth, MSL_SHAPE_CONFLICT},
    {"warp{address1 - address2 > 256}", "", far, MSL_SHAPE_GENERAL},
    {"warp{word1 < word2 && word2 - word1 < 4 || index1 == index2}", "", near_or_same, MSL_SHAPE_GENERAL},
    {"warp{!(word1 == word2) && (word1%2 != 0 || word2%2 == 1)}", "", not_same_or_odd, MSL_SHAPE_GENERAL},
    {"warp{word1 >= 0 && word2 >= 0}", "", always, MSL_SHAPE_GENERAL},
};
enum { CONDITIONS = sizeof conditions / sizeof conditions[0] };

/* ---- brute force ------------------------------------------------------------------------------------------------- */

static bool conflicts(serialised *holds, const uint64_t *addresses, unsigned i, unsigned j) {
  struct thread one = {(int64_t)addresses[i], ((int64_t)addresses[i] - BASE) / ELEMENT, (int64_t)addresses[i] / WORD};
  struct thread two = {(int64_t)addresses[j], ((int64_t)addresses[j] - BASE) / ELEMENT, (int64_t)addresses[j] / WORD};
  return holds(&one, &two) || holds(&two, &one);
}

/* The definition, word for word. */
static unsigned by_definition(serialised *holds, const uint64_t *addresses, unsigned lanes) {
  bool served[64] = {false};
  unsigned transactions = 0, left = lanes;
  for (; left; transactions++) {
    unsigned group[64], members = 0;
    for (unsigned i = 0; i < lanes; i++) {
      bool joins = !served[i];
      for (unsigned k = 0; k < members; k++)
        joins = joins && !conflicts(holds, addresses, group[k], i);
      if (!joins)
        continue;
      group[members++] = i;
      served[i] = true;
      left--;
    }
  }
  return transactions;
}

/* Is there an assignment of lanes to k transactions at all? */
static bool possible(serialised *holds, const uint64_t *addresses, unsigned lanes, unsigned k, unsigned *assigned,
                     unsigned at) {
  if (at == lanes)
    return true;
  for (unsigned t = 0; t < k; t++) {
    bool fits = true;
    for (unsigned j = 0; j < at; j++)
      fits = fits && !(assigned[j] == t && conflicts(holds, addresses, j, at));
    assigned[at] = t;
    if (fits && possible(holds, addresses, lanes, k, assigned, at + 1))
      return true;
  }
  return false;
}

static unsigned least_possible(serialised *holds, const uint64_t *addresses, unsigned lanes) {
  unsigned assigned[64], k = 1;
  while (!possible(holds, addresses, lanes, k, assigned, 0))
    k++;
  return k;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static void make_access(uint64_t *addresses, unsigned lanes, uint64_t *seed) {
  uint64_t base = BASE + next_random(seed) % 4096 * 4, stride = 4 << next_random(seed) % 9;
  unsigned kind = (unsigned)(next_random(seed) % 5);
  uint64_t spread = 16u << next_random(seed) % 12;
  for (unsigned i = 0; i < lanes; i++)
    switch (kind) {
    case 0: addresses[i] = base; break;
    case 1: addresses[i] = base + i * stride; break;
    case 2: addresses[i] = base + next_random(seed) % spread * 4; break;
    case 3: addresses[i] = base + next_random(seed) % spread; break;
    default: addresses[i] = base + (lanes - i) * 132; break;
    }
}

static void test_brute_force(void **state) {
  (void)state;
  for (unsigned c = 0; c < CONDITIONS; c++) {
    struct place_machine *m = read_condition(conditions[c].text, conditions[c].extensions);
    const struct place_memory *memory = &m->memories[0];
    uint64_t addresses[64], seed = c;
    assert_int_equal(memory->serial->shape, conditions[c].shape);
    for (unsigned round = 0; round < 400; round++) {
      unsigned lanes = round % 4 ? 32 : 1 + (unsigned)(next_random(&seed) % 64);
      make_access(addresses, lanes, &seed);
      unsigned expected = by_definition(conditions[c].holds, addresses, lanes);
      assert_int_equal(msl_transactions_of_array(memory, addresses, lanes, BASE, ELEMENT), expected);
      assert_int_equal(msl_transactions_general(memory, addresses, lanes, BASE, ELEMENT), expected);
    }
    assert_identity(m);
    msl_free(m);
  }
}

/* For the two common forms no other order of serving the lanes would do with fewer transactions. */
static void test_least_possible(void **state) {
  (void)state;
  unsigned more = 0;
  for (unsigned c = 0; c < CONDITIONS; c++) {
    struct place_machine *m = read_condition(conditions[c].text, conditions[c].extensions);
    uint64_t addresses[64], seed = 100 + c;
    for (unsigned round = 0; round < 200; round++) {
      unsigned lanes = 1 + round % 7;
      make_access(addresses, lanes, &seed);
      unsigned least = least_possible(conditions[c].holds, addresses, lanes);
      unsigned got = msl_transactions_of_array(&m->memories[0], addresses, lanes, BASE, ELEMENT);
      if (conditions[c].shape == MSL_SHAPE_GENERAL)
        more += got > least;
      else
        assert_int_equal(got, least);
      assert_true(got >= least);
    }
    msl_free(m);
  }
  print_message("general conditions: first fit needed more than the least %u times\n", more);
}

static void test_edges(void **state) {
  (void)state;
  struct place_machine *m = read_condition("warp{address1 != address2}", "");
  uint64_t addresses[MSL_MAX_LANES + 1];
  for (unsigned i = 0; i <= MSL_MAX_LANES; i++)
    addresses[i] = UINT64_MAX - i;
  assert_int_equal(msl_transactions(&m->memories[0], addresses, 0), 0);
  assert_int_equal(msl_transactions(&m->memories[0], addresses, 1), 1);
  assert_int_equal(msl_transactions(&m->memories[0], addresses, MSL_MAX_LANES), MSL_MAX_LANES);
  assert_int_equal(msl_transactions(&m->memories[0], addresses, MSL_MAX_LANES + 1), 0);
  assert_int_equal(msl_transactions_general(&m->memories[0], addresses, MSL_MAX_LANES, 0, 0), MSL_MAX_LANES);
  assert_int_equal(msl_distinct_blocks(addresses, 32, 1), 32);
  assert_int_equal(msl_distinct_blocks(addresses, 32, 16), 2);
  assert_int_equal(msl_distinct_blocks(addresses, 0, 16), 0);
  msl_free(m);
  m = read_condition("?", "");
  assert_int_equal(msl_transactions(&m->memories[0], addresses, 32), 1);
  msl_free(m);
}

/* The well-known cases of the papers. */
static void test_known(void **state) {
  (void)state;
  struct place_machine *m = read_machine_file("m2075");
  const struct place_memory *shared = msl_memory_by_name(m, "sharedMem"), *global = msl_memory_by_name(m, "globalMem");
  const struct place_memory *constant = msl_memory_by_name(m, "constantMem");
  uint64_t addresses[32];
  static const struct { unsigned stride, shared, global, constant; } cases[] = {
      {0, 1, 1, 1}, {4, 1, 1, 32}, {8, 2, 2, 32}, {16, 4, 4, 32}, {128, 32, 32, 32}, {132, 1, 32, 32}};
  for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    for (unsigned i = 0; i < 32; i++)
      addresses[i] = 1024 + (uint64_t)i * cases[c].stride;
    assert_int_equal(msl_transactions(shared, addresses, 32), cases[c].shared);
    assert_int_equal(msl_transactions(constant, addresses, 32), cases[c].constant);
    if (cases[c].stride != 132)
      assert_int_equal(msl_transactions(global, addresses, 32), cases[c].global);
  }
  msl_free(m);
}

/* Printed with the parentheses it needs and no more. */
static void test_print(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"warp{((address1)) != (address2)}", "warp{address1 != address2}"},
      {"warp{(address1 - 1) - 2 == address2 - (1 - 2)}", "warp{address1 - 1 - 2 == address2 - (1 - 2)}"},
      {"warp{floor(word1/(2*4)) <= -(word2 + 1)}", "warp{⌊word1/(2*4)⌋ <= -(word2 + 1)}"},
      {"warp{!(word1 < 4) && (word1 > 2 || word2 >= 1K)}", "warp{!(word1 < 4) && (word1 > 2 || word2 >= 1K)}"},
      {"warp{word1==1 && (word2==2 && word1==3)}", "warp{word1 == 1 && (word2 == 2 && word1 == 3)}"},
      {"warp{word1%(4/2)%2 ≠ --word2}", "warp{word1%(4/2)%2 != --word2}"}};
  for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    struct place_machine *m = read_condition(pairs[i][0], "");
    char *text = msl_print(m);
    assert_non_null(strstr(text, pairs[i][1]));
    assert_identity(m);
    free(text);
    msl_free(m);
  }
}

/* / rounds down, % is what is left, division by zero is defined, everything wraps. */
static void test_arithmetic(void **state) {
  (void)state;
  static const struct { int64_t a, b, quotient, rest; } cases[] = {
      {7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {6, 3, 2, 0}, {5, 0, 0, 5},
      {INT64_MIN, -1, INT64_MIN, 0}, {INT64_MIN, 2, INT64_MIN / 2, 0}, {0, 5, 0, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_true(msl_floor_divide(cases[i].a, cases[i].b) == cases[i].quotient);
    assert_true(msl_floor_modulo(cases[i].a, cases[i].b) == cases[i].rest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_brute_force), cmocka_unit_test(test_least_possible), cmocka_unit_test(test_edges),
      cmocka_unit_test(test_known),       cmocka_unit_test(test_print),          cmocka_unit_test(test_arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
