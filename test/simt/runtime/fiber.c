#include "fiber.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

bool simt_stacks_reserve(struct simt_stacks *stacks, size_t count, size_t stack_bytes) {
  if (stacks->count >= count && stacks->stack_bytes == stack_bytes)
    return true;
  simt_stacks_release(stacks);
  char *memory = mmap(NULL, count * stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  *stacks = (struct simt_stacks){.memory = memory, .count = count, .stack_bytes = stack_bytes};
  long page_bytes = sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < count; i++)
    if (mprotect(memory + i * stack_bytes, (size_t)page_bytes, PROT_NONE) != 0)
      return false;
  return true;
}

void simt_stacks_release(struct simt_stacks *stacks) {
  if (stacks->memory)
    munmap(stacks->memory, stacks->count * stacks->stack_bytes);
  *stacks = (struct simt_stacks){0};
}

char *simt_stack_low(const struct simt_stacks *stacks, size_t index) {
  return stacks->memory + index * stacks->stack_bytes;
}

char *simt_stack_high(const struct simt_stacks *stacks, size_t index) {
  return stacks->memory + (index + 1) * stacks->stack_bytes;
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
