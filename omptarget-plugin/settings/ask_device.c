#include "ask_device.h"

#include <dlfcn.h>
#include <stddef.h>

/* Of the driver's interface, as stable as its names: success is 0, a device is an int. */
typedef int (*get_device)(int *device, int ordinal);
typedef int (*get_name)(char *name, int size, int device);
typedef int (*get_version)(int *version);
typedef int (*get_attribute)(int *value, int attribute, int device);
enum { COMPUTE_CAPABILITY_MAJOR = 75, COMPUTE_CAPABILITY_MINOR = 76 };

/* A function pointer from dlsym, without a cast that ISO C does not have. */
union function {
  void *address;
  get_device device;
  get_name name;
  get_attribute attribute;
  get_version version;
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
