/* Beside handmade.c: how the program ends after its launches, by the environment's ENDING. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void own_handler(int number) {
  (void)number;
  if (write(1, "own handler\n", 12) != 12) _exit(4);
  _exit(3);
}

/* What is in the process. */
static void print_maps(void) {
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) fputs(line, stdout);
  if (maps) fclose(maps);
  fflush(stdout);
}

/* The child ends in the same way as its parent, which waits for it. */
static void fork_once(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child > 0) waitpid(child, NULL, 0);
}

/* A thread that keeps a lock which a report needs. */
static void *keep_lock(void *ready) {
  flockfile(stderr);
  *(_Atomic int *)ready = 1;
  pause();
  return NULL;
}

static void abort_locked(void) {
  _Atomic int ready = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, keep_lock, &ready);
  while (!ready) usleep(1000);
  abort();
}

static void end(void) {
  const char *way = getenv("ENDING") ? getenv("ENDING") : "";
  fflush(stdout);
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "locked abort")) abort_locked();
  if (!strcmp(way, "raise")) raise(SIGABRT);
  if (!strcmp(way, "quick")) quick_exit(0);
  if (!strcmp(way, "handler")) signal(SIGABRT, own_handler), abort();
  if (!strcmp(way, "maps")) print_maps();
  if (!strcmp(way, "fork")) fork_once();
  if (!strcmp(way, "forked abort")) {
    if (!fork()) abort();
    wait(NULL);
  }
}

__attribute__((constructor)) static void arrange(void) { atexit(end); }
