//===- Translator.h - OpenACC inside clang's preprocessor --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_TRANSLATOR_H
#define PLACE_ACC_TRANSLATOR_H

#include "clang/Lex/Pragma.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace place::acc {

/// Makes the compile read `#pragma acc`: the handler, _OPENACC, openacc.h. Call before the main file is entered. Does nothing but
/// warn, at the first directive, where OpenMP is off or openacc.h is not beside the plugin.
void install(clang::CompilerInstance &CI);

/// In a run that only preprocesses there is no parser to replace a handler of: prints the directive again, its macros expanded.
class ReprintHandler : public clang::PragmaHandler {
public:
  ReprintHandler() : PragmaHandler("acc") {}
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer, clang::Token &First) override;
};

} // namespace place::acc

#endif
