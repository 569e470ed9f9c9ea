/* Asynchronous queues of OpenACC: operations that are carried out one after another, beside the program.
 *
 * A queue is a thread that takes its operations in the order in which they came. While a thread of the program has a queue open, its
 * calls of the offloading library go there (deferred.h). Queues are told apart by device and number; of more than QUEUE_COUNT in a
 * process some share a thread, which OpenACC allows.
 *
 * Thread-safety: any thread of the program; a queue is the same one in all of them. Errors: where no thread can be made, an operation
 * is carried out by the caller. All queues are emptied when the process exits, and when device code goes. */
#ifndef PLACE_RT_QUEUE_H
#define PLACE_RT_QUEUE_H

#include <stdbool.h>

enum { QUEUE_COUNT = 16 };

/* An operation: the first member of what it needs. */
struct queue_operation {
  struct queue_operation *next;
  void (*run)(struct queue_operation *); /* on the queue's thread; frees it */
  bool maps;                             /* changes what is mapped, or transfers by what is */
};

/* The calling thread's operations go to a queue, or, `closed`, to none any more. */
void queue_open(int device, int number);
void queue_close(void);
/* Whether the calling thread has a queue open, and the device that it is of. */
bool queue_is_open(void);
int queue_device(void);

/* Returns when the calling thread's open queue, if it has one, has carried out what it was given. */
void queue_wait_open(void);

/* Keeps the calling thread's calls out of its queue for a while. */
struct queue_pause {
  void *queue;
};
struct queue_pause queue_pause(void);
void queue_resume(struct queue_pause pause);

/* Appends to the calling thread's open queue, which owns the operation from now on. */
void queue_append(struct queue_operation *operation);

/* Whether all that was appended has been carried out. */
bool queue_is_idle(int device, int number);
bool queue_all_idle(void);

/* Whether anything has still to be carried out, by any queue; any operation that maps. */
bool queue_any_pending(void);
bool queue_any_maps(void);
/* Whether the process has a queue's thread. */
bool queue_is_any_started(void);
/* Whether the caller is a queue's thread: it must not wait for queues. */
bool queue_is_own_thread(void);

/* Returns when all that has been appended so far has been carried out. */
void queue_wait(int device, int number);
void queue_wait_all(void);

/* The same at an end, after which nothing is carried out: returns at once in a queue's own thread and in a child of fork(). */
void queue_empty_all(void);

/* What is appended to a queue from now on begins after all that has been appended so far to another, or to any. */
void queue_wait_in_queue(int device, int number, int waiting);
void queue_wait_all_in_queue(int device, int waiting);

#endif
