/* Transactions of one warp access under a serial condition: the two common forms by hashing, the rest pair by pair. */
#include <string.h>

#include "internal.h"

struct access {
  const uint64_t *addresses;
  unsigned lanes;
  uint64_t base;
  int64_t element_bytes;
};

static struct msl_lane lane_at(const struct msl_condition *c, const struct access *access, unsigned i) {
  int64_t address = (int64_t)access->addresses[i];
  int64_t offset = (int64_t)(access->addresses[i] - access->base);
  return (struct msl_lane){address, msl_floor_divide(offset, access->element_bytes),
                           msl_floor_divide(address, c->word_bytes)};
}

/* ---- keys: the value of f or g for each lane --------------------------------------------------------------------- */

static void divide_all(int64_t *values, unsigned n, int64_t divisor) {
  if ((divisor & (divisor - 1)) == 0) {
    int shift = __builtin_ctzll((unsigned long long)divisor);
    for (unsigned i = 0; i < n; i++)
      values[i] >>= shift;
    return;
  }
  for (unsigned i = 0; i < n; i++)
    values[i] = msl_floor_divide(values[i], divisor);
}

static void modulo_all(int64_t *values, unsigned n, int64_t modulus) {
  if ((modulus & (modulus - 1)) == 0) {
    for (unsigned i = 0; i < n; i++)
      values[i] &= modulus - 1;
    return;
  }
  for (unsigned i = 0; i < n; i++)
    values[i] = msl_floor_modulo(values[i], modulus);
}

