/* The compiler, place's libraries, LLVM's, the CUDA toolkit. */
#define _GNU_SOURCE
#include "doctor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place/abi.h"

static bool is_file(const char *path) { return !access(path, R_OK); }

/* A library of place's: where it was installed, or in a build tree. */
static void library_path(const struct doctor *d, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/" PLACE_LIBDIR "/%s", d->prefix, name);
  if (!is_file(path)) snprintf(path, size, "%s/lib/%s", d->prefix, name);
}

/* ---- clang ---- */

static bool is_clang_19(const char *name) {
  char text[512];
  return !doctor_run((const char *const[]){name, "--version", NULL}, text, sizeof text) && strstr(text, "clang version 19.");
}

static void check_clang(struct doctor *d) {
  static const char *const names[] = {"clang-19", "clang"};
  for (int i = 0; i < 2 && !*d->clang; i++)
    if (is_clang_19(names[i])) snprintf(d->clang, sizeof d->clang, "%s", names[i]);
  if (*d->clang) doctor_say(d, FINDING_OK, "%s is clang 19", d->clang);
  else doctor_say(d, FINDING_ERROR, "no clang 19 is in PATH, the only one that libplace.so works with: install it (Debian: clang-19)");
}

static void check_plugin(struct doctor *d) {
  char path[sizeof d->prefix + 64], option[sizeof path + 16], text[1024];
  library_path(d, "libplace.so", path, sizeof path);
  if (!is_file(path)) {
    doctor_say(d, FINDING_ERROR, "%s is missing: install place anew, or build its target `place`", path);
    return;
  }
  snprintf(option, sizeof option, "-fplugin=%s", path);
  if (!*d->clang) return;
  int rc = doctor_run((const char *const[]){d->clang, option, "-fsyntax-only", "-x", "c", "/dev/null", NULL}, text, sizeof text);
  text[strcspn(text, "\n")] = 0;
  if (rc) doctor_say(d, FINDING_ERROR, "%s cannot load %s: %s", d->clang, path, text);
  else doctor_say(d, FINDING_OK, "%s loads %s", d->clang, path);
}

static void check_runtime(struct doctor *d) {
  char path[sizeof d->prefix + 64];
  library_path(d, PLACE_RUNTIME_SONAME, path, sizeof path);
  if (dlopen(path, RTLD_NOW | RTLD_LOCAL)) doctor_say(d, FINDING_OK, "%s can be loaded", path);
  else doctor_say(d, FINDING_ERROR, "%s: install what is missing, or place anew", dlerror());
}

/* ---- LLVM's libraries ---- */

/* Where clang looks for a file of LLVM's; false: nowhere. */
static bool find_file(const struct doctor *d, const char *name, char *path, size_t size) {
  char option[128];
  snprintf(option, sizeof option, "-print-file-name=%s", name);
  if (!*d->clang || doctor_run((const char *const[]){d->clang, option, NULL}, path, size)) return false;
  path[strcspn(path, "\n")] = 0;
  return *path == '/' && is_file(path);
}

static void check_offloading(struct doctor *d) {
  char path[sizeof d->offload];
  if (!*d->clang) return;
  if (!find_file(d, "libomptarget.so", path, sizeof path)) {
    doctor_say(d, FINDING_ERROR, "%s finds no libomptarget.so: install LLVM's offloading (Debian: libomp-19-dev)", d->clang);
    return;
  }
  char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
  if (slash) snprintf(d->offload, sizeof d->offload, "%.*s", (int)(slash - real), real);
  free(real);
  if (dlopen("libomptarget.so.19.1", RTLD_LAZY | RTLD_LOCAL)) doctor_say(d, FINDING_OK, "libomptarget is in %s, and programs find it", d->offload);
  else doctor_say(d, FINDING_OK, "libomptarget is in %s; programs find it by a run path, which place.cfg gives them (-Wl,-rpath,%s)",
                  d->offload, d->offload);
}

