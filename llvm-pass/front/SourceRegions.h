//===- SourceRegions.h - Target constructs read from the AST -*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_SOURCE_REGIONS_H
#define PLACE_SOURCE_REGIONS_H

namespace clang {
class ASTContext;
class SourceLocation;
} // namespace clang

namespace place {

/// Fills sourceRegistry() with the target constructs of a translation unit, with the hints in front of each, which are taken from hintStore().
/// WarnOfHints: of hints that cannot be followed. SystemHeaders: constructs may be in system headers, too, of which most have none. Returns
/// where the first construct is; invalid: there is none.
clang::SourceLocation readRegions(clang::ASTContext &Context, bool WarnOfHints, bool SystemHeaders);

} // namespace place

#endif
