// Preloaded into a tool of LLVM's, this keeps it waiting at its main function, where all libraries are loaded and relocated, which takes
// most such tools longer than their work in a test. Each call of the tool (client.c) is carried out by a copy of that process, with the
// caller's arguments, environment, folder, files and mask: what it then does is what it would have done by itself.
#define _GNU_SOURCE
#include "request.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CALLS = 256 }; // at once

// What is carried out: where the caller waits, and the process.
struct call {
  int connection, process;
  pid_t pid;
};
static struct call calls[MAX_CALLS];
static int call_count;
static char clients[4096]; // folder of the callers
static char *title;        // this process's command line as others see it, which a copy gets its own words to
static size_t title_room;
static pid_t caller_parent;

// A call's words as main takes them: arguments, NULL, environment, NULL.
static char **words_of(const struct warm_request *request, char *text) {
  uint32_t count = request->arguments + request->variables;
  char **words = calloc(count + 2, sizeof *words), **next = words;
  for (uint32_t i = 0; words && i < count; i++, text += strlen(text) + 1) {
    if (i == request->arguments)
      next++;
    *next++ = text;
  }
  return words;
}

static bool receive_all(int connection, char *to, size_t bytes) {
  while (bytes) {
    ssize_t got = read(connection, to, bytes);
    if (got <= 0)
      return false;
    to += got;
    bytes -= (size_t)got;
  }
  return true;
}

// The request and its files.
static bool receive_request(int connection, struct warm_request *request, int *files) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WARM_FILES * sizeof(int))];
  } control;
  struct iovec data = {request, sizeof *request};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof *request)
    return false;
  struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
  if (!sent || sent->cmsg_len != CMSG_LEN(WARM_FILES * sizeof(int)))
    return false;
  memcpy(files, CMSG_DATA(sent), WARM_FILES * sizeof(int));
  return true;
}

static void close_from(int file) {
  if (close_range((unsigned)file, ~0u, 0) == 0)
    return;
  for (long end = sysconf(_SC_OPEN_MAX); file < end; file++) // not every system has it
    close(file);
}

// In the copy: takes the caller's files, folder and mask, and leaves this process's own.
static bool take_over(const struct warm_request *request, const int *files) {
  for (int i = 0; i < 3; i++)
    if (dup2(files[i], i) < 0)
      return false;
  umask(request->mask);
  bool there = fchdir(files[3]) == 0;
  close_from(3);
  return there;
}

static void end_call(int i) {
  int status = 0;
  waitpid(calls[i].pid, &status, 0);
  send(calls[i].connection, &status, sizeof status, MSG_NOSIGNAL);
  close(calls[i].connection);
  close(calls[i].process);
  calls[i] = calls[--call_count];
}

// A tool that is to be loaded in another way than this one was, or whose command line is too long, has to be started.
static bool fits(char **words, const struct warm_request *request) {
  const char *tunables = getenv("GLIBC_TUNABLES"), *preloaded = "LD_PRELOAD=", *tunes = "GLIBC_TUNABLES=", *asked = "";
  size_t bytes = 0;
  for (char **word = words; *word; word++)
    bytes += strlen(*word) + 1;
  for (char **word = words + request->arguments + 1; *word; word++) {
    if (!strncmp(*word, preloaded, strlen(preloaded)))
      return false;
    if (!strncmp(*word, tunes, strlen(tunes)))
      asked = *word + strlen(tunes);
  }
  return bytes < title_room && !strcmp(asked, tunables ? tunables : "");
}

// In the copy: whose command line and parent others see.
static void be_called(char **words, const struct warm_request *request) {
  char *next = memset(title, 0, title_room);
  for (char **word = words; *word; word++)
    next = stpcpy(next, *word) + 1;
  caller_parent = request->parent;
}

static void note_call(int connection, pid_t pid) {
  int process = (int)syscall(SYS_pidfd_open, pid, 0);
  calls[call_count++] = (struct call){connection, process, pid};
  if (process < 0) // it cannot be waited for beside others
    end_call(call_count - 1);
}