static void check_device_runtime(struct doctor *d) {
  char path[4096], beside[sizeof d->offload + 64];
  if (!*d->clang) return;
  snprintf(beside, sizeof beside, "%s/libomptarget-nvptx-sm_90.bc", d->offload);
  if (find_file(d, "libomptarget-nvptx-sm_90.bc", path, sizeof path) || is_file(beside))
    doctor_say(d, FINDING_OK, "LLVM's device runtime for NVIDIA GPUs is installed");
  else
    doctor_say(d, FINDING_ERROR, "LLVM's device runtime (libomptarget-nvptx-sm_90.bc) is not beside libomptarget: install it (Debian: "
               "libomp-19-dev), or name its folder with --libomptarget-nvptx-bc-path=");
}

/* ---- CUDA ---- */

enum { OLDEST = 1108, TOO_NEW = 1300 };

/* Of the toolkit there, 1204 for 12.4; 0: there is none. */
static unsigned cuda_version(const char *toolkit) {
  char ptxas[4200], text[1024];
  unsigned major = 0, minor = 0;
  snprintf(ptxas, sizeof ptxas, "%s/bin/ptxas", toolkit);
  if (!is_file(ptxas) || doctor_run((const char *const[]){ptxas, "--version", NULL}, text, sizeof text)) return 0;
  const char *release = strstr(text, "release ");
  if (!release || sscanf(release, "release %u.%u", &major, &minor) != 2) return 0;
  return major * 100 + minor;
}

static bool has_libdevice(const char *toolkit) {
  char path[4200];
  snprintf(path, sizeof path, "%s/nvvm/libdevice/libdevice.10.bc", toolkit);
  return is_file(path);
}

/* The first that serves, else one that does not; NULL: none. */
static const char *choose_toolkit(const char *const *folders, unsigned count, unsigned *version) {
  const char *other = NULL;
  *version = 0;
  for (unsigned i = 0; i < count; i++) {
    unsigned v = folders[i] && *folders[i] ? cuda_version(folders[i]) : 0;
    if (v >= OLDEST && v < TOO_NEW && has_libdevice(folders[i])) return *version = v, folders[i];
    if (v && !other) other = folders[i], *version = v;
  }
  return other;
}

static void check_cuda(struct doctor *d) {
  char own[sizeof d->prefix + 64];
  snprintf(own, sizeof own, "%s/share/place/cuda", d->prefix);
  const char *const folders[] = {own, secure_getenv("PLACE_CUDA_PATH"), secure_getenv("CUDA_HOME"), secure_getenv("CUDA_PATH"),
                                 "/usr/local/cuda"};
  static const char remedy[] = "place needs one of 11.8 to 12.x: place-cuda-toolkit gets it, --cuda-path= names another";
  unsigned v;
  const char *toolkit = d->toolkit ? choose_toolkit(&d->toolkit, 1, &v)
                                   : choose_toolkit(folders, sizeof folders / sizeof *folders, &v);
  if (!toolkit && d->toolkit)
    doctor_say(d, FINDING_ERROR, "%s holds no CUDA toolkit (bin/ptxas is missing, or does not run): %s", d->toolkit, remedy);
  else if (!toolkit) doctor_say(d, FINDING_ERROR, "no CUDA toolkit was found (%s, CUDA_HOME, CUDA_PATH, /usr/local/cuda): %s", own, remedy);
  if (!toolkit) return;
  d->cuda = v;
  if (v >= TOO_NEW)
    doctor_say(d, FINDING_ERROR, "%s is CUDA %u.%u, whose code libomptarget 19 cannot load: %s", toolkit, v / 100, v % 100, remedy);
  else if (v < OLDEST) doctor_say(d, FINDING_ERROR, "%s is CUDA %u.%u, which is too old: %s", toolkit, v / 100, v % 100, remedy);
  else if (!has_libdevice(toolkit)) doctor_say(d, FINDING_ERROR, "%s lacks nvvm/libdevice/libdevice.10.bc: %s", toolkit, remedy);
  else doctor_say(d, FINDING_OK, "%s is CUDA %u.%u", toolkit, v / 100, v % 100);
}

void doctor_toolchain(struct doctor *doctor) {
  check_clang(doctor);
  check_plugin(doctor);
  check_runtime(doctor);
  check_offloading(doctor);
  check_device_runtime(doctor);
  check_cuda(doctor);
}
