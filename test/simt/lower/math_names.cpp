// The names of llvm.nvvm intrinsics that runtime/math.c computes, without "llvm.nvvm.".
#include "lowering.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;

static StringSet<> makeNames() {
  StringSet<> Names;
  for (const char *Mode : {"rn", "rz", "rm", "rp"}) {
    for (const char *Operation : {"add", "mul", "div", "rcp", "sqrt", "fma"})
      for (const char *Type : {".f", ".ftz.f", ".d"})
        Names.insert((Twine(Operation) + "." + Mode + Type).str());
    for (const char *Conversion : {"d2f", "f2i", "f2ui", "f2ll", "f2ull"})
      Names.insert((Twine(Conversion) + "." + Mode + ".ftz").str());
    for (const char *Conversion : {"d2f", "f2i", "f2ui", "f2ll", "f2ull", "d2i", "d2ui", "d2ll", "d2ull", "i2f", "ui2f",
                                   "ll2f", "ull2f", "i2d", "ui2d", "ll2d", "ull2d"})
      Names.insert((Twine(Conversion) + "." + Mode).str());
  }
  for (const char *Function : {"ex2", "lg2", "sin", "cos", "sqrt", "rsqrt", "rcp"})
    for (const char *Type : {".approx.f", ".approx.ftz.f"})
      Names.insert((Twine(Function) + Type).str());
  for (const char *Name :
       {"rsqrt.approx.d", "rsqrt.approx.ftz.d", "rcp.approx.ftz.d", "div.approx.f", "div.approx.ftz.f", "saturate.f",
        "saturate.ftz.f", "saturate.d", "fabs.ftz.f", "floor.ftz.f", "ceil.ftz.f", "trunc.ftz.f", "round.ftz.f",
        "fmin.ftz.f", "fmax.ftz.f", "sad.i", "sad.ui", "mul24.i", "mul24.ui", "prmt", "f2h.rn",
        "f2h.rn.ftz"})
    Names.insert(Name);
  return Names;
}

bool simt::isRuntimeMath(StringRef NvvmName) {
  static const StringSet<> Names = makeNames();
  return Names.contains(NvvmName);
}
