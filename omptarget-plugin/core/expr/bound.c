/* Expressions at one launch: making parts, and their values. */
#include "bound.h"

#include <stdlib.h>
#include <string.h>

#include "expr_op.h"

enum { FORM_TERMS = 12, PART_TID = 0, PART_TEAM = 1, PART_LOOP = 2, LEVEL_WARP = 1, LEVEL_LOOP = 2 };
enum { OP_SYMBOL = 100, OP_SUM }; /* beside PLACE_EXPR_MUL, casts and calls */

struct bound_term {
  uint64_t factor;
  int32_t part;
};

struct bound_part {
  uint8_t op, bits;
  bool known;         /* has a value at the point of `stamp` */
  bool uniform;       /* does not depend on the thread: one number */
  bool idle;          /* a cast that changes nothing */
  bool plain;         /* OP_SUM: of symbols only */
  uint16_t level;     /* 0: a number; 1: depends on the warp; 2 + n: and on loop n, or those before it */
  int32_t a, b;       /* operands; OP_SUM: first term and number of terms */
  uint64_t constant;  /* OP_SUM */
  uint64_t stamp;     /* clock of its value */
  int32_t next;       /* of the same hash */
};

/* A sum that is being made. */
struct form {
  uint64_t constant;
  unsigned count;
  struct bound_term term[FORM_TERMS];
};

/* ---- parts ---- */

/* The array with room for one more element, or NULL. */
static void *grown(void *array, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return array;
  size_t wanted = *capacity ? 2 * *capacity : 256;
  void *more = realloc(array, wanted * size);
  if (more) *capacity = wanted;
  return more;
}

static unsigned hash_of(const struct bound_part *p, const struct bound_term *terms) {
  uint64_t h = p->op * 31u + p->bits;
  if (p->op != OP_SUM) h = (h * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)p->a) * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)p->b;
  else h = h * UINT64_C(0x9e3779b97f4a7c15) + p->constant;
  for (int32_t i = 0; p->op == OP_SUM && i < p->b; i++)
    h = (h ^ terms[i].factor) * UINT64_C(0x9e3779b97f4a7c15) + (uint32_t)terms[i].part;
  return (unsigned)((h * UINT64_C(0xd6e8feb86659fd93)) >> 56) % BOUND_HEADS;
}

static bool same_part(const struct bound *b, const struct bound_part *p, const struct bound_part *q,
                      const struct bound_term *terms) {
  if (p->op != q->op || p->bits != q->bits || p->b != q->b) return false;
  if (p->op != OP_SUM) return p->a == q->a;
  if (p->constant != q->constant) return false;
  for (int32_t i = 0; i < p->b; i++)
    if (b->terms[p->a + i].factor != terms[i].factor || b->terms[p->a + i].part != terms[i].part) return false;
  return true;
}

static int append_terms(struct bound *b, const struct bound_term *terms, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    struct bound_term *more = grown(b->terms, b->term_count, &b->term_capacity, sizeof *more);
    if (!more) return -1;
    b->terms = more;
    b->terms[b->term_count++] = terms[i];
  }
  return 0;
}

static int32_t append(struct bound *b, struct bound_part part, const struct bound_term *terms, unsigned hash) {
  struct bound_part *more = grown(b->parts, b->part_count, &b->part_capacity, sizeof *more);
  if (!more) return BOUND_NO_MEMORY;
  b->parts = more;
  if (part.op == OP_SUM) {
    part.a = (int32_t)b->term_count;
    if (append_terms(b, terms, part.b)) return BOUND_NO_MEMORY;
  }
  part.next = b->head[hash];
  b->parts[b->part_count] = part;
  return b->head[hash] = (int32_t)b->part_count++;
}

/* The part that is equal, or a new one. */
static int32_t intern(struct bound *b, const struct bound_part *part, const struct bound_term *terms) {
  unsigned hash = hash_of(part, terms);
  for (int32_t i = b->head[hash]; i >= 0; i = b->parts[i].next)
    if (same_part(b, &b->parts[i], part, terms)) return i;
  return append(b, *part, terms, hash);
}

static int32_t intern_form(struct bound *b, const struct form *f) {
  struct bound_part sum = {.op = OP_SUM, .b = (int32_t)f->count, .constant = f->constant, .uniform = true, .plain = true};
  if (f->count == 1 && f->constant == 0 && f->term[0].factor == 1) return f->term[0].part;
  for (unsigned i = 0; i < f->count; i++) {
    const struct bound_part *part = &b->parts[f->term[i].part];
    if (part->level > sum.level) sum.level = part->level;
    sum.uniform &= part->uniform;
    sum.plain &= part->op == OP_SYMBOL;
  }
  return intern(b, &sum, f->term);
}

