// What a caller (client.c) asks of a tool that waits (server.c).
#pragma once
#include <stdint.h>
#include <sys/stat.h>

enum { WARM_FILES = 4 }; // standard input, output and errors, and the folder
enum { WARM_REFUSED = -1 }; // in place of a status: the caller is to start the tool itself

// Sent together with the files; then come the words, each ended by a zero: arguments, then environment.
struct warm_request {
  uint32_t arguments, variables;
  uint32_t bytes; // of all words
  int32_t parent; // the caller's
  mode_t mask;
};
