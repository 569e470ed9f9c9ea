//===- BlockShape.cpp - How a team's block of iterations looks --------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BlockShape.h"

namespace place {

std::string BlockShape::name() const {
  std::string Name;
  for (unsigned D = 0; D < Dims; ++D)
    Name += (D ? "x" : "") + std::to_string(extent(D));
  Name += "t" + std::to_string(threads());
  if (Strip)
    Name += "k" + std::to_string(Strip) + (Pipelined ? "p" : "");
  return Name + (Transposed ? "c" : "") + (Lanes ? "l" + std::to_string(Lanes) : "");
}

} // namespace place
