#define _GNU_SOURCE
#include "queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "next.h"

static struct queue {
  pthread_mutex_t lock;
  pthread_cond_t appended, finished;
  struct queue_operation *first, *last;
  uint64_t appended_count, finished_count;
  bool started;
} queues[QUEUE_COUNT] = {[0 ... QUEUE_COUNT - 1] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
                                                    NULL, NULL, 0, 0, false}};

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int device, number; } names[QUEUE_COUNT]; /* of queues[i], the first that asked for it */
static unsigned name_count;

static atomic_uint pending, pending_maps;
static atomic_bool any_started, any_opened;
static _Thread_local bool own_thread;
static _Thread_local struct queue *open_queue;
static _Thread_local int open_device;

/* The first QUEUE_COUNT have a queue each. */
static struct queue *find(int device, int number) {
  pthread_mutex_lock(&names_lock);
  unsigned i = 0;
  while (i < name_count && (names[i].device != device || names[i].number != number)) i++;
  if (i == name_count) {
    if (name_count < QUEUE_COUNT) {
      names[name_count].device = device;
      names[name_count++].number = number;
    } else {
      i = ((unsigned)number + (unsigned)device * 7) % QUEUE_COUNT;
    }
  }
  pthread_mutex_unlock(&names_lock);
  return &queues[i];
}

/* ---- a queue's thread ---- */

static struct queue_operation *next_operation(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  while (!q->first) pthread_cond_wait(&q->appended, &q->lock);
  struct queue_operation *operation = q->first;
  q->first = operation->next;
  if (!q->first) q->last = NULL;
  pthread_mutex_unlock(&q->lock);
  return operation;
}

static void *carry_out(void *queue) {
  struct queue *q = queue;
  own_thread = true;
  for (;;) {
    struct queue_operation *operation = next_operation(q);
    bool maps = operation->maps;
    operation->run(operation);
    pending_maps -= maps;
    pending--;
    pthread_mutex_lock(&q->lock);
    q->finished_count++;
    pthread_cond_broadcast(&q->finished);
    pthread_mutex_unlock(&q->lock);
  }
  return NULL;
}

/* ---- the end of the process ---- */

static _Atomic pid_t owner; /* a child of fork() has none of the threads */

/* A queue's thread that ends the process is the last to wait for. */
void queue_empty_all(void) {
  if (owner == getpid() && !own_thread) queue_wait_all();
}

static void at_exit(void) {
  owner = getpid();
  atexit(queue_empty_all);
}

/* The program's signals are none of the queue's. */
static bool start(struct queue *q) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, at_exit);
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  bool made = !pthread_create(&thread, NULL, carry_out, q);
  if (made) {
    any_started = true;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return made;
}

/* ---- the program's side ---- */

void queue_open(int device, int number) {
  open_queue = find(device, number);
  open_device = device;
  any_opened = true;
}

void queue_close(void) { open_queue = NULL; }
bool queue_is_open(void) { return any_opened && open_queue; } /* a thread's own variables take a call to find */
int queue_device(void) { return open_device; }

static void append(struct queue *q, struct queue_operation *operation) {
  pthread_mutex_lock(&q->lock);
  q->started = q->started || start(q);
  bool taken = q->started;
  if (taken) {
    operation->next = NULL;
    *(q->last ? &q->last->next : &q->first) = operation;
    q->last = operation;
    q->appended_count++;
    pending++;
    pending_maps += operation->maps;
    pthread_cond_signal(&q->appended);
  }
  pthread_mutex_unlock(&q->lock);
  if (!taken) operation->run(operation);
}

struct queue_pause queue_pause(void) {
  struct queue_pause pause = {open_queue};
  open_queue = NULL;
  return pause;
}

void queue_resume(struct queue_pause pause) { open_queue = pause.queue; }

void queue_append(struct queue_operation *operation) {
  struct queue_pause pause = queue_pause(); /* an operation that the caller carries out is to go nowhere else */
  append(pause.queue, operation);
  queue_resume(pause);
}

static uint64_t appended_count(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  uint64_t count = q->appended_count;
  pthread_mutex_unlock(&q->lock);
  return count;
}

static void wait_until(struct queue *q, uint64_t count) {
  pthread_mutex_lock(&q->lock);
  while (q->finished_count < count) pthread_cond_wait(&q->finished, &q->lock);
  pthread_mutex_unlock(&q->lock);
}

static bool is_idle(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  bool idle = q->finished_count == q->appended_count;
  pthread_mutex_unlock(&q->lock);
  return idle;
}

bool queue_any_pending(void) { return pending; }
bool queue_any_maps(void) { return pending_maps; }
bool queue_is_any_started(void) { return any_started; }
bool queue_is_own_thread(void) { return own_thread; }

bool queue_is_idle(int device, int number) { return is_idle(find(device, number)); }

bool queue_all_idle(void) {
  bool idle = true;
  for (unsigned i = 0; i < QUEUE_COUNT; i++) idle = is_idle(&queues[i]) && idle;
  return idle;
}

static void wait_for(struct queue *q) { wait_until(q, appended_count(q)); }
void queue_wait_open(void) {
  if (open_queue) wait_for(open_queue);
}

void queue_wait(int device, int number) { wait_for(find(device, number)); }

void queue_wait_all(void) {
  for (unsigned i = 0; i < QUEUE_COUNT; i++) wait_for(&queues[i]);
}

/* ---- a queue that waits for another ---- */

struct waiting {
  struct queue_operation operation;
  struct queue *other;
  uint64_t count;
};

/* What it waits for was appended before it: there are no circles. */
static void wait_for_other(struct queue_operation *operation) {
  struct waiting *w = (struct waiting *)operation;
  wait_until(w->other, w->count);
  free(w);
}

static void wait_in(struct queue *q, struct queue *other) {
  uint64_t count = appended_count(other);
  struct waiting *w = q != other && count ? malloc(sizeof *w) : NULL;
  if (w) {
    *w = (struct waiting){{NULL, wait_for_other, false}, other, count};
    append(q, &w->operation);
  } else if (q != other) {
    wait_until(other, count);
  }
}

void queue_wait_in_queue(int device, int number, int waiting) { wait_in(find(device, waiting), find(device, number)); }

void queue_wait_all_in_queue(int device, int waiting) {
  for (unsigned i = 0; i < QUEUE_COUNT; i++) wait_in(find(device, waiting), &queues[i]);
}
