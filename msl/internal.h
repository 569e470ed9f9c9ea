/* What the files of msl/ share and nobody else sees. Ownership, errors and threads: place/machine.h. */
#ifndef MSL_INTERNAL_H
#define MSL_INTERNAL_H

#include <stdarg.h>

#include "place/machine.h"

/* ---- limits: stated in docs/msl.md ------------------------------------------------------------------------------- */

enum { MSL_MAX_MEMORIES = 64, MSL_MAX_POINTS = 128, MSL_MAX_NODES = 255, MSL_MAX_NESTING = 32 };

/* ---- text.c: a growing text, and numbers in the form that reads back as the same number -------------------------- */

struct msl_text {
  char *bytes;
  size_t len, capacity;
  bool failed; /* out of memory: what follows is dropped */
};

void msl_text_bytes(struct msl_text *out, const char *bytes, size_t len);
void msl_text_add(struct msl_text *out, const char *string);
void msl_text_format(struct msl_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void msl_text_real(struct msl_text *out, double value);
void msl_text_size(struct msl_text *out, uint64_t value); /* 5375M; the caller adds the unit */
void msl_text_hertz(struct msl_text *out, double hertz);
char *msl_text_take(struct msl_text *out); /* the text, for free(); NULL if it failed */

/* ---- arena.c: what one machine owns, released at once ------------------------------------------------------------ */

struct msl_arena;
struct msl_arena *msl_arena_new(void);
void *msl_arena_get(struct msl_arena *arena, size_t bytes); /* zeroed; NULL when out of memory */
void *msl_arena_copy(struct msl_arena *arena, const void *from, size_t bytes);
void msl_arena_free(struct msl_arena *arena);

/* What msl_read allocates: the machine is the first member, so that msl_free finds the arena. */
struct msl_owned {
  struct place_machine machine;
  struct msl_arena *arena;
};

/* ---- conditions -------------------------------------------------------------------------------------------------- */

enum msl_op {
  MSL_OP_LITERAL, MSL_OP_BANKS, MSL_OP_BLOCK_SIZE, MSL_OP_LINE, MSL_OP_SECTOR,
  MSL_OP_ADDRESS1, MSL_OP_ADDRESS2, MSL_OP_INDEX1, MSL_OP_INDEX2, MSL_OP_WORD1, MSL_OP_WORD2,
  MSL_OP_FLOOR, MSL_OP_NEGATE, MSL_OP_NOT,
  MSL_OP_MULTIPLY, MSL_OP_DIVIDE, MSL_OP_MODULO, MSL_OP_ADD, MSL_OP_SUBTRACT,
  MSL_OP_LESS, MSL_OP_LESS_EQUAL, MSL_OP_GREATER, MSL_OP_GREATER_EQUAL, MSL_OP_EQUAL, MSL_OP_NOT_EQUAL,
  MSL_OP_AND, MSL_OP_OR
};

struct msl_node {
  uint8_t op, left, right; /* children are indices; a unary operator has left */
  uint32_t at;             /* byte offset in the file */
  int64_t value;           /* of a constant operand, once the memory is known */
};

/* ((address - base) / divisor) % modulus, when an expression has that form */
struct msl_key {
  bool simple;
  bool indexed;    /* base and element size of the array take part */
  uint8_t node;    /* the expression, in operands of lane 1 */
  int64_t divisor; /* for indexed keys in elements */
  int64_t modulus; /* 0: none */
};

enum msl_shape {
  MSL_SHAPE_GENERAL,  /* pair by pair */
  MSL_SHAPE_DISTINCT, /* f(1) != f(2) */
  MSL_SHAPE_CONFLICT  /* f(1) != f(2) && g(1) == g(2) */
};

struct msl_condition {
  enum msl_shape shape;
  struct msl_key f, g;
  int64_t word_bytes;
  unsigned count;
  uint8_t root;
  struct msl_node nodes[]; /* children before parents */
};

struct msl_lane { /* one thread's access, as operands */
  int64_t address, index, word;
};

void msl_condition_recognise(struct msl_condition *condition);                                   /* condition.c */
int64_t msl_condition_eval(const struct msl_condition *condition, unsigned node,                 /* condition.c */
                           const struct msl_lane *one, const struct msl_lane *two);
void msl_condition_print(struct msl_text *out, const struct msl_condition *condition);           /* print_condition.c */
int64_t msl_floor_divide(int64_t a, int64_t b);                                                  /* condition.c */
int64_t msl_floor_modulo(int64_t a, int64_t b);                                                  /* condition.c */
/* transactions.c: every condition by the general path, which the tests compare with the specialised ones */
unsigned msl_transactions_general(const struct place_memory *memory, const uint64_t *byte_addresses, unsigned lanes,
                                  uint64_t base_address, unsigned element_bytes);

/* ---- fields.c: one table for the parser, the printer and diff ---------------------------------------------------- */

enum msl_kind {
  MSL_KIND_NAME, MSL_KIND_ID, MSL_KIND_YES_NO, MSL_KIND_ACCESS, MSL_KIND_COUNT, MSL_KIND_EXTENT, MSL_KIND_TIME,
  MSL_KIND_LEVELS, MSL_KIND_SHARE_SCOPE, MSL_KIND_FACTOR, MSL_KIND_CONDITION, MSL_KIND_PATH, MSL_KIND_BYTES,
  MSL_KIND_PER_CLK, MSL_KIND_PER_SECOND, MSL_KIND_CURVE_BYTES, MSL_KIND_CURVE_COUNT, MSL_KIND_HERTZ, MSL_KIND_ARCH
};

struct msl_field {
  const char *key;  /* of a processor item: the container, as in sm = 32 core */
  const char *item; /* of a processor item; "" for items such as clock = 1980MHz, and for memories */
  enum msl_kind kind;
  size_t offset, second; /* in the entry's struct; second is 0 unless the file may give a <read write> pair */
  double least, most;    /* range of the number */
};

enum { MSL_BASE_FIELDS = 14, MSL_PAPER_ITEMS = 3 };
extern const struct msl_field msl_memory_fields[];    /* the paper's 14 in order, then the extensions */
extern const unsigned msl_memory_field_count;
extern const struct msl_field msl_processor_fields[]; /* the paper's 3, then the extensions */
extern const unsigned msl_processor_field_count;

extern const char *const msl_share_scope_names[4];
extern const char *const msl_thread_scope_names[3];
extern const char *const msl_time_unit_names[5];
extern const char *const msl_operand_names[]; /* by enum msl_op, up to MSL_OP_WORD2 */
bool msl_is_keyword(const char *word);

static inline const void *msl_at(const void *entry, size_t offset) { return (const char *)entry + offset; }

/* The state of a field's value; what has MSL_ABSENT is not printed. */
enum msl_state msl_field_state(const struct msl_field *field, const void *entry);
/* The value alone, as in a file; entry is the machine or one of its memories. */
void msl_field_print(struct msl_text *out, const struct place_machine *machine, const struct msl_field *field,
                     const void *entry); /* print_field.c */

/* ---- reading ----------------------------------------------------------------------------------------------------- */

enum msl_token_kind {
  MSL_END, MSL_WORD, MSL_NUMBER, MSL_BAD,
  MSL_ASSIGN = 256, MSL_SEMICOLON, MSL_OPEN, MSL_CLOSE, MSL_LBRACE, MSL_RBRACE, MSL_LPAREN, MSL_RPAREN, MSL_LFLOOR,
  MSL_RFLOOR, MSL_QUESTION, MSL_TILDE, MSL_PLUS, MSL_MINUS, MSL_STAR, MSL_SLASH, MSL_PERCENT, MSL_BANG, MSL_EQ, MSL_NE,
  MSL_LE, MSL_GE, MSL_ANDAND, MSL_OROR
};

struct msl_token {
  enum msl_token_kind kind;
  size_t at, end; /* byte offsets */
  size_t suffix;  /* of a number: where its unit starts; == end if it has none */
};

struct msl_reference { /* an entry of a levels list before names are resolved */
  size_t at;
  bool by_name;
  uint64_t id;
  const char *name;
};

struct msl_references {
  unsigned count;
  const struct msl_reference *items;
};

enum { MSL_MAX_FIELDS = 48 };

struct msl_draft {              /* what the checker needs to know about an entry beside its values */
  size_t at[MSL_MAX_FIELDS];    /* where each field's value stands, by index in the table; 0: not there */
  struct msl_references upper, lower;
};

struct msl_span { /* where a field's value stands */
  const struct msl_field *field;
  int memory; /* -1: the processor */
  size_t from, to;
};

struct msl_spans { /* of all values that were read; of a lost entry too */
  struct msl_span *items; /* for free() */
  size_t count, capacity;
  bool broken;            /* an entry was lost to a syntax error */
};

struct msl_reader {
  const char *text;
  size_t len, pos;       /* pos: behind the current token */
  size_t last_end;       /* end of the token before it */
  struct msl_token token;
  struct msl_diagnostics *diagnostics;
  struct msl_arena *arena;
  struct place_machine *machine;
  size_t processor_at[MSL_MAX_FIELDS];
  struct place_memory memories[MSL_MAX_MEMORIES];
  struct msl_draft drafts[MSL_MAX_MEMORIES];
  unsigned count;        /* memories read */
  bool broken;           /* an entry was lost to a syntax error: what depends on all entries is not checked */
  bool out_of_memory;
  struct msl_spans *spans; /* NULL: not wanted */
};

/* msl_read, and where each value stands. */
struct place_machine *msl_read_spans(const char *text, size_t len, const char *file, struct msl_diagnostics *diagnostics,
                                     struct msl_spans *spans);

/* diagnostics.c */
void msl_error(struct msl_reader *reader, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void msl_diagnostics_sort(struct msl_diagnostics *diagnostics);

/* lex.c */
void msl_lex_title(struct msl_reader *reader);
void msl_next(struct msl_reader *reader);
bool msl_assignment_ahead(const struct msl_reader *reader); /* '=' follows the current token */
bool msl_token_is(const struct msl_reader *reader, const char *word);
const char *msl_token_text(const struct msl_reader *reader, char *buffer, size_t bytes); /* for messages */
const char *msl_token_string(struct msl_reader *reader);                                /* in the arena; "" on failure */

/* parse.c, parse_value.c, parse_list.c, parse_condition.c: false after a syntax error, said already */
void msl_parse(struct msl_reader *reader);
void msl_spans_add(struct msl_spans *spans, const struct msl_span *span); /* read.c; without memory it is left out */
bool msl_parse_field(struct msl_reader *reader, const struct msl_field *field, void *entry, struct msl_draft *draft);
bool msl_parse_open(struct msl_reader *reader, enum msl_state *state); /* takes ?, na or om; false: none here */
bool msl_expect(struct msl_reader *reader, enum msl_token_kind kind, const char *what); /* takes it */
bool msl_syntax(struct msl_reader *reader, const char *expected); /* "expected ..., found ..."; always false */
bool msl_parse_levels(struct msl_reader *reader, const struct msl_field *field, struct msl_levels *levels,
                      struct msl_references *references);
bool msl_parse_curve(struct msl_reader *reader, const struct msl_field *field, struct msl_curve *curve);
bool msl_parse_condition(struct msl_reader *reader, struct place_memory *memory);
/* The number of a condition's operands, once the memory's other fields are known. */
void msl_bind_condition(struct msl_reader *reader, struct place_memory *memory);

/* number.c: the value of the current token, which is taken if it is a number at all. Whatever is wrong was said. */
enum msl_taken {
  MSL_NO_NUMBER, /* a syntax error; the token stays */
  MSL_WRONG,     /* taken, but without a usable value: unit or range */
  MSL_TAKEN
};
enum msl_taken msl_take_integer(struct msl_reader *reader, const struct msl_field *field, uint64_t *value);
enum msl_taken msl_take_size(struct msl_reader *reader, const struct msl_field *field, enum msl_size_unit *unit,
                             uint64_t *value); /* 48K, 128B, 16KB, 64E; unit NULL: bytes only */
enum msl_taken msl_take_real(struct msl_reader *reader, const struct msl_field *field, const char *unit, double *value);
enum msl_taken msl_take_time(struct msl_reader *reader, const struct msl_field *field, enum msl_time_unit *unit,
                             double *value);
enum msl_taken msl_take_hertz(struct msl_reader *reader, const struct msl_field *field, double *hertz);

/* check.c, levels.c: after parsing */
void msl_check(struct msl_reader *reader);
void msl_resolve_levels(struct msl_reader *reader);

#endif
