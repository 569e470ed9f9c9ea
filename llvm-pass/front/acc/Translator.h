//===- Translator.h - OpenACC inside clang's preprocessor --------*- C++ -*-===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef PLACE_ACC_TRANSLATOR_H
#define PLACE_ACC_TRANSLATOR_H

#include "clang/Lex/Pragma.h"
#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace place::acc {

/// Translates directives from the main file on; with a Refusal, says that instead.
void installHandlers(clang::CompilerInstance &CI, const std::string &Refusal);

/// In a run that only preprocesses there is no parser to replace a handler of: prints the directive again, its macros expanded.
class ReprintHandler : public clang::PragmaHandler {
public:
  ReprintHandler() : PragmaHandler("acc") {}
  void HandlePragma(clang::Preprocessor &PP, clang::PragmaIntroducer Introducer, clang::Token &First) override;
};

} // namespace place::acc

#endif
