/* Slots in the constant bank: copies of array windows, kept until the room is needed, refreshed only when the source may
 * have changed.
 *
 * Units: bytes. Owner: the bank owns its slots. Thread-safety: none of its own, the caller holds the device's lock.
 * Errors: NULL and a reason of static storage. */
#ifndef PLACE_RT_CONSTANT_H
#define PLACE_RT_CONSTANT_H

#include <stdbool.h>

#include "device.h"

struct const_slot {
  uintptr_t host;    /* host address of the window's first byte: with `bytes`, the key */
  uint32_t bytes;
  uint32_t begin;    /* first byte of the slot in the bank, a multiple of PLACE_CONST_ALIGN */
  uint32_t offset;   /* of the window in the bank: begin, moved to keep the window's alignment */
  uint64_t version;  /* of the source's content when copied; 0: copied from host memory */
  unsigned char *content; /* what the bank holds */
  unsigned users;
  uint64_t last_use;
};

enum { CONST_MAX_SLOTS = 192 };

struct const_bank {
  int device;
  const struct rt_ops *ops;
  uintptr_t address; /* of the bank on the device */
  uint32_t bytes;
  struct const_slot *slot[CONST_MAX_SLOTS]; /* by `begin`, ascending */
  unsigned count;
  uint64_t uses;
  uint64_t uploads, downloads; /* for the report */
  uint64_t copying_ns; /* what these took, the host waiting */
};

/* Where a window's content comes from. */
struct const_source {
  uintptr_t host;       /* host address of the window */
  uint32_t bytes;
  uint32_t misalignment; /* of the window from its object's start, modulo 16 */
  uintptr_t device_ptr; /* of the window; 0: host memory holds the truth */
  uint64_t version;     /* of the content on the device */
};

void const_init(struct const_bank *bank, int device, const struct rt_ops *ops, uintptr_t address, uint32_t bytes);
void const_free(struct const_bank *bank);

/* A slot with the current content, with one user more; or NULL and a reason. */
struct const_slot *const_acquire(struct const_bank *bank, const struct const_source *source, const char **why);
void const_release(struct const_bank *bank, struct const_slot *slot);

#endif
