#define _GNU_SOURCE
#include "edit.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MOST_FILE_BYTES = 16 << 20 };
static const char mark[] = "id=\"opened\" type=\"application/json\">"; /* in the page, once, before "null" */

static int fail(const char *what, const char *why) {
  fprintf(stderr, "place-msl: %s: %s\n", what, why);
  return 1;
}

/* ---- files ---- */

/* A whole file for free(), or NULL: said. */
static char *load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return fail(path, strerror(errno)), NULL;
  char *bytes = malloc(MOST_FILE_BYTES + 1);
  size_t length = bytes ? fread(bytes, 1, MOST_FILE_BYTES + 1, file) : 0;
  const char *why = !bytes ? "out of memory" : ferror(file) ? strerror(errno) : length > MOST_FILE_BYTES ? "more than 16 MiB"
                    : memchr(bytes, 0, length) ? "this is no text: it has a zero byte" : NULL;
  fclose(file);
  if (why) {
    fail(path, why);
    free(bytes);
    return NULL;
  }
  bytes[length] = 0;
  char *fitting = realloc(bytes, length + 1);
  return fitting ? fitting : bytes;
}

/* The page: installed in share/place beside this program's folder. */
static char *load_page(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
  if (!slash)
    return fail("/proc/self/exe", "cannot be read"), NULL;
  strcpy(slash, "/../share/place/msl.html");
  if (access(path, R_OK))
    return fail(path, "this installation has no page: it is made where clang can compile for WebAssembly (on Debian: wasi-libc, "
                      "libclang-rt-19-dev-wasm32, lld-19)"), NULL;
  return load(path);
}

/* ---- writing ---- */

/* As JSON in a script element: '<' could end that. */
static void put_string(FILE *to, const char *text) {
  fputc('"', to);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(to, "\\%c", *c);
    else if ((unsigned char)*c < ' ' || *c == '<')
      fprintf(to, "\\u%04x", *c);
    else
      fputc(*c, to);
  }
  fputc('"', to);
}

static void put_page(FILE *to, const char *page, const char *name, const char *text) {
  const char *at = strstr(page, mark);
  if (!at || !name) {
    fputs(page, to);
    return;
  }
  at += strlen(mark);
  fwrite(page, 1, (size_t)(at - page), to);
  fputs("{\"name\":", to);
  put_string(to, name);
  fputs(",\"text\":", to);
  put_string(to, text);
  fputs("}", to);
  fputs(at + strlen("null"), to);
}

/* A file of its own, that nobody else can have put there. */
static int write_page(const char *page, const char *name, const char *text, char *path, size_t size) {
  const char *folder = secure_getenv("TMPDIR");
  snprintf(path, size, "%s/place-msl-XXXXXX.html", folder && *folder == '/' ? folder : "/tmp");
  int descriptor = mkstemps(path, 5);
  FILE *to = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!to)
    return fail(path, strerror(errno));
  put_page(to, page, name, text);
  bool failed = ferror(to);
  if (fclose(to) || failed)
    return unlink(path), fail(path, "cannot be written");
  return 0;
}

/* ---- opening ---- */

static bool has_desktop(void) {
  const char *x11 = secure_getenv("DISPLAY"), *wayland = secure_getenv("WAYLAND_DISPLAY");
  return (x11 && *x11) || (wayland && *wayland);
}

static void open_page(char *path) {
  char *arguments[] = {"xdg-open", path, NULL};
  pid_t process;
  if (has_desktop() && posix_spawnp(&process, "xdg-open", NULL, NULL, arguments, environ))
    fputs("place-msl: xdg-open is not installed: open the page in a browser\n", stderr);
}

int msl_edit(const char *path) {
  char *text = path ? load(path) : NULL, *page = path && !text ? NULL : load_page(), written[4096];
  const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
  int status = page ? write_page(page, name, text, written, sizeof written) : 1;
  if (!status) {
    puts(written);
    fflush(stdout); /* before a browser has the page; place_tool_end says if that failed */
    open_page(written);
  }
  free(text);
  free(page);
  return status;
}
