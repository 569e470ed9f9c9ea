/* Forests: reading their text, and evaluating them. */
#include "forest.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int feature; /* -1: a leaf */
  uint32_t left, right;
  double threshold, value[PLACE_SPACE_COUNT];
};

struct tree {
  struct node *node;
  uint32_t count;
};

struct place_forest {
  place_space_set spaces; /* that it has values of */
  struct tree *tree;
  uint32_t count;
};

void forest_value(const struct place_forest *forest, const double row[FEATURE_COUNT], double value[PLACE_SPACE_COUNT]) {
  memset(value, 0, PLACE_SPACE_COUNT * sizeof *value);
  for (uint32_t t = 0; t < forest->count; t++) {
    const struct node *nodes = forest->tree[t].node, *n = nodes;
    while (n->feature >= 0) n = &nodes[row[n->feature] <= n->threshold ? n->left : n->right];
    for (unsigned s = 0; s < PLACE_SPACE_COUNT; s++) value[s] += n->value[s] / forest->count;
  }
}

place_space_set forest_spaces(const struct place_forest *forest) { return forest->spaces; }

void place_forest_free(struct place_forest *forest) {
  for (uint32_t t = 0; forest && t < forest->count; t++) free(forest->tree[t].node);
  if (forest) free(forest->tree);
  free(forest);
}

/* ---- reading ---- */

enum { MOST_WORDS = 16, WORD_BYTES = 32, LINE_BYTES = 512 };

struct reader {
  const char *at, *end;
  unsigned line;
  unsigned words;
  char word[MOST_WORDS][WORD_BYTES];
  unsigned space_of[MOST_WORDS]; /* the space of a leaf's value by its place in the line */
  unsigned spaces;
  struct place_diag *diag;
};

static int wrong(struct reader *r, const char *format, ...) {
  char what[160];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return place_diag_set(r->diag, "line %u: %s; place-train --out FILE writes it anew", r->line, what);
}

