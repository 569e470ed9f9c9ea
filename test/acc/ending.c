// A queue that is used while the process ends is emptied before the offloading library goes; a queue's thread may end the process.
// RUN: %acc_run %s %t
// RUN: timeout 60 %t-O2 from-a-queue
#include <openacc.h>
#include <stdlib.h>
#include <unistd.h>
#include "check.h"

enum { N = 1000, A_WHILE = 100000000 };
static int late[N];

#pragma acc routine seq
void exit(int);

// Of exit's calls the last of the program's: it was asked for before any queue was used.
static void use_queue(void) {
#pragma acc parallel num_gangs(1) copy(late) async(3)
  {
    volatile int turns = 0;
    while (turns < A_WHILE)
      turns = turns + 1;
    for (int i = 0; i < N; i++)
      late[i] = i;
  }
}

static int expect_late;
__attribute__((destructor)) static void look(void) {
  if (expect_late && late[N - 1] != N - 1)
    fprintf(stderr, "%s:%d: the queue was not emptied\n", __FILE__, __LINE__), _Exit(1);
}

int main(int count, char **arguments) {
  (void)arguments;
  int used[1] = {0};
  if (count > 1) {
#pragma acc parallel num_gangs(1) async(1)
    exit(0);
    sleep(1000);
  }
  expect_late = 1;
  atexit(use_queue);
#pragma acc parallel num_gangs(1) copy(used) async(1)
  used[0] = 1;
#pragma acc wait
  CHECK(used[0] == 1);
  return RESULT();
}
