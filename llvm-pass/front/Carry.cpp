//===- Carry.cpp - What the source says, for a later step of the compiler ----===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -save-temps clang parses in one process and optimises in another, which reads IR: a front-end plugin is loaded there
// but never called, and only -fpass-plugin= gets passes in. The first process then leaves names, hints and options in the
// module (Frontend.cpp puts the text there, as an entry of llvm.linker.options), the second takes them out again.
//
//===----------------------------------------------------------------------===//
#include "Carry.h"
#include "Source.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace place {

static const char Header[] = "place-source 1\n";

// One line a word: `option`, `region`, `variant`, `apart`, `team`, `array`, `hint`, `route`, `tile`; the fields are separated by tabs, the last may contain anything else.
std::string carriedText() {
  std::string Text = Header;
  raw_string_ostream OS(Text);
  for (const std::string &Option : options().Given)
    OS << "option\t" << Option << "\n";
  for (const SourceRegion &R : sourceRegistry().all()) {
    OS << "region\t" << R.Line << "\t" << (R.Asked.NoPlace ? "noplace" : R.Asked.KeepThreads ? "keep" : "-") << "\t" << R.Function << "\t" << R.File << "\n";
    if (!R.Variant.empty())
      OS << "variant\t0\t" << R.Variant << "\n";
    if (R.Asked.Apart)
      OS << "apart\t1\n";
    if (R.Asked.Team)
      OS << "team\t" << R.Asked.Team << "\n";
    for (const SourceArray &A : R.Captures)
      OS << "array\t" << A.ElementBytes << "\t" << A.Name << "\n";
    for (const auto &[Name, Space] : R.Asked.Spaces)
      OS << "hint\t" << unsigned(Space) << "\t" << Name << "\n";
    for (const auto &[Name, Route] : R.Asked.Routes)
      OS << "route\t" << unsigned(Route) << "\t" << Name << "\n";
    for (const std::string &Name : R.Asked.Tiles)
      OS << "tile\t0\t" << Name << "\n";
  }
  return Text;
}

namespace {

/// Reads the text back; lines of another form are left out.
class CarriedReader {
public:
  void read(StringRef Text) {
    while (!Text.empty()) {
      StringRef Line;
      std::tie(Line, Text) = Text.split('\n');
      auto [Word, Rest] = Line.split('\t');
      line(Word, Rest);
    }
    finish();
  }

private:
  void line(StringRef Word, StringRef Rest) {
    auto [Number, Name] = Rest.split('\t');
    unsigned Value = 0;
    if (Word == "option")
      (void)parseOption(Rest);
    else if (Number.getAsInteger(10, Value))
      return;
    else if (Word == "region")
      region(Value, Name);
    else if (Word == "variant" && Open)
      Region.Variant = Name.str();
    else if (Word == "tile" && Open)
      Region.Asked.Tiles.insert(Name.str());
    else if (Word == "apart" && Open)
      Region.Asked.Apart = true;
    else if (Word == "team" && Open)
      Region.Asked.Team = Value;
    else if (Word == "array" && Open)
      Region.Captures.push_back({Name.str(), Value});
    else if (Word == "hint" && Open && Value < PLACE_SPACE_COUNT)
      Region.Asked.Spaces[Name.str()] = static_cast<place_space>(Value);
    else if (Word == "route" && Open && Value < PLACE_ROUTE_COUNT)
      Region.Asked.Routes[Name.str()] = static_cast<place_route>(Value);
  }

  void region(unsigned Line, StringRef Rest) {
    finish();
    auto [Asked, Names] = Rest.split('\t');
    auto [Function, File] = Names.split('\t');
    Region.Line = Line;
    Region.Asked.NoPlace = Asked == "noplace";
    Region.Asked.KeepThreads = Asked == "keep";
    Region.Function = Function.str();
    Region.File = File.str();
    Open = true;
  }

  void finish() {
    if (Open)
      sourceRegistry().add(std::move(Region));
    Region = SourceRegion();
    Open = false;
  }

  SourceRegion Region;
  bool Open = false;
};

struct TakeCarriedPass : PassInfoMixin<TakeCarriedPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    NamedMDNode *All = M.getNamedMetadata("llvm.linker.options");
    if (!All)
      return PreservedAnalyses::all();
    SmallVector<MDNode *, 4> Others;
    for (MDNode *N : All->operands()) {
      auto *Text = N->getNumOperands() == 1 ? dyn_cast<MDString>(N->getOperand(0)) : nullptr;
      if (Text && Text->getString().starts_with(Header))
        CarriedReader().read(Text->getString().drop_front(sizeof Header - 1));
      else
        Others.push_back(N);
    }
    All->clearOperands();
    for (MDNode *N : Others)
      All->addOperand(N);
    if (Others.empty())
      All->eraseFromParent();
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void registerCarried(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(TakeCarriedPass()); });
}

} // namespace place
