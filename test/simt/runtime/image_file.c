// libomptarget 19's host plugin writes each image to a file /tmp/tmpfile_XXXXXX, loads it, and leaves the file there: some 20 GB
// after a thousand generated programs. An image that is being loaded is mapped, so its file can go at once.
#define _GNU_SOURCE
#include "image_file.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

void simt_drop_image_file(const void *address) {
  static const char prefix[] = "/tmp/tmpfile_";
  Dl_info info;
  if (dladdr(address, &info) && info.dli_fname && !strncmp(info.dli_fname, prefix, sizeof prefix - 1))
    (void)unlink(info.dli_fname); // one that is there no longer is what was asked for
}
