//===- HugePages.cpp - A compile's memory in huge pages -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HugePages.h"

#include <cstdlib>

#ifdef __GLIBC__
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <malloc.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace place {

void allocateInHugePages() {
  const int Reserve = 64 << 20, LargestInHeap = 32 << 20, MoreThanIsLeft = 4 << 20, Step = 1 << 20;
  const char *Tunables = "GLIBC_TUNABLES", *Given = std::getenv(Tunables);
  if (Given && StringRef(Given).contains("glibc.malloc."))
    return;
  const std::string More = Given && *Given ? std::string(":") + Given : "";
  setenv(Tunables, ("glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216" + More).c_str(), /*overwrite=*/1); // of ptxas, from its start
  // The heap grows by one step, which can be said to be of huge pages: what is added to it later would be of small ones, page by page.
  mallopt(M_TOP_PAD, Reserve);
  mallopt(M_TRIM_THRESHOLD, 2 * Reserve);
  mallopt(M_MMAP_THRESHOLD, LargestInHeap);
  auto Before = reinterpret_cast<uintptr_t>(sbrk(0));
  void *volatile Growth = std::malloc(MoreThanIsLeft);
  std::free(Growth);
  mallopt(M_TOP_PAD, Step); // what an address space too small for the reserve can still give is asked for as before
  auto After = reinterpret_cast<uintptr_t>(sbrk(0));
  const auto Page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), Begin = (Before + Page - 1) / Page * Page;
  if (After >= Begin + Reserve) // another malloc has no heap there
    madvise(reinterpret_cast<void *>(Begin), After - Begin, MADV_HUGEPAGE);
}

} // namespace place
#else
void place::allocateInHugePages() {}
#endif
