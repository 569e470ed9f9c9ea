// llvm.nvvm intrinsics whose results are made of their operands alone, whoever asks.
#include "intrinsic_call.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace simt {
namespace {

class Arithmetic : IntrinsicCall {
  Value *multiplyHigh();
  Value *bits();
  Value *sameInIR();
  Value *byRunner();

public:
  using IntrinsicCall::IntrinsicCall;
  Value *lower();
};

Value *Arithmetic::multiplyHigh() {
  bool Signed = Name == "mulhi.i" || Name == "mulhi.ll" || Name == "mulhi.s";
  unsigned Bits = Call.getType()->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(2 * Bits);
  auto Extend = [&](Value *V) { return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide); };
  return B.CreateTrunc(B.CreateLShr(B.CreateMul(Extend(arg(0)), Extend(arg(1))), Bits), Call.getType());
}

Value *Arithmetic::bits() {
  if (Name.starts_with("mulhi."))
    return multiplyHigh();
  if (Name == "d2i.lo")
    return B.CreateTrunc(B.CreateBitCast(arg(0), i64()), i32());
  if (Name == "d2i.hi")
    return B.CreateTrunc(B.CreateLShr(B.CreateBitCast(arg(0), i64()), 32), i32());
  if (Name == "lohi.i2d") {
    Value *High = B.CreateShl(B.CreateZExt(arg(1), i64()), 32);
    return B.CreateBitCast(B.CreateOr(High, B.CreateZExt(arg(0), i64())), B.getDoubleTy());
  }
  if (Name.starts_with("bitcast."))
    return B.CreateBitCast(arg(0), Call.getType());
  return nullptr;
}

// Rounding to nearest, as IR does.
Value *Arithmetic::sameInIR() {
  Type *Result = Call.getType();
  if (Name == "add.rn.f" || Name == "add.rn.d")
    return B.CreateFAdd(arg(0), arg(1));
  if (Name == "mul.rn.f" || Name == "mul.rn.d")
    return B.CreateFMul(arg(0), arg(1));
  if (Name == "div.rn.f" || Name == "div.rn.d")
    return B.CreateFDiv(arg(0), arg(1));
  if (Name == "rcp.rn.f" || Name == "rcp.rn.d")
    return B.CreateFDiv(ConstantFP::get(Result, 1.0), arg(0));
  static const std::pair<StringRef, Intrinsic::ID> Same[] = {
      {"fma.rn.f", Intrinsic::fma},     {"fma.rn.d", Intrinsic::fma},     {"sqrt.rn.f", Intrinsic::sqrt},
      {"sqrt.rn.d", Intrinsic::sqrt},   {"sqrt.f", Intrinsic::sqrt},      {"fabs.f", Intrinsic::fabs},
      {"fabs.d", Intrinsic::fabs},      {"floor.f", Intrinsic::floor},    {"floor.d", Intrinsic::floor},
      {"ceil.f", Intrinsic::ceil},      {"ceil.d", Intrinsic::ceil},      {"trunc.f", Intrinsic::trunc},
      {"trunc.d", Intrinsic::trunc},    {"round.f", Intrinsic::rint},     {"round.d", Intrinsic::rint},
      {"fmin.f", Intrinsic::minnum},    {"fmin.d", Intrinsic::minnum},    {"fmax.f", Intrinsic::maxnum},
      {"fmax.d", Intrinsic::maxnum}};
  for (const auto &[Known, Id] : Same)
    if (Name == Known) {
      SmallVector<Value *, 3> Arguments(Call.args());
      return B.CreateIntrinsic(Id, {Result}, Arguments);
    }
  return nullptr;
}

// In the runner's math.c.
Value *Arithmetic::byRunner() {
  if (!isRuntimeMath(Name))
    return nullptr;
  std::string Function = ("simt_nv_" + Name).str();
  std::replace(Function.begin(), Function.end(), '.', '_');
  SmallVector<Value *, 3> Arguments(Call.args());
  CallInst *V = call(Function, Call.getType(), Arguments);
  V->getCalledFunction()->setDoesNotAccessMemory();
  return V;
}

Value *Arithmetic::lower() {
  for (auto Step : {&Arithmetic::bits, &Arithmetic::sameInIR, &Arithmetic::byRunner})
    if (Value *V = (this->*Step)())
      return V;
  return nullptr;
}

} // namespace

Value *lowerArithmetic(Lowering &L, CallInst &Call, StringRef Name) { return Arithmetic(L, Call, Name).lower(); }

} // namespace simt