// One caller: true in the copy, which carries it out. `words`: what it is to be called with.
static bool answer(int connection, struct warm_request *request, char ***words) {
  int files[WARM_FILES], status = WARM_REFUSED;
  char *text = NULL;
  bool asked = receive_request(connection, request, files);
  bool whole = asked && (text = malloc(request->bytes)) && receive_all(connection, text, request->bytes);
  bool fit = whole && (*words = words_of(request, text)) && fits(*words, request) && call_count < MAX_CALLS;
  pid_t pid = fit ? fork() : -1;
  if (pid == 0) {
    if (!take_over(request, files))
      _exit(127);
    be_called(*words, request);
    return true;
  }
  for (int i = 0; asked && i < WARM_FILES; i++)
    close(files[i]);
  if (whole)
    free(*words);
  free(text);
  if (pid > 0) {
    note_call(connection, pid);
    return false;
  }
  send(connection, &status, sizeof status, MSG_NOSIGNAL);
  close(connection);
  return false;
}

// What to wait for: the end of standard input's other end, callers, and of each call its process and its caller.
static nfds_t waits_of(struct pollfd *waits, int listener) {
  nfds_t count = 0;
  waits[count++] = (struct pollfd){STDIN_FILENO, 0, 0};
  waits[count++] = (struct pollfd){listener, POLLIN, 0};
  for (int i = 0; i < call_count; i++) {
    waits[count++] = (struct pollfd){calls[i].process, POLLIN, 0};
    waits[count++] = (struct pollfd){calls[i].connection, 0, 0};
  }
  return count;
}

static void end_calls(const struct pollfd *waits) {
  for (int i = call_count - 1; i >= 0; i--) {
    if (waits[2 * i + 1].revents & (POLLHUP | POLLERR)) // its caller was ended
      kill(calls[i].pid, SIGKILL);
    if (waits[2 * i].revents & POLLIN)
      end_call(i);
  }
}

// Serves callers until nobody holds the other end of standard input. Returns in the copies, with a call's words.
static void serve(int listener, struct warm_request *request, char ***words) {
  static struct pollfd waits[2 + 2 * MAX_CALLS];
  for (;;) {
    if (poll(waits, waits_of(waits, listener), -1) < 0) {
      if (errno != EINTR)
        _exit(1);
      continue;
    }
    if (waits[0].revents & (POLLHUP | POLLERR))
      _exit(0);
    end_calls(waits + 2);
    int connection = waits[1].revents & POLLIN ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
    if (connection >= 0 && answer(connection, request, words))
      return;
  }
}

// The caller (client.c) of a tool that waits, or NULL.
static const char *client_of(const char *path) {
  static char client[sizeof clients + 256], link[sizeof client], tool[sizeof client];
  const char *name = strrchr(path, '/');
  if (!name || snprintf(link, sizeof link, "%s/tools%s", clients, name) >= (int)sizeof link)
    return NULL;
  ssize_t bytes = readlink(link, tool, sizeof tool - 1);
  if (bytes < 0 || (tool[bytes] = 0, strcmp(tool, path)))
    return NULL;
  snprintf(client, sizeof client, "%s%s", clients, name);
  return client;
}

// Tools that this tool starts wait, too.
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
  __typeof__(posix_spawn) *spawn = dlsym(RTLD_NEXT, "posix_spawn");
  const char *client = client_of(path);
  return spawn(pid, client ? client : path, actions, attributes, arguments, environment);
}

pid_t getppid(void) { return caller_parent ? caller_parent : (pid_t)syscall(SYS_getppid); }

typedef int start_function(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

// Called in place of the C library's when all libraries are ready, to call `run`, which is main.
int __libc_start_main(int (*run)(int, char **, char **), int count, char **arguments, void (*first)(void), void (*last)(void),
                      void (*unload)(void), void *stack) {
  start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  const char *listener = getenv("WARM_LISTENER"), *folder = getenv("WARM_CLIENTS");
  if (listener && folder) {
    struct warm_request request;
    snprintf(clients, sizeof clients, "%s", folder);
    title = arguments[0];
    title_room = (size_t)(arguments[count - 1] + strlen(arguments[count - 1]) - title);
    serve(atoi(listener), &request, &arguments);
    count = (int)request.arguments;
    environ = arguments + count + 1;
  }
  return start(run, count, arguments, first, last, unload, stack);
}