static void keys_of(const struct msl_condition *c, const struct msl_key *key, const struct access *access,
                    int64_t *values) {
  if (!key->simple) {
    for (unsigned i = 0; i < access->lanes; i++) {
      struct msl_lane lane = lane_at(c, access, i);
      values[i] = msl_condition_eval(c, key->node, &lane, &lane);
    }
    return;
  }
  uint64_t base = key->indexed ? access->base : 0;
  for (unsigned i = 0; i < access->lanes; i++)
    values[i] = (int64_t)(access->addresses[i] - base);
  if (key->indexed)
    divide_all(values, access->lanes, access->element_bytes);
  if (key->divisor != 1)
    divide_all(values, access->lanes, key->divisor);
  if (key->modulus)
    modulo_all(values, access->lanes, key->modulus);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

struct table { /* open addressing; slot: 1 + number of the entry, 0 empty */
  unsigned mask, count;
  uint16_t slot[2 * MSL_MAX_LANES];
};

static void table_clear(struct table *table, unsigned lanes) {
  unsigned size = 64;
  while (size < 2 * lanes)
    size *= 2;
  table->mask = size - 1;
  table->count = 0;
  memset(table->slot, 0, size * sizeof table->slot[0]);
}

static unsigned hash(const struct table *table, int64_t a, int64_t b) {
  uint64_t mixed = ((uint64_t)a + (uint64_t)b * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return (unsigned)(mixed >> 40) & table->mask;
}

/* Moves each new value to the front of `values`: their number. */
static unsigned distinct(int64_t *values, unsigned n) {
  struct table table;
  table_clear(&table, n);
  for (unsigned i = 0; i < n; i++) {
    int64_t value = values[i];
    if (table.count && value == values[table.count - 1])
      continue;
    unsigned at = hash(&table, value, 0);
    while (table.slot[at] && values[table.slot[at] - 1] != value)
      at = (at + 1) & table.mask;
    if (table.slot[at])
      continue;
    values[table.count] = value;
    table.slot[at] = (uint16_t)++table.count;
  }
  return table.count;
}

/* The same for pairs. */
static unsigned distinct_pairs(int64_t *f, int64_t *g, unsigned n) {
  struct table table;
  table_clear(&table, n);
  for (unsigned i = 0; i < n; i++) {
    int64_t a = f[i], b = g[i];
    unsigned at = hash(&table, a, b);
    while (table.slot[at] && (f[table.slot[at] - 1] != a || g[table.slot[at] - 1] != b))
      at = (at + 1) & table.mask;
    if (table.slot[at])
      continue;
    f[table.count] = a;
    g[table.count] = b;
    table.slot[at] = (uint16_t)++table.count;
  }
  return table.count;
}

static unsigned most_frequent(int64_t *values, unsigned n) {
  struct table table;
  uint16_t times[MSL_MAX_LANES];
  unsigned most = 0;
  table_clear(&table, n);
  for (unsigned i = 0; i < n; i++) {
    int64_t value = values[i];
    unsigned at = hash(&table, value, 0);
    while (table.slot[at] && values[table.slot[at] - 1] != value)
      at = (at + 1) & table.mask;
    if (!table.slot[at]) {
      values[table.count] = value;
      times[table.count] = 0;
      table.slot[at] = (uint16_t)++table.count;
    }
    unsigned count = ++times[table.slot[at] - 1];
    most = count > most ? count : most;
  }
  return most;
}

static unsigned most_frequent_below(const int64_t *values, unsigned n, unsigned bound) {
  uint16_t times[MSL_MAX_LANES];
  unsigned most = 0;
  memset(times, 0, bound * sizeof times[0]);
  for (unsigned i = 0; i < n; i++) {
    unsigned count = ++times[values[i]];
    most = count > most ? count : most;
  }
  return most;
}

/* ---- the three ways ---------------------------------------------------------------------------------------------- */

static unsigned count_distinct(const struct msl_condition *c, const struct access *access) {
  int64_t f[MSL_MAX_LANES];
  keys_of(c, &c->f, access, f);
  return distinct(f, access->lanes);
}

/* g is a function of f, as a bank is of a word: different values of f are enough to know. */
static bool follows(const struct msl_key *f, const struct msl_key *g) {
  return f->simple && g->simple && !f->modulus && f->indexed == g->indexed && g->divisor % f->divisor == 0;
}

static unsigned different_pairs(const struct msl_condition *c, const struct access *access, int64_t *f, int64_t *g) {
  keys_of(c, &c->f, access, f);
  if (!follows(&c->f, &c->g)) {
    keys_of(c, &c->g, access, g);
    return distinct_pairs(f, g, access->lanes);
  }
  unsigned count = distinct(f, access->lanes);
  memcpy(g, f, count * sizeof *g);
  if (c->g.divisor != c->f.divisor)
    divide_all(g, count, c->g.divisor / c->f.divisor);
  if (c->g.modulus)
    modulo_all(g, count, c->g.modulus);
  return count;
}

/* Lanes conflict when f differs and g agrees: each value of g needs a transaction for each of its values of f. */
static unsigned count_conflicts(const struct msl_condition *c, const struct access *access) {
  int64_t f[MSL_MAX_LANES], g[MSL_MAX_LANES];
  unsigned count = different_pairs(c, access, f, g);
  if (c->g.modulus > 0 && c->g.modulus <= MSL_MAX_LANES)
    return most_frequent_below(g, count, (unsigned)c->g.modulus);
  return most_frequent(g, count);
}

/* First fit: in lane order, each lane joins the first transaction that holds none it is serialised with. */
static unsigned count_pairwise(const struct msl_condition *c, const struct access *access) {
  struct msl_lane lanes[MSL_MAX_LANES];
  uint16_t transaction[MSL_MAX_LANES];
  unsigned count = 0;
  for (unsigned i = 0; i < access->lanes; i++) {
    bool taken[MSL_MAX_LANES + 1];
    memset(taken, 0, count + 1);
    lanes[i] = lane_at(c, access, i);
    for (unsigned j = 0; j < i; j++)
      if (!taken[transaction[j]] && (msl_condition_eval(c, c->root, &lanes[j], &lanes[i]) ||
                                     msl_condition_eval(c, c->root, &lanes[i], &lanes[j])))
        taken[transaction[j]] = true;
    unsigned first = 0;
    while (taken[first])
      first++;
    transaction[i] = (uint16_t)first;
    count = first == count ? count + 1 : count;
  }
  return count;
}

static bool usable(const struct place_memory *memory, unsigned lanes, unsigned *transactions) {
  *transactions = lanes > 0 && lanes <= MSL_MAX_LANES;
  return *transactions && memory->serial;
}

unsigned msl_transactions_general(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes,
                                  uint64_t base_address, unsigned element_bytes) {
  unsigned transactions;
  if (!usable(memory, lanes, &transactions))
    return transactions;
  struct access access = {byte_addresses, lanes, base_address, element_bytes ? element_bytes : 1};
  return count_pairwise(memory->serial, &access);
}

unsigned msl_transactions_of_array(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes,
                                   uint64_t base_address, unsigned element_bytes) {
  unsigned transactions;
  if (!usable(memory, lanes, &transactions))
    return transactions;
  struct access access = {byte_addresses, lanes, base_address, element_bytes ? element_bytes : 1};
  switch (memory->serial->shape) {
  case MSL_SHAPE_DISTINCT: return count_distinct(memory->serial, &access);
  case MSL_SHAPE_CONFLICT: return count_conflicts(memory->serial, &access);
  default: return count_pairwise(memory->serial, &access);
  }
}

unsigned msl_transactions(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes) {
  return msl_transactions_of_array(memory, byte_addresses, lanes, 0, 4);
}

uint64_t msl_serial_block_bytes(const struct place_memory *memory) {
  const struct msl_condition *c = memory->serial;
  if (!c || c->shape != MSL_SHAPE_DISTINCT || !c->f.simple || c->f.modulus)
    return 0;
  uint64_t bytes = (uint64_t)c->f.divisor * (c->f.indexed ? 4 : 1);
  return bytes & (bytes - 1) ? 0 : bytes;
}

unsigned msl_distinct_blocks(const uint64_t *byte_addresses, unsigned lanes, uint64_t block_bytes) {
  int64_t blocks[MSL_MAX_LANES];
  if (lanes > MSL_MAX_LANES)
    return 0;
  for (unsigned i = 0; i < lanes; i++)
    blocks[i] = (int64_t)(byte_addresses[i] / (block_bytes ? block_bytes : 1));
  return distinct(blocks, lanes);
}
