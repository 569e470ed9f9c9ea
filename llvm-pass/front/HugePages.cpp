//===- HugePages.cpp - A compile's memory in huge pages -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HugePages.h"

#include <cstdlib>

#ifdef __GLIBC__
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <cstdint>
#include <malloc.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace place {

const uintptr_t HugePage = 2 << 20;

/// Whether this is a virtual machine that reports memory that is free to its host (a balloon with free page reporting, bit 5 of the features in the
/// virtio specification, 5.5.3), which takes it away. A huge page then comes back as 512 small ones, in 20 ms and more.
static bool hostTakesFreeMemory() {
  const size_t FreePageReporting = 5;
  std::error_code Error;
  sys::fs::directory_iterator Balloon("/sys/bus/virtio/drivers/virtio_balloon", Error), End;
  for (; !Error && Balloon != End; Balloon.increment(Error)) {
    auto Features = MemoryBuffer::getFileAsStream(Balloon->path() + "/features");
    if (Features && (*Features)->getBuffer().substr(FreePageReporting).starts_with("1"))
      return true;
  }
  return false;
}

/// Whether it came as fast as memory does that the machine has: 0.2 ms, of which half is the kernel's zeros.
static bool takeHugePage(uintptr_t At) {
  const auto Slow = std::chrono::milliseconds(1);
  if (madvise(reinterpret_cast<void *>(At), HugePage, MADV_HUGEPAGE))
    return false;
  const auto From = std::chrono::steady_clock::now();
  __atomic_fetch_or(reinterpret_cast<char *>(At), 0, __ATOMIC_RELAXED); // a write, of what is there
  return std::chrono::steady_clock::now() - From < Slow;
}

/// False: not all of it came at once; the rest is left to come in small pages.
static bool takeHugePages(uintptr_t Begin, uintptr_t End) {
  for (uintptr_t At = (Begin + HugePage - 1) / HugePage * HugePage; At + HugePage <= End; At += HugePage)
    if (!takeHugePage(At))
      return false;
  return true;
}

void allocateInHugePages() {
  const int Reserve = 64 << 20, LargestInHeap = 32 << 20, MoreThanIsLeft = 4 << 20, Step = 1 << 20;
  const char *Tunables = "GLIBC_TUNABLES", *Given = std::getenv(Tunables);
  if ((Given && StringRef(Given).contains("glibc.malloc.")) || hostTakesFreeMemory())
    return;
  // The heap grows by one step, which can be said to be of huge pages: what is added to it later would be of small ones, page by page.
  mallopt(M_TOP_PAD, Reserve);
  mallopt(M_TRIM_THRESHOLD, 2 * Reserve);
  mallopt(M_MMAP_THRESHOLD, LargestInHeap);
  auto Before = reinterpret_cast<uintptr_t>(sbrk(0));
  void *volatile Growth = std::malloc(MoreThanIsLeft);
  std::free(Growth);
  mallopt(M_TOP_PAD, Step); // what an address space too small for the reserve can still give is asked for as before
  auto After = reinterpret_cast<uintptr_t>(sbrk(0));
  if (After < Before + Reserve || !takeHugePages(Before, After)) // another malloc has no heap there
    return;
  const std::string More = Given && *Given ? std::string(":") + Given : "";
  setenv(Tunables, ("glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216" + More).c_str(), /*overwrite=*/1); // of ptxas, from its start
}

} // namespace place
#else
void place::allocateInHugePages() {}
#endif