static int32_t intern_pair(struct bound *b, uint8_t op, uint8_t bits, int32_t x, int32_t y) {
  struct bound_part pair = {.op = op, .bits = bits, .a = x, .b = y, .level = b->parts[x].level, .uniform = b->parts[x].uniform};
  if (y >= 0 && b->parts[y].level > pair.level) pair.level = b->parts[y].level;
  if (y >= 0) pair.uniform &= b->parts[y].uniform;
  return intern(b, &pair, NULL);
}

/* ---- sums ---- */

static void form_of_part(int32_t part, struct form *f) {
  f->constant = 0;
  f->count = 1;
  f->term[0] = (struct bound_term){1, part};
}

/* f += factor * part; terms ascend by part. A factor of 0 stays: the part may have no value. */
static int add_term(struct bound *b, struct form *f, uint64_t factor, int32_t part) {
  unsigned at = 0;
  while (at < f->count && f->term[at].part < part) at++;
  if (at < f->count && f->term[at].part == part) return f->term[at].factor += factor, 0;
  if (f->count == FORM_TERMS) { /* a sum of its own */
    int32_t own = intern_form(b, f);
    if (own < 0) return own;
    form_of_part(own, f);
    at = own < part;
  }
  memmove(&f->term[at + 1], &f->term[at], (f->count - at) * sizeof *f->term);
  f->term[at] = (struct bound_term){factor, part};
  f->count++;
  return 0;
}

static int add_form(struct bound *b, struct form *f, const struct form *other) {
  int rc = 0;
  f->constant += other->constant;
  for (unsigned i = 0; rc == 0 && i < other->count; i++) rc = add_term(b, f, other->term[i].factor, other->term[i].part);
  return rc;
}

static void scale_form(struct form *f, uint64_t by) {
  f->constant *= by;
  for (unsigned i = 0; i < f->count; i++) f->term[i].factor *= by;
}

/* ---- expressions ---- */

static int make_form(struct bound *b, place_expr expr, struct form *f);

static int multiply_forms(struct bound *b, struct form *f, struct form *other) {
  if (other->count == 0) return scale_form(f, other->constant), 0;
  if (f->count == 0) return scale_form(other, f->constant), *f = *other, 0;
  int32_t x = intern_form(b, f), y = intern_form(b, other);
  if (x < 0 || y < 0) return BOUND_NO_MEMORY;
  int32_t product = intern_pair(b, PLACE_EXPR_MUL, 0, x < y ? x : y, x < y ? y : x);
  return product < 0 ? product : (form_of_part(product, f), 0);
}

/* Whether the value is always one that an operation of that many bits leaves as it is. */
static bool is_canonical(struct place_range r, bool is_signed, unsigned bits) {
  unsigned magnitude = bits >= 64 ? 63 : is_signed ? bits - 1 : bits;
  int64_t hi = (int64_t)expr_mask(magnitude);
  return r.known && r.hi <= hi && r.lo >= (is_signed ? -hi - 1 : 0);
}

static int make_cast(struct bound *b, const struct place_expr_node *node, struct form *f) {
  if (f->count == 0) return f->constant = expr_cast(node->op, node->bits, f->constant), 0;
  if (node->bits >= 64) return 0;
  bool is_signed = node->op == PLACE_EXPR_SEXT;
  size_t parts;
  int32_t of = intern_form(b, f), cast = BOUND_NO_MEMORY;
  parts = b->part_count;
  if (of >= 0) cast = intern_pair(b, is_signed ? PLACE_EXPR_SEXT : PLACE_EXPR_ZEXT, node->bits, of, BOUND_UNKNOWN);
  if (cast < 0) return cast;
  if (b->part_count > parts) /* a new one; how it is written elsewhere changes little of its bounds */
    b->parts[cast].idle = is_canonical(place_expr_bound(b->pool, node->a, &b->box), is_signed, node->bits);
  if (!b->parts[cast].idle) form_of_part(cast, f);
  return 0;
}

/* Whether a minimum or maximum with a number is always the other operand. */
static bool is_idle(const struct bound *b, const struct place_expr_node *node, place_expr operand, uint64_t number) {
  bool is_signed = node->op == PLACE_EXPR_SMIN || node->op == PLACE_EXPR_SMAX;
  bool least = node->op == PLACE_EXPR_SMIN || node->op == PLACE_EXPR_UMIN;
  struct place_range x, y = {(int64_t)number, (int64_t)number, true};
  if (node->op == PLACE_EXPR_UDIV || node->op == PLACE_EXPR_UREM || !is_canonical(y, is_signed, node->bits)) return false;
  x = place_expr_bound(b->pool, operand, &b->box);
  return is_canonical(x, is_signed, node->bits) && (least ? x.hi <= y.lo : x.lo >= y.hi);
}

