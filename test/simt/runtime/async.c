// Asynchronous copies to shared memory (cp.async): the bytes are taken when the copy is issued and stored when the thread
// waits for them, which is as late as a GPU may do it. A thread that ends with copies under way has waited for none.
#include "finding.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

struct simt_async {
  void *pointer;
  uint64_t data[2];
  const struct simt_site *site;
  uint32_t group;
};

void simt_async_store(void *pointer, uint64_t low, uint64_t high, const struct simt_site *site) {
  struct simt_thread *self = simt_thread_self();
  if (self->copy_count == self->copy_capacity) {
    self->copy_capacity = self->copy_capacity ? 2 * self->copy_capacity : 8;
    self->copies = realloc(self->copies, self->copy_capacity * sizeof *self->copies);
    if (!self->copies)
      simt_fatal("no memory for asynchronous copies");
  }
  self->copies[self->copy_count++] =
      (struct simt_async){.pointer = pointer, .data = {low, high}, .site = site, .group = self->copy_group};
}

void simt_async_commit(void) { simt_thread_self()->copy_group++; }

// Stores what was issued in groups before `group`.
static void finish_before(uint32_t group) {
  struct simt_thread *self = simt_thread_self();
  uint32_t done = 0;
  while (done < self->copy_count && self->copies[done].group < group) {
    const struct simt_async *copy = &self->copies[done++];
    memcpy(simt_check(copy->pointer, copy->site), copy->data, copy->site->bytes);
  }
  self->copy_count -= done;
  memmove(self->copies, self->copies + done, self->copy_count * sizeof *self->copies);
}

void simt_async_wait(uint32_t groups) {
  uint32_t committed = simt_thread_self()->copy_group;
  finish_before(committed > groups ? committed - groups : 0);
}

void simt_async_wait_all(void) { finish_before(UINT32_MAX); }