/* The words of the next line that says something; -1 and a diagnostic where there is none, or it is too long. */
static int next_line(struct reader *r) {
  char line[LINE_BYTES], *rest = NULL;
  do {
    const char *stop = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    r->line++;
    if (!stop) return wrong(r, "the text ends too early");
    size_t length = (size_t)(stop - r->at);
    if (length >= sizeof line || memchr(r->at, 0, length)) return wrong(r, "this is no line of a forest");
    memcpy(line, r->at, length);
    line[length] = 0;
    r->at = stop + 1;
  } while (*line == '#');
  r->words = 0;
  for (char *w = strtok_r(line, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
    if (r->words == MOST_WORDS || strlen(w) >= WORD_BYTES) return wrong(r, "this is no line of a forest");
    strcpy(r->word[r->words++], w);
  }
  return 0;
}

static int number_of(struct reader *r, const char *word, double *out) {
  char *end;
  *out = strtod(word, &end);
  return *end || end == word || !isfinite(*out) ? wrong(r, "'%s' is no number", word) : 0;
}

static int count_of(struct reader *r, const char *word, uint32_t least, uint32_t most, uint32_t *out) {
  double value;
  if (number_of(r, word, &value)) return -1;
  if (value < least || value > most || value != floor(value)) return wrong(r, "'%s' is not from %u to %u", word, least, most);
  *out = (uint32_t)value;
  return 0;
}

/* The next line, which begins so and has that many words behind. */
static int expect(struct reader *r, const char *keyword, unsigned words) {
  if (next_line(r)) return -1;
  if (r->words != words + 1 || strcmp(r->word[0], keyword)) return wrong(r, "'%s' and %u word%s are missing", keyword, words, words == 1 ? "" : "s");
  return 0;
}

static int read_head(struct reader *r, place_space_set *spaces) {
  if (expect(r, "place-forest", 1)) return -1;
  if (strcmp(r->word[1], "1")) return wrong(r, "it is of form '%s', and form 1 can be read", r->word[1]);
  if (next_line(r)) return -1;
  if (!r->words || strcmp(r->word[0], "spaces")) return wrong(r, "'spaces' is missing");
  r->spaces = r->words - 1;
  for (unsigned i = 0; i < r->spaces; i++) {
    enum place_space space;
    if (place_space_parse(r->word[i + 1], strlen(r->word[i + 1]), &space)) return wrong(r, "there is no space '%s'", r->word[i + 1]);
    r->space_of[i] = space;
    *spaces |= PLACE_SPACE_BIT(space);
  }
  return 0;
}

static int read_leaf(struct reader *r, struct node *node) {
  node->feature = -1;
  if (r->words != r->spaces + 1) return wrong(r, "a leaf has %u values", r->spaces);
  for (unsigned i = 0; i < r->spaces; i++)
    if (number_of(r, r->word[i + 1], &node->value[r->space_of[i]])) return -1;
  return 0;
}

/* What a split leads to lies behind it, so every way ends in a leaf. */
static int read_node(struct reader *r, uint32_t own, uint32_t count, struct node *node) {
  if (next_line(r)) return -1;
  if (r->words && !strcmp(r->word[0], "leaf")) return read_leaf(r, node);
  if (r->words != 5 || strcmp(r->word[0], "split")) return wrong(r, "neither a split nor a leaf");
  node->feature = 0;
  while (node->feature < FEATURE_COUNT && strcmp(feature_names[node->feature], r->word[1])) node->feature++;
  if (node->feature == FEATURE_COUNT) return wrong(r, "there is no feature '%s'", r->word[1]);
  if (own + 1 >= count) return wrong(r, "the tree's last node is no leaf");
  if (number_of(r, r->word[2], &node->threshold)) return -1;
  if (count_of(r, r->word[3], own + 1, count - 1, &node->left)) return -1;
  return count_of(r, r->word[4], own + 1, count - 1, &node->right);
}

static int read_tree(struct reader *r, struct tree *tree) {
  if (expect(r, "tree", 1) || count_of(r, r->word[1], 1, FOREST_MAX_NODES, &tree->count)) return -1;
  tree->node = calloc(tree->count, sizeof *tree->node);
  if (!tree->node) return place_diag_set(r->diag, "out of memory");
  for (uint32_t n = 0; n < tree->count; n++)
    if (read_node(r, n, tree->count, &tree->node[n])) return -1;
  return 0;
}

/* The end line has the sum of all before it. */
static int read_end(struct reader *r, const char *text) {
  char sum[24];
  snprintf(sum, sizeof sum, "%016" PRIx64, place_fnv1a(text, (size_t)(r->at - text)));
  if (expect(r, "end", 1)) return -1;
  if (strcmp(r->word[1], sum)) return wrong(r, "the text was changed, or damaged: its sum is %s", sum);
  return r->at == r->end ? 0 : wrong(r, "something follows upon the end");
}

static int read_forest(struct reader *r, const char *text, struct place_forest *forest) {
  uint32_t count;
  if (read_head(r, &forest->spaces) || expect(r, "trees", 1) || count_of(r, r->word[1], 1, FOREST_MAX_TREES, &count)) return -1;
  forest->tree = calloc(count, sizeof *forest->tree);
  if (!forest->tree) return place_diag_set(r->diag, "out of memory");
  forest->count = count;
  for (uint32_t t = 0; t < count; t++)
    if (read_tree(r, &forest->tree[t])) return -1;
  return read_end(r, text);
}

struct place_forest *place_forest_read(const char *text, size_t length, struct place_diag *diag) {
  struct reader r = {.at = text, .end = text + length, .diag = diag};
  struct place_forest *forest = calloc(1, sizeof *forest);
  if (!forest) return place_diag_set(diag, "out of memory"), NULL;
  if (read_forest(&r, text, forest) == 0) return forest;
  place_forest_free(forest);
  return NULL;
}

/* ---- the one that is built in ---- */

/* Made at build time from learned.forest (CMakeLists.txt). */
extern const unsigned char place_learned_text[];
extern const unsigned long place_learned_text_bytes;

static struct place_forest *builtin;

static void read_builtin(void) { builtin = place_forest_read((const char *)place_learned_text, place_learned_text_bytes, NULL); }

const struct place_forest *place_forest_builtin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_builtin);
  return builtin;
}