static int make_call2(struct bound *b, const struct place_expr_node *node, struct form *f, const struct form *other) {
  if (f->count == 0 && other->count == 0)
    return expr_call2(node->op, node->bits, f->constant, other->constant, &f->constant) ? 0 : BOUND_UNKNOWN;
  if (other->count == 0 && is_idle(b, node, node->a, other->constant)) return 0;
  if (f->count == 0 && is_idle(b, node, node->b, f->constant)) return *f = *other, 0;
  int32_t x = intern_form(b, f), y = intern_form(b, other);
  int32_t call = x < 0 || y < 0 ? BOUND_NO_MEMORY : intern_pair(b, node->op, node->bits, x, y);
  return call < 0 ? call : (form_of_part(call, f), 0);
}

static int make_symbol(struct bound *b, const struct place_expr_node *node, struct form *f) {
  size_t n = (size_t)node->value;
  f->count = 0;
  if (node->op == PLACE_EXPR_TID) return form_of_part(PART_TID, f), 0;
  if (node->op == PLACE_EXPR_TEAM) return form_of_part(PART_TEAM, f), 0;
  if (node->op == PLACE_EXPR_LOOP) return n < b->loops ? (form_of_part((int32_t)(PART_LOOP + n), f), 0) : BOUND_UNKNOWN;
  if (node->op == PLACE_EXPR_ANY && b->kind == BOUND_THREAD) return f->constant = 0, 0;
  place_expr self = (place_expr)(node - b->pool->nodes);
  return place_expr_eval(b->pool, self, &b->at, &f->constant) ? 0 : BOUND_UNKNOWN;
}

static int make_form(struct bound *b, place_expr expr, struct form *f) {
  if (expr < 0 || (size_t)expr >= b->pool->count) return BOUND_UNKNOWN;
  const struct place_expr_node *node = &b->pool->nodes[expr];
  struct form other;
  if (node->op <= PLACE_EXPR_ANY) return make_symbol(b, node, f);
  int rc = make_form(b, node->a, f);
  if (rc) return rc;
  if (expr_is_cast(node->op)) return make_cast(b, node, f);
  if ((rc = make_form(b, node->b, &other))) return rc;
  if (node->op == PLACE_EXPR_ADD) return add_form(b, f, &other);
  if (node->op == PLACE_EXPR_MUL) return multiply_forms(b, f, &other);
  return make_call2(b, node, f, &other);
}

/* ---- opening ---- */

int bound_open(struct bound *b, enum bound_kind kind, const struct place_expr_pool *pool, const struct place_point *at,
               size_t loops) {
  int64_t threads = (int64_t)at->threads, teams = (int64_t)at->teams;
  int64_t last = (int64_t)at->tid + (kind == BOUND_WARP ? LANES - 1 : 0); /* lanes without a thread have values, too */
  *b = (struct bound){.kind = kind, .pool = pool, .at = *at, .loops = loops};
  b->box = (struct place_box){.tid = {0, last, true}, .team = {0, (int64_t)at->team, true}, .threads = {threads, threads, true},
                              .teams = {teams, teams, true}, .loop = b->range, .arg = at->arg, .arg_known = at->arg_known,
                              .args = at->args};
  if (loops > BOUND_MAX_LOOPS) return -1;
  memset(b->head, -1, sizeof b->head);
  for (size_t i = 0; i < PART_LOOP + loops; i++) {
    bool uniform = i != PART_TID || kind == BOUND_THREAD;
    struct bound_part symbol = {.op = OP_SYMBOL, .known = true, .uniform = uniform, .a = (int32_t)i,
                                .level = (uint16_t)(i < PART_LOOP ? LEVEL_WARP : LEVEL_LOOP + i - PART_LOOP)};
    if (intern(b, &symbol, NULL) < 0) return -1;
  }
  return 0;
}

void bound_close(struct bound *b) {
  free(b->parts);
  free(b->terms);
  free(b->value);
  *b = (struct bound){.parts = NULL};
}

void bound_next_loop(struct bound *b, uint64_t most) {
  b->range[b->box.loops++] = (struct place_range){0, (int64_t)most, most <= INT64_MAX};
}

int32_t bound_add(struct bound *b, place_expr expr) {
  struct form f;
  int rc = make_form(b, expr, &f);
  return rc ? rc : intern_form(b, &f);
}

int32_t bound_add_number(struct bound *b, uint64_t number) {
  struct form f = {.constant = number, .count = 0};
  return intern_form(b, &f);
}

/* ---- values ---- */

