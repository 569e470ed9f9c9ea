/* acc_queues.h - how OpenACC programs reach the asynchronous queues of libplacert. Part of place, under the Apache License v2.0 with LLVM
 * Exceptions.
 *
 * Read by the runtime, and by translated programs, C and C++. A queue is named by a number that is not negative and by a device; -1 is
 * the current device. Thread-safety: any host thread. Errors: none; what cannot be put off is carried out at once. */
#ifndef PLACE_ACC_QUEUES_H
#define PLACE_ACC_QUEUES_H

struct place_acc_queues {
  void (*open)(int queue);             /* the calling thread's offloading calls go there, of the current device, */
  void (*close)(void);                 /* until now */
  int (*is_idle)(int queue, int device);
  int (*all_idle)(void);
  void (*wait)(int queue, int device); /* until all that it was given so far is done */
  void (*wait_all)(void);
  void (*wait_in_queue)(int queue, int waiting, int device); /* queue `waiting` goes on when `queue` has done what it has now */
  void (*wait_all_in_queue)(int waiting, int device);
  int (*later)(void (*call)(const void *), const void *argument); /* into the open queue; 0: none is open, the caller calls */
};

/* const struct place_acc_queues *place_acc_queues(void); exported by libplacert; null where it does nothing. */

#endif
