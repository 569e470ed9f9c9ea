//===- HugePages.h - A compile's memory in huge pages -------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile touches each page of its memory once or twice and ends: its page faults are a tenth of its time. In huge pages, where Linux has them
// for who asks (/sys/kernel/mm/transparent_hugepage/enabled: always or madvise), they go. Elsewhere nothing changes. They are taken at once, one by
// one, until one does not come fast. In a virtual machine that gives free memory back to its host none are taken: there a huge page took 22 to
// 35 ms to come again, 100 times as long as one that was there.
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_HUGE_PAGES_H
#define PLACE_HUGE_PAGES_H

namespace place {

/// What this process allocates from now on, up to 64 MiB beyond what it has, and, if all that came fast, what processes allocate that it runs; to be
/// called once, by the thread that compiles. Does nothing where malloc is not glibc's, GLIBC_TUNABLES says how it is to work, or the host takes free memory.
void allocateInHugePages();

} // namespace place

#endif
