// Fibers: one native stack for each device thread of a team, switched without a system call.
//
// Ownership: a stack pool belongs to one worker and is reused for every team that the worker runs.
// Thread-safety: a pool and its fibers belong to one native thread; nothing migrates.
// Errors: simt_stacks_reserve returns false if the memory cannot be had.
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <stdbool.h>
#include <stddef.h>

struct simt_stacks {
  char *memory; // count stacks of at least stack_bytes each, each with a guard page at its low end
  size_t count, stack_bytes, bytes; // bytes: of all, with the guard pages
};

bool simt_stacks_reserve(struct simt_stacks *stacks, size_t count, size_t stack_bytes);
void simt_stacks_release(struct simt_stacks *stacks);
// Whether the address is in any of them. Inline, as every access is asked about.
static inline bool simt_stacks_hold(const struct simt_stacks *stacks, const char *address) {
  return address >= stacks->memory && address < stacks->memory + stacks->bytes;
}
// The lowest and the one-past-highest address of stack `index`.
char *simt_stack_low(const struct simt_stacks *stacks, size_t index);
char *simt_stack_high(const struct simt_stacks *stacks, size_t index);

// The stack pointer of a fiber that will start in `first`, which must not return.
void *simt_fiber_prepare(char *stack_high, void (*first)(void));
void simt_fiber_switch(void **save, void *load);

#endif
