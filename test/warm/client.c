// Called by the name of a tool of LLVM's: has the one that waits (server.c) do it. Where none waits, the tool itself is started.
#define _GNU_SOURCE
#include "request.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t length_of(char **words, uint32_t *count) {
  size_t bytes = 0;
  for (*count = 0; words[*count]; ++*count)
    bytes += strlen(words[*count]) + 1;
  return bytes;
}

static bool send_all(int connection, const char *from, size_t bytes) {
  while (bytes) {
    ssize_t sent = send(connection, from, bytes, MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    from += sent;
    bytes -= (size_t)sent;
  }
  return true;
}

// The request and this process's files.
static bool send_request(int connection, const struct warm_request *request) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WARM_FILES * sizeof(int))];
  } control = {0};
  int files[WARM_FILES] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  struct iovec data = {(void *)request, sizeof *request};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
  *sent = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof files)};
  memcpy(CMSG_DATA(sent), files, sizeof files);
  return sendmsg(connection, &message, MSG_NOSIGNAL) == sizeof *request;
}

// Ends as the tool's copy did.
static _Noreturn void end_as(int status) {
  if (WIFEXITED(status))
    _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(128 + WTERMSIG(status));
}

// The words, one behind another, as a request says.
static char *text_of(char **arguments, char **environment, struct warm_request *request) {
  request->bytes = (uint32_t)(length_of(arguments, &request->arguments) + length_of(environment, &request->variables));
  char *text = malloc(request->bytes), *next = text;
  for (char **word = arguments; text && *word; word++)
    next = stpcpy(next, *word) + 1;
  for (char **word = environment; text && *word; word++)
    next = stpcpy(next, *word) + 1;
  return text;
}

// The socket where `name` waits, in this program's folder; the tool itself, which a link there names, comes to `tool`.
static bool find(const char *name, struct sockaddr_un *address, char *tool, size_t room) {
  char path[4096];
  ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
  if (bytes < 0)
    return false;
  path[bytes] = 0;
  *strrchr(path, '/') = 0;
  address->sun_family = AF_UNIX;
  bool fits = snprintf(address->sun_path, sizeof address->sun_path, "%s/%s.socket", path, name) < (int)sizeof address->sun_path;
  strncat(strncat(path, "/tools/", sizeof path - strlen(path) - 1), name, sizeof path - strlen(path) - 1);
  bytes = readlink(path, tool, room - 1);
  tool[bytes > 0 ? bytes : 0] = 0;
  return fits && bytes > 0;
}

int main(int count, char **arguments, char **environment) {
  (void)count;
  static char tool[4096];
  struct sockaddr_un address;
  const char *slash = strrchr(arguments[0], '/');
  if (!find(slash ? slash + 1 : arguments[0], &address, tool, sizeof tool)) {
    fprintf(stderr, "%s: no such tool waits\n", arguments[0]);
    return 127;
  }
  arguments[0] = tool;
  struct warm_request request = {.parent = getppid(), .mask = umask(0)};
  umask(request.mask);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
  char *text = text_of(arguments, environment, &request);
  bool asked = text && connect(connection, (struct sockaddr *)&address, sizeof address) == 0 && send_request(connection, &request) &&
               send_all(connection, text, request.bytes);
  bool ended = asked && read(connection, &status, sizeof status) == sizeof status;
  if (ended && status != WARM_REFUSED)
    end_as(status);
  if (!asked || ended)
    execv(tool, arguments);
  fprintf(stderr, "%s: the tool that waited is gone\n", tool);
  return 127;
}
