//===- Install.cpp - Where OpenACC enters a compile -------------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Install.h"
#include "Translator.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <dlfcn.h>

using namespace clang;

namespace place::acc {

static const char Support[] = "place_openacc.h";

// share/place/openacc of the installation or of the build tree; empty if it is not there.
static std::string headerFolder() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&headerFolder), &Info) || !Info.dli_fname)
    return "";
  llvm::SmallString<256> Folder(Info.dli_fname), Real;
  llvm::sys::fs::make_absolute(Folder);
  llvm::sys::path::remove_filename(Folder);
  llvm::sys::path::append(Folder, "..", "share/place/openacc");
  llvm::sys::fs::real_path(Folder, Real);
  llvm::SmallString<256> Header(Real);
  llvm::sys::path::append(Header, Support);
  return llvm::sys::fs::exists(Header) ? std::string(Real) : "";
}

// What offloads is the kind of machine that the host is: OpenACC's multicore host, not an accelerator.
static bool targetsHost(const CompilerInstance &CI) {
  auto IsHost = [](const llvm::Triple &T) { return !T.isNVPTX() && !T.isAMDGPU(); };
  const LangOptions &Options = CI.getLangOpts();
  if (Options.OpenMPIsTargetDevice)
    return IsHost(CI.getTarget().getTriple());
  return !Options.OMPTargetTriples.empty() && llvm::all_of(Options.OMPTargetTriples, IsHost);
}

// -fopenacc says 1 for _OPENACC.
static std::string predefines(const CompilerInstance &CI) {
  return "\n#undef _OPENACC\n#define _OPENACC 202211\n#define PLACE_ACC_TARGETS_HOST_ " + std::to_string(targetsHost(CI)) +
         "\n#define PLACE_ACC_SHARED_MEMORY_ " + std::to_string(CI.getLangOpts().OpenMPForceUSM) + "\n#include <" + Support + ">\n";
}

// Line by line: a regular expression takes its time, and few lines have the word.
bool isMentioned(const CompilerInstance &CI) {
  static const llvm::Regex OpenACC("pragma[ \t]+acc[^A-Za-z0-9_]|Pragma[ \t]*\\([ \t]*\"[ \t]*acc[^A-Za-z0-9_]|openacc|OPENACC|"
                                   "(^|[^A-Za-z0-9_])acc_(get|set|async|wait|malloc|free|copy|create|delete|update|map|unmap|device|host"
                                   "|is_present|memcpy|attach|detach|init|shutdown|on_device)");
  if (CI.getLangOpts().OpenACC)
    return true;
  const SourceManager &SM = CI.getSourceManager();
  for (llvm::StringRef Rest = SM.getBufferOrFake(SM.getMainFileID()).getBuffer(); !Rest.empty();) {
    auto [Line, Behind] = Rest.split('\n');
    if ((Line.contains("acc") || Line.contains("ACC")) && OpenACC.match(Rest.take_front(Line.size() + 1))) // with its end
      return true;
    Rest = Behind;
  }
  return false;
}

void install(CompilerInstance &CI) {
  Preprocessor &PP = CI.getPreprocessor();
  if (!CI.getLangOpts().OpenMP) {
    if (!CI.getLangOpts().OpenACC)
      installHandlers(CI, "place makes OpenMP of them, which needs -fopenmp");
    return;
  }
  std::string Folder = headerFolder();
  OptionalDirectoryEntryRef Directory;
  if (!Folder.empty())
    Directory = PP.getFileManager().getOptionalDirectoryRef(Folder);
  if (!Directory)
    return installHandlers(CI, "share/place/openacc is not beside the plugin's folder");
  PP.getHeaderSearchInfo().AddSystemSearchPath(DirectoryLookup(*Directory, SrcMgr::C_System, /*isFramework=*/false));
  PP.setPredefines(PP.getPredefines() + predefines(CI));
  installHandlers(CI, "");
}

void ReprintHandler::HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) {
  std::string Text = "acc";
  Token T;
  for (PP.Lex(T); T.isNot(tok::eod); PP.Lex(T))
    Text += " " + PP.getSpelling(T);
  std::string Quoted = "\"";
  for (char C : Text)
    Quoted += C == '"' || C == '\\' ? std::string("\\") + C : std::string(1, C);
  Quoted += '"';
  auto Pragma = std::make_unique<Token[]>(4);
  unsigned N = 0;
  for (auto [Word, Kind] : {std::pair<llvm::StringRef, tok::TokenKind>("_Pragma", tok::identifier), {"(", tok::l_paren},
                            {Quoted, tok::string_literal}, {")", tok::r_paren}}) {
    Token &Made = Pragma[N++];
    Made.startToken();
    Made.setKind(Kind);
    PP.CreateString(Word, Made, Introducer.Loc, Introducer.Loc);
    if (Kind == tok::identifier)
      Made.setIdentifierInfo(PP.getIdentifierInfo(Word));
  }
  PP.EnterTokenStream(std::move(Pragma), N, /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

} // namespace place::acc
