#include "replay.h"

#include "cache.h"
#include "finding.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A trace that grows beyond this waits for its turn instead.
enum { MAX_MEMORIES = 64, LONG_TRACE_WORDS = 1 << 22, FIRST_WORDS = 1 << 12, MAX_PIECES = 4096 };

// Words: a row's address, the number of pieces, the pieces' numbers, and so on.
struct simt_trace {
  uint64_t *words;
  size_t count, capacity;
  uint32_t team;
  struct simt_trace *next; // of the ended ones that wait for their turn, or of the free ones
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static const struct simt_model *model;
static uint32_t turn; // the team whose trace is replayed next
static struct simt_trace *ended, *unused;
static struct simt_cache **pieces_of[MAX_MEMORIES]; // for each memory of the machine, its pieces

static unsigned piece_count(const struct simt_level *level) {
  if (!level->near)
    return 1;
  bool tpc = level->memory->share_scope.state == MSL_GIVEN && level->memory->share_scope.value == MSL_TPC;
  return tpc ? (model->sms - 1) / model->sms_per_tpc + 1 : model->sms;
}

static void empty_near(const struct simt_level *level) {
  struct simt_cache **pieces = pieces_of[level->index];
  for (unsigned p = 0; pieces && level->near && p < piece_count(level); p++)
    if (pieces[p])
      simt_cache_empty(pieces[p]);
}

void simt_replay_begin_launch(const struct simt_model *of) {
  model = of;
  turn = 0;
  for (unsigned space = 0; space < SIMT_COUNT_SPACES; space++)
    for (unsigned j = 0; j < model->chain[space].count; j++)
      empty_near(&model->chain[space].level[j]);
}

static struct simt_cache *cache_at(const struct simt_level *level, uint32_t team) {
  struct simt_cache ***pieces = &pieces_of[level->index];
  unsigned sm = team % model->sms;
  bool tpc = level->near && piece_count(level) != model->sms;
  unsigned piece = !level->near ? 0 : tpc ? sm / model->sms_per_tpc : sm;
  if (!*pieces && !(*pieces = calloc(piece_count(level), sizeof **pieces)))
    simt_fatal("no memory for caches");
  if (!(*pieces)[piece])
    (*pieces)[piece] = simt_cache_make(level->lines, (unsigned)(level->line_bytes / level->fill_bytes));
  return (*pieces)[piece];
}

// Adds a number that is not there yet; most repeat the last one.
static unsigned add_piece(uint64_t *pieces, unsigned count, uint64_t piece) {
  for (unsigned i = count; i-- > 0;)
    if (pieces[i] == piece)
      return count;
  if (count == MAX_PIECES)
    simt_fatal("one access of more than %d pieces", MAX_PIECES);
  pieces[count] = piece;
  return count + 1;
}

// The pieces of the next level that hold the given ones of this level.
static unsigned to_next_level(uint64_t *pieces, unsigned count, uint64_t from_bytes, uint64_t to_bytes) {
  static uint64_t taken[MAX_PIECES]; // under the lock
  if (from_bytes == to_bytes)
    return count;
  unsigned out = 0;
  memcpy(taken, pieces, count * sizeof *pieces);
  for (unsigned i = 0; i < count; i++)
    for (uint64_t at = taken[i] * from_bytes; at < (taken[i] + 1) * from_bytes; at += to_bytes)
      out = add_piece(pieces, out, at / to_bytes);
  return out;
}

static unsigned first_level(const struct simt_row *row, const struct simt_chain *chain) {
  unsigned j = 0;
  bool load = row->site->access == SIMT_LOAD || row->site->access == SIMT_READONLY_LOAD;
  while (!load && j + 1 < chain->count && chain->level[j].near)
    j++;
  return j;
}

// Looks the pieces up in one level; those that miss move to the front. Returns how many do.
static unsigned look_up(const struct simt_level *level, uint32_t team, uint64_t *pieces, unsigned count) {
  struct simt_cache *cache = cache_at(level, team);
  unsigned missed = 0;
  for (unsigned i = 0; i < count; i++)
    if (!simt_cache_look_up(cache, pieces[i]))
      pieces[missed++] = pieces[i];
  return missed;
}

static void replay_access(struct simt_row *row, uint32_t team, uint64_t *pieces, unsigned count) {
  const struct simt_chain *chain = &model->chain[row->space];
  for (unsigned j = first_level(row, chain); j < chain->count && count; j++) {
    const struct simt_level *level = &chain->level[j];
    unsigned missed = level->lines ? look_up(level, team, pieces, count) : level->cache ? count : 0;
    row->counts.hits[j] += count - missed;
    row->counts.misses[j] += missed;
    count = missed;
    if (j + 1 < chain->count)
      count = to_next_level(pieces, count, level->fill_bytes, chain->level[j + 1].fill_bytes);
  }
}

static void replay(struct simt_trace *trace) {
  uint64_t pieces[MAX_PIECES];
  for (size_t i = 0; i < trace->count;) {
    struct simt_row *row = (struct simt_row *)(uintptr_t)trace->words[i];
    unsigned count = (unsigned)trace->words[i + 1];
    memcpy(pieces, &trace->words[i + 2], count * sizeof *pieces);
    replay_access(row, trace->team, pieces, count);
    i += 2 + count;
  }
  trace->count = 0;
}

struct simt_trace *simt_replay_begin_team(uint32_t team) {
  pthread_mutex_lock(&lock);
  struct simt_trace *trace = unused;
  if (trace)
    unused = trace->next;
  pthread_mutex_unlock(&lock);
  if (!trace)
    trace = calloc(1, sizeof *trace);
  if (!trace)
    simt_fatal("no memory to record accesses");
  trace->team = team;
  return trace;
}

static void make_room(struct simt_trace *trace, size_t words) {
  if (trace->count > LONG_TRACE_WORDS) {
    pthread_mutex_lock(&lock);
    while (turn != trace->team)
      pthread_cond_wait(&turn_changed, &lock);
    replay(trace);
    pthread_mutex_unlock(&lock);
  }
  if (trace->count + words <= trace->capacity)
    return;
  trace->capacity = 2 * (trace->capacity + words) + FIRST_WORDS;
  trace->words = realloc(trace->words, trace->capacity * sizeof *trace->words);
  if (!trace->words)
    simt_fatal("no memory to record accesses");
}

void simt_replay_record(struct simt_trace *trace, struct simt_row *row, const uint64_t *addresses, unsigned lanes,
                        uint32_t bytes) {
  const struct simt_chain *chain = &model->chain[row->space];
  uint64_t piece_bytes = chain->level[first_level(row, chain)].fill_bytes;
  make_room(trace, 2 + MAX_PIECES);
  uint64_t *words = trace->words + trace->count;
  unsigned count = 0;
  for (unsigned lane = 0; lane < lanes; lane++)
    for (uint64_t piece = addresses[lane] / piece_bytes; piece <= (addresses[lane] + bytes - 1) / piece_bytes; piece++)
      count = add_piece(words + 2, count, piece);
  words[0] = (uintptr_t)row;
  words[1] = count;
  trace->count += 2 + count;
}

// Takes the trace of the team whose turn it is from the ended ones; null if it is not there.
static struct simt_trace *take_next(void) {
  for (struct simt_trace **link = &ended; *link; link = &(*link)->next)
    if ((*link)->team == turn) {
      struct simt_trace *trace = *link;
      *link = trace->next;
      return trace;
    }
  return NULL;
}

void simt_replay_end_team(struct simt_trace *trace) {
  pthread_mutex_lock(&lock);
  trace->next = ended;
  ended = trace;
  while ((trace = take_next())) {
    replay(trace);
    trace->next = unused;
    unused = trace;
    turn++;
  }
  pthread_cond_broadcast(&turn_changed);
  pthread_mutex_unlock(&lock);
}
