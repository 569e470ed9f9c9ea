/* Two devices of a CUDA driver that does nothing else. */
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int major, minor;
} devices[] = {{"Tesla V100-SXM2-16GB", 7, 0}, {"NVIDIA A10", 8, 6}};

int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuGetErrorString(int error, const char **text);
extern int fake_cuda_error;
int fake_cuda_error;

int cuInit(unsigned flags) {
  (void)flags;
  return fake_cuda_error;
}

int cuDriverGetVersion(int *version) {
  *version = 12040;
  return 0;
}

int cuGetErrorString(int error, const char **text) {
  *text = "no CUDA-capable device is detected";
  return error != 100;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal < 0 || ordinal > 1;
}

int cuDeviceGetName(char *name, int size, int device) {
  snprintf(name, (size_t)size, "%s", devices[device].name);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? devices[device].major : devices[device].minor;
  return attribute != 75 && attribute != 76;
}
