#define _GNU_SOURCE
#include "refused.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *texts[REFUSED_MOST];
static unsigned count;

void refused_add(const char *format, ...) {
  char message[700];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&lock);
  if (count < REFUSED_MOST && (texts[count] = strdup(message))) count++;
  pthread_mutex_unlock(&lock);
}

const char *refused_text(unsigned n) {
  pthread_mutex_lock(&lock);
  const char *text = n < count ? texts[n] : NULL;
  pthread_mutex_unlock(&lock);
  return text;
}
