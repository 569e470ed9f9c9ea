#include "fiber.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096, LINE_BYTES = 64 };

// Stacks a power of two apart would have all their upper ends, which each thread uses, in the same few sets of the caches: they are an odd
// number of pages apart, and end in different lines of a page.
static size_t apart(const struct simt_stacks *stacks) { return ((stacks->stack_bytes / PAGE_BYTES + 2) | 1) * PAGE_BYTES; }

bool simt_stacks_reserve(struct simt_stacks *stacks, size_t count, size_t stack_bytes) {
  if (stacks->count >= count && stacks->stack_bytes == stack_bytes)
    return true;
  simt_stacks_release(stacks);
  struct simt_stacks wanted = {.count = count, .stack_bytes = stack_bytes};
  wanted.bytes = count * apart(&wanted);
  wanted.memory = mmap(NULL, wanted.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (wanted.memory == MAP_FAILED)
    return false;
  *stacks = wanted;
  for (size_t i = 0; i < count; i++)
    if (mprotect(simt_stack_low(stacks, i), PAGE_BYTES, PROT_NONE) != 0)
      return false;
  return true;
}

void simt_stacks_release(struct simt_stacks *stacks) {
  if (stacks->memory)
    munmap(stacks->memory, stacks->bytes);
  *stacks = (struct simt_stacks){0};
}

char *simt_stack_low(const struct simt_stacks *stacks, size_t index) {
  return stacks->memory + index * apart(stacks);
}

char *simt_stack_high(const struct simt_stacks *stacks, size_t index) {
  return stacks->memory + (index + 1) * apart(stacks) - index * LINE_BYTES % PAGE_BYTES;
}

// Layout at the first switch: six registers, the return address `first`, and a zero return address above it, so that
// `first` finds the stack aligned as after a call.
void *simt_fiber_prepare(char *stack_high, void (*first)(void)) {
  uintptr_t *top = (uintptr_t *)stack_high;
  *--top = 0;
  *--top = (uintptr_t)first;
  for (int i = 0; i < 6; i++)
    *--top = 0;
  return top;
}