static void set_symbol(struct bound *b, size_t part, uint64_t base, uint64_t step) {
  b->symbol[part] = base;
  lanes_affine(&b->value[part], base, step);
  b->clock++;
  for (size_t level = b->parts[part].level; level < LEVEL_LOOP + b->loops; level++) b->since[level] = b->clock;
}

int bound_ready(struct bound *b) {
  b->value = malloc(b->part_count * sizeof *b->value);
  if (!b->value) return -1;
  b->since[0] = b->clock = 1;
  for (size_t i = 0; i < PART_LOOP + b->loops; i++) set_symbol(b, i, 0, i == PART_TID && b->kind == BOUND_WARP);
  return 0;
}

void bound_warp(struct bound *b, uint64_t tid, uint64_t team) {
  b->symbol[PART_TID] = tid;
  lanes_affine(&b->value[PART_TID], tid, b->kind == BOUND_WARP);
  set_symbol(b, PART_TEAM, team, 0);
}

void bound_loop(struct bound *b, size_t loop, uint64_t iteration) {
  if (b->symbol[PART_LOOP + loop] != iteration) set_symbol(b, PART_LOOP + loop, iteration, 0);
}

static bool renew(struct bound *b, int32_t part);

/* Brings the part's value up to date; false: it has none. */
static inline bool refresh(struct bound *b, int32_t part) {
  const struct bound_part *p = &b->parts[part];
  return p->op == OP_SYMBOL || p->stamp >= b->since[p->level] ? p->known : renew(b, part);
}

/* Adds the terms that are no multiple of the lane. */
static void add_spread(struct bound *b, const struct bound_part *p, struct lanes *v) {
  for (unsigned l = 0; l < LANES; l++) v->value[l] = v->base + l * v->step;
  v->affine = false;
  for (const struct bound_term *t = &b->terms[p->a], *end = t + p->b; t < end; t++) {
    const struct lanes *of = &b->value[t->part];
    for (unsigned l = 0; !of->affine && l < LANES; l++) v->value[l] += t->factor * of->value[l];
  }
}

/* The thread comes first among the symbols. */
static void eval_plain(const struct bound *b, const struct bound_part *p, struct lanes *v) {
  const struct bound_term *t = &b->terms[p->a], *end = t + p->b;
  uint64_t base = p->constant, step = p->uniform ? 0 : t->factor;
  for (; t < end; t++) base += t->factor * b->symbol[t->part];
  lanes_affine(v, base, step);
}

static bool eval_sum(struct bound *b, const struct bound_part *p, struct lanes *v) {
  uint64_t base = p->constant, step = 0;
  bool affine = true;
  for (const struct bound_term *t = &b->terms[p->a], *end = t + p->b; t < end; t++) {
    if (!refresh(b, t->part)) return false;
    const struct lanes *of = &b->value[t->part];
    if (of->affine) base += t->factor * of->base, step += t->factor * of->step;
    affine &= of->affine;
  }
  lanes_affine(v, base, step);
  if (!affine) add_spread(b, p, v);
  return true;
}

/* A part that is one number. */
static bool eval_uniform(const struct bound *b, const struct bound_part *p, struct lanes *v) {
  uint64_t x = b->value[p->a].base, value;
  if (expr_is_cast(p->op)) return lanes_affine(v, expr_cast(p->op, p->bits, x), 0), true;
  if (p->op == PLACE_EXPR_MUL) return lanes_affine(v, x * b->value[p->b].base, 0), true;
  if (!expr_call2(p->op, p->bits, x, b->value[p->b].base, &value)) return false;
  return lanes_affine(v, value, 0), true;
}

static bool eval_part(struct bound *b, const struct bound_part *p, struct lanes *v) {
  if (p->op == OP_SUM) return eval_sum(b, p, v);
  if (!refresh(b, p->a) || (p->b >= 0 && !refresh(b, p->b))) return false;
  if (p->uniform) return eval_uniform(b, p, v);
  lanes_copy(v, &b->value[p->a]);
  if (expr_is_cast(p->op)) return lanes_cast(v, p->op, p->bits), true;
  if (p->op == PLACE_EXPR_MUL) return lanes_multiply(v, &b->value[p->b]), true;
  return lanes_call2(v, &b->value[p->b], p->op, p->bits);
}

static bool renew(struct bound *b, int32_t part) {
  struct bound_part *p = &b->parts[part];
  p->stamp = b->clock;
  if (p->plain) return eval_plain(b, p, &b->value[part]), p->known = true;
  return p->known = eval_part(b, p, &b->value[part]);
}

const struct lanes *bound_eval(struct bound *b, int32_t part, size_t loops) {
  if (part < 0 || b->parts[part].level >= LEVEL_LOOP + loops) return NULL;
  return refresh(b, part) ? &b->value[part] : NULL;
}
