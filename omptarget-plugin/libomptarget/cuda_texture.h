/* Textures by the CUDA driver that libomptarget has loaded, found by name: the runtime links none, loads none and makes no context.
 *
 * Each function works in the context that the device address belongs to, and leaves the thread's own as it was. A program that defines
 * the driver's functions itself, as one that runs device code on the CPU does, is asked first.
 * Thread-safety: any thread. Errors: -1, nothing is printed. */
#ifndef PLACE_RT_CUDA_TEXTURE_H
#define PLACE_RT_CUDA_TEXTURE_H

#include "runtime.h"

extern const struct rt_textures cuda_textures;

#endif
