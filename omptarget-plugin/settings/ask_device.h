/* What a device says about itself.
 *
 * libomptarget has no call for it, so the CUDA driver is asked, if libomptarget has loaded it into the process; nothing is
 * loaded here, and no CUDA header or library is needed.
 *
 * Owner: the caller's structure is filled. Thread-safety: any thread, once libomptarget has counted its devices. Errors: 0 and
 * an empty name are what could not be asked. */
#ifndef PLACE_RT_ASK_DEVICE_H
#define PLACE_RT_ASK_DEVICE_H

#include <stddef.h>

struct device_facts {
  char name[96]; /* "NVIDIA H200" */
  unsigned sm;   /* compute capability, 90 for 9.0 */
  int driver;    /* the CUDA version that the driver is for, 12040 for 12.4 */
};

/* number: of the device among those that the driver shows, which is OpenMP's number where all images are for NVIDIA GPUs. */
void ask_device(int number, struct device_facts *facts);

/* Called where libomptarget sees no device: what the driver says about that, and the remedy. sm: the architecture of the program's
 * device code, 0: it has none for NVIDIA GPUs. */
void ask_why_no_device(unsigned sm, char *why, size_t size);

#endif
