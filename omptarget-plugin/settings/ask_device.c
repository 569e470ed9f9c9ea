#include "ask_device.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

/* Of the driver's interface, as stable as its names: success is 0, a device is an int. */
typedef int (*get_device)(int *device, int ordinal);
typedef int (*get_name)(char *name, int size, int device);
typedef int (*get_version)(int *version);
typedef int (*start)(unsigned flags);
typedef int (*get_text)(int error, const char **text);
typedef int (*get_attribute)(int *value, int attribute, int device);
enum { COMPUTE_CAPABILITY_MAJOR = 75, COMPUTE_CAPABILITY_MINOR = 76 };

/* A function pointer from dlsym, without a cast that ISO C does not have. */
union function {
  void *address;
  get_device device;
  get_name name;
  get_attribute attribute;
  get_version version;
  start start;
  get_text text;
};

void ask_device(int number, struct device_facts *facts) {
  *facts = (struct device_facts){"", 0, 0};
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver) return;
  union function get = {dlsym(driver, "cuDeviceGet")}, name = {dlsym(driver, "cuDeviceGetName")},
                 attribute = {dlsym(driver, "cuDeviceGetAttribute")}, version = {dlsym(driver, "cuDriverGetVersion")};
  int device, major, minor;
  if (get.address && name.address && attribute.address && !get.device(&device, number)) {
    if (name.name(facts->name, sizeof facts->name, device)) facts->name[0] = 0;
    facts->name[sizeof facts->name - 1] = 0;
    if (!attribute.attribute(&major, COMPUTE_CAPABILITY_MAJOR, device) &&
        !attribute.attribute(&minor, COMPUTE_CAPABILITY_MINOR, device) && major > 0 && minor >= 0)
      facts->sm = (unsigned)(major * 10 + minor);
  }
  if (version.address && version.version(&facts->driver)) facts->driver = 0;
  dlclose(driver);
}

/* ---- no device ---- */

static const char *describe(void *driver, int error) {
  union function text = {dlsym(driver, "cuGetErrorString")};
  const char *found = NULL;
  return text.address && !text.text(error, &found) && found ? found : "an unknown error";
}

static void compare(unsigned sm, char *why, size_t size) {
  struct device_facts facts;
  ask_device(0, &facts);
  if (facts.sm && facts.sm != sm)
    snprintf(why, size, "the program's device code is for sm_%u, the GPU (%s) is sm_%u; compile with --offload-arch=sm_%u", sm, facts.name,
             facts.sm, facts.sm);
  else
    snprintf(why, size, "the driver has a GPU (%s); LIBOMPTARGET_INFO=-1 and LIBOMPTARGET_DEBUG=1 may tell more", *facts.name ? facts.name : "unnamed");
}

static void ask_driver(void *driver, unsigned sm, char *why, size_t size) {
  union function start = {dlsym(driver, "cuInit")}, version = {dlsym(driver, "cuDriverGetVersion")};
  int error = start.address ? start.start(0) : -1, number = 0;
  if (version.address && version.version(&number)) number = 0;
  if (error)
    snprintf(why, size, "the NVIDIA driver (for CUDA %d.%d) says: %s; nvidia-smi shows what it sees", number / 1000, number % 1000 / 10,
             describe(driver, error));
  else
    compare(sm, why, size);
}

void ask_why_no_device(unsigned sm, char *why, size_t size) {
  if (!sm) {
    snprintf(why, size, "the program has no code for an NVIDIA GPU; compile with --offload-arch=sm_XX");
    return;
  }
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (!driver) {
    snprintf(why, size, "no NVIDIA driver can be loaded (%.180s); install it, or set OMP_TARGET_OFFLOAD=DISABLED if the host is meant", dlerror());
    return;
  }
  ask_driver(driver, sm, why, size);
  dlclose(driver);
}
